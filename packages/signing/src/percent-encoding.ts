/**
 * Percent-encoding, RFC 5849 section 3.6 and RFC 3986 section 2.
 *
 * @module
 */
import { InvalidInputError } from './errors.js'
import { shown } from './shown.js'

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
export const percentEncode = (text: string): string => replaceReserved(text, once)

/**
 * Percent-encodes text twice, in one pass: a space becomes `%2520`. A base string holds names and values in this form.
 *
 * @throws {@link InvalidInputError} when the text holds half of a surrogate pair.
 * @see RFC 5849 section 3.4.1.1
 */
export const percentEncodeTwice = (text: string): string => replaceReserved(text, twice)

/** What stands for each ASCII character; `''` for one that stands for itself. */
interface Escapes {
  readonly ofText: readonly string[]
  /** The same for text that `encodeURIComponent` has been over, whose `%` is written already. */
  readonly ofEncodedText: readonly string[]
}

const reserved = /[^A-Za-z0-9\-._~]/

const escapesStartingWith = (percent: string): readonly string[] =>
  Array.from({ length: 128 }, (_, code) => {
    const plain = !reserved.test(String.fromCharCode(code))
    return plain ? '' : percent + code.toString(16).toUpperCase().padStart(2, '0')
  })

const percentBecoming = (escapes: readonly string[], text: string): readonly string[] => escapes.with(0x25, text)

const onceEscapes = /* @__PURE__ */ escapesStartingWith('%')
const twiceEscapes = /* @__PURE__ */ escapesStartingWith('%25')
const once: Escapes = { ofText: onceEscapes, ofEncodedText: /* @__PURE__ */ percentBecoming(onceEscapes, '') }
const twice: Escapes = {
  ofText: /* @__PURE__ */ percentBecoming(twiceEscapes, '%2525'),
  ofEncodedText: /* @__PURE__ */ percentBecoming(twiceEscapes, '%25'),
}

/** Most values hold nothing to replace and come back as they are. */
function replaceReserved(text: string, { ofText, ofEncodedText }: Escapes): string {
  if (typeof text !== 'string') {
    throw new InvalidInputError('text', `"text" is ${shown(text)}; only text can be percent-encoded.`)
  }
  let encoded = ''
  let from = 0
  for (let index = 0; index < text.length; index++) {
    const replacement = ofText[text.charCodeAt(index)]
    if (replacement === undefined) return replaceReserved(utf8Escapes(text), { ofText: ofEncodedText, ofEncodedText })
    if (replacement === '') continue
    encoded += text.slice(from, index) + replacement
    from = index + 1
  }
  return from === 0 ? text : encoded + text.slice(from)
}

function utf8Escapes(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch (cause) {
    throw new InvalidInputError(
      'text',
      'Half of a surrogate pair cannot be percent-encoded: it has no UTF-8 form. It was probably cut inside an ' +
        'emoji; cut by code point.',
      { cause },
    )
  }
}
