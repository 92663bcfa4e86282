/**
 * The body of a form, for whoever sends forms with the same names again and again.
 *
 * @module
 */
import { addAscii, addEncoded, startText, takeCopy } from './encoded-text.js'
import { encodePart } from './parameter-values.js'

/** A field of a form. */
export interface FormBodyField {
  readonly name: string
  readonly value: string
  /** What stands before the value in a body, where it was worked out before: `&`, the name percent-encoded, and `=`. */
  readonly head?: string | undefined
}

/**
 * Encodes a form as `encodeForm` does, as bytes.
 *
 * @throws {@link InvalidInputError} when a name or value holds half of a surrogate pair; `field` is the name.
 */
export function formBody(fields: readonly FormBodyField[]): Uint8Array {
  startText()
  for (const { name, value, head } of fields) {
    if (head === undefined) {
      addAscii('&')
      encodePart(name, name, addEncoded)
      addAscii('=')
    } else addAscii(head)
    encodePart(name, value, addEncoded)
  }
  return takeCopy().subarray(1)
}
