/** Percent-encoding, RFC 5849 section 3.6 and RFC 3986 section 2. */
import { InvalidInputError, quoted, shown } from '../errors.js'

/**
 * Percent-encodes text: everything but `A-Z a-z 0-9 - . _ ~` becomes the `%XX` of its UTF-8 bytes, in upper case.
 *
 * A space is `%20`, never `+`, and `! ' ( ) *` are encoded, which `encodeURIComponent` leaves alone.
 *
 * @example
 * ```ts
 * percentEncode('John Smith (é)') // 'John%20Smith%20%28%C3%A9%29'
 * ```
 *
 * @throws {@link InvalidInputError} when it is not a string, or holds half of a surrogate pair, which has no UTF-8 bytes.
 * @see RFC 5849 section 3.6; interface specification section 5.2, step 2
 */
export function percentEncode(text: string): string {
  if (typeof text !== 'string') {
    throw new InvalidInputError('text', `"text" is ${shown(text)}; only text can be percent-encoded.`)
  }
  return reserved.test(text) ? encodeReserved(text) : text
}

/**
 * Percent-encodes the name or the value of a parameter.
 *
 * @throws {@link InvalidInputError} when it holds half of a surrogate pair; `field` is the parameter's name.
 */
export const encodePart = (name: string, text: string): string =>
  reserved.test(text) ? encodeReserved(text, name) : text

/** Percent-encodes it twice, as a base string has it. */
export const encodePartTwice = (name: string, text: string): string =>
  reserved.test(text) ? encodeURIComponent(encodeReserved(text, name)) : text

/** Most texts hold nothing to encode, and a pattern tells so sooner than they are encoded. */
const reserved = /[^\w.~-]/

function encodeReserved(text: string, parameter?: string): string {
  try {
    const encoded = encodeURIComponent(text)
    return leftAlone.test(text) ? encoded.replace(/[!'()*]/g, character => codes[character] ?? '') : encoded
  } catch (cause) {
    const owner = parameter === undefined ? '' : `Parameter ${quoted(parameter)}: `
    throw new InvalidInputError(
      parameter ?? 'text',
      `${owner}Text holds half of a surrogate pair: it has no UTF-8 form. Was an emoji cut? Cut by code point.`,
      { cause },
    )
  }
}

/** What `encodeURIComponent` leaves alone. */
const leftAlone = /[!'()*]/

const codes: Readonly<Record<string, string>> = { '!': '%21', "'": '%27', '(': '%28', ')': '%29', '*': '%2A' }

/** Whether text has a UTF-8 form, that is, no half of a surrogate pair. The type comes with the ES2024 library. */
export const isWellFormed = (text: string): boolean =>
  (text as string & { readonly isWellFormed: () => boolean }).isWellFormed()
