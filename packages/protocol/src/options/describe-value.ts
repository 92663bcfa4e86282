/**
 * A wrong value as a mistake names it.
 *
 * @module
 */

/** Longest text that is shown. A key that was put in the wrong place is longer. */
const mostCharacters = 24

/** Short text in quotes, numbers as they are, of everything else the kind only. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') {
    return value.length > mostCharacters ? `a text of ${value.length} characters` : JSON.stringify(value)
  }
  if (typeof value === 'number' || typeof value === 'bigint') return String(value).slice(0, 40)
  if (value === null || value === undefined) return String(value)
  return `of type ${Array.isArray(value) ? 'array' : typeof value}`
}
