/**
 * What is no id: nothing, or a word that programs write where there is nothing.
 *
 * @module
 */

import { quote } from '../redaction/quote.js'

/** In lower case. */
const words: ReadonlySet<string> = new Set([
  'undefined',
  'null',
  'nil',
  'none',
  'nan',
  'infinity',
  '-infinity',
  'true',
  'false',
])

/**
 * Whether a text in place of an id is none: empty, blank, or a word such as `undefined`, `null`, `NaN` or
 * `[object Object]`, in any case and with any white space around it.
 *
 * One function for every id: of requests, replies, callbacks, browser returns and what was kept. Control items have no
 * separator, so a word in place of an id is signed and verified like an id.
 */
export function isNoId(text: string): boolean {
  const word = text.trim().toLowerCase()
  if (words.has(word) || word === '') return true
  return word.startsWith('[object ') ? word.endsWith(']') : /^[\s\p{Cf}]*$/u.test(word)
}

/** Describes a text that {@link isNoId} is true of; completes `"orderId" is …`. */
export const describeNoId = (text: string): string =>
  /[^\s\p{Cf}]/u.test(text)
    ? `${quote(text.trim())}, which is no id: programs write it where a value is missing`
    : 'empty or blank'
