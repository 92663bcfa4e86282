/**
 * Percent-encoding, RFC 5849 section 3.6 and RFC 3986 section 2.
 *
 * @module
 */
import { InvalidInputError } from './errors.js'

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
 * @throws {@link InvalidInputError} when the text holds half of a surrogate pair, which has no UTF-8 bytes.
 * @see RFC 5849 section 3.6; interface specification section 5.2, step 2
 */
export function percentEncode(text: string): string {
  try {
    return encodeURIComponent(text).replace(/[!'()*]/g, encodeCharacter)
  } catch (cause) {
    throw new InvalidInputError(
      'text',
      'Cannot percent-encode text that holds half of a surrogate pair: it has no UTF-8 form. It was probably cut in ' +
        'the middle of an emoji; cut by code point instead.',
      { cause },
    )
  }
}

const encodeCharacter = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
