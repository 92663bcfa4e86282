/**
 * Values of unknown origin inside a message.
 *
 * @module
 */

/** Most characters of such a text that are shown. */
const mostShown = 64

/**
 * Quotes text for a message: cut to 64 characters and escaped, so that what a sender chose can neither write lines of
 * its own into a log nor steer a terminal.
 */
export const quoted = (text: string): string =>
  `${JSON.stringify(text.slice(0, mostShown)).replace(/[\u007f-\u009f\u2028\u2029]/g, escaped)}${text.length > mostShown ? '…' : ''}`

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Says what a value is: text quoted, `null`, `a list`, `of type number`. Never the value of anything but text. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (value === null || value === undefined) return String(value)
  return Array.isArray(value) ? 'a list' : `of type ${typeof value}`
}
