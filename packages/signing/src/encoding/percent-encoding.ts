/**
 * Percent-encoding, RFC 5849 section 3.6 and RFC 3986 section 2.
 *
 * @module
 */

import { InvalidInputError } from '../errors.js'
import { shown } from '../shown.js'
import { addEncoded, startText, takeText } from './encoded-text.js'

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
 * @throws {@link InvalidInputError} when it is no string, or holds half of a surrogate pair, which has no UTF-8 bytes.
 * @see RFC 5849 section 3.6; interface specification section 5.2, step 2
 */
export function percentEncode(text: string): string {
  if (typeof text !== 'string') {
    throw new InvalidInputError('text', `"text" is ${shown(text)}; only text can be percent-encoded.`)
  }
  // Most texts hold nothing to replace and come back as they are.
  if (!/[^\w.~-]/.test(text)) return text
  startText()
  addEncoded(text)
  return takeText()
}
