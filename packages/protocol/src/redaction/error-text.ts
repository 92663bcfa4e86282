import { maskCardNumbers } from './mask-card-number.js'

/** Longest text of an error that is kept, in characters. */
const longestText = 200

/**
 * What was thrown, in one line for a person: its name, its code and its message, at most 200 characters. What looks like a card number,
 * an e-mail address, or a name and password in an address is taken out. It never throws.
 */
export function errorText(thrown: unknown): string {
  const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
  try {
    const { name, code, message } = (typeof thrown === 'object' ? (thrown ?? {}) : { message: thrown }) as {
      readonly [field in 'name' | 'code' | 'message']?: unknown
    }
    const named = [text(name), text(code)].filter(each => /^[\w-]{1,60}$/.test(each)).join(' ')
    const said = scrubbed(text(message))
    return (
      [named, said]
        .filter(each => each !== '')
        .join(': ')
        .slice(0, longestText) || 'It is not said what was thrown.'
    )
  } catch {
    return 'What was thrown cannot be read.'
  }
}

/** Cut after it was masked: a part of a card number is not known again. What is longer by far is cut before, and ends in no digit. */
function scrubbed(message: string): string {
  const most = 10 * longestText
  const begun = message.length <= most ? message : message.slice(0, most).replace(/[\P{L}]+$/u, '')
  return maskCardNumbers(begun)
    .replace(/\/\/[^\s/@]*@/g, '//***@')
    .replace(/[^\s@<>"'(),;:=/*]+@[^\s@<>"'(),;:/]+/g, '***')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
}
