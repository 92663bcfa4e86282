import { maskCardNumbers, shortMasked } from './mask-card-number.js'

/** Longest text of an error that is kept in a store, in characters. */
const longestText = 200

/**
 * What was thrown, in one line for a person: its name, its code and its message. What looks like a card number,
 * an e-mail address, or a name and password in an address is taken out. Node.js repeats in some errors of its own the value that it did not
 * take: their message is left out. It never throws.
 *
 * @param longest In characters. Default: 200.
 */
export function errorText(thrown: unknown, longest: number = longestText): string {
  const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
  try {
    const { name, code, message } = (typeof thrown === 'object' ? (thrown ?? {}) : { message: thrown }) as {
      readonly [field in 'name' | 'code' | 'message']?: unknown
    }
    const named = [text(name), text(code)].filter(each => /^[\w-]{1,60}$/.test(each)).join(' ')
    const said = /^ERR_(?:INVALID_ARG_|OUT_OF_RANGE)/.test(text(code)) ? '' : scrubbed(text(message), 10 * longest)
    const whole = [named, said].filter(each => each !== '').join(': ')
    return shortMasked(whole, longest) || 'It is not said what was thrown.'
  } catch {
    return 'What was thrown cannot be read.'
  }
}

/** Cut after it was masked: a part of a card number is not known again. What is longer by far is cut before, and ends in no digit. */
function scrubbed(message: string, most: number): string {
  const begun = message.length <= most ? message : message.slice(0, most).replace(/[\P{L}]+$/u, '')
  return maskCardNumbers(begun)
    .replace(/\S+/g, withoutLogin)
    .replace(/[^\s@<>"'(),;:=/*]+@[^\s@<>"'(),;:/]+/g, '***')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
}

/** A word without the name and password of an address in it. A password may hold any sign but a space; a path of a file has none. */
function withoutLogin(word: string): string {
  const [begin, end] = [word.search(/(?<!file:\/?)\/\//), word.lastIndexOf('@')]
  return begin < 0 || end < begin ? word : `${word.slice(0, begin)}//***${word.slice(end)}`
}
