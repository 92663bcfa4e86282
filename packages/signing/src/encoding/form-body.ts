/**
 * The body of a form, for whoever sends forms with the same names again and again.
 *
 * @module
 */
import { addAscii, addEncoded, startText, takeCopy } from './encoded-text.js'
import { encodePart } from './parameter-values.js'
import { percentEncode } from './percent-encoding.js'

/** A field of a form, whatever its value. */
export interface FormBodyField {
  readonly name: string
  /** What stands before its value in a body: `&`, the name percent-encoded, and `=`. */
  readonly head: string
}

/**
 * The field of this name.
 *
 * @throws {@link InvalidInputError} when the name holds half of a surrogate pair; `field` is the name.
 */
export const formBodyField = (name: string): FormBodyField => ({
  name,
  head: `&${encodePart(name, name, percentEncode)}=`,
})

/**
 * Encodes a form as `encodeForm` does, as bytes.
 *
 * @param values The value of each field, as many as there are fields.
 * @throws {@link InvalidInputError} when a value holds half of a surrogate pair; `field` is the name.
 */
export function formBody(fields: readonly FormBodyField[], values: readonly string[]): Uint8Array {
  startText()
  for (let at = 0; at < fields.length; at++) {
    const { name, head } = fields[at] as FormBodyField
    addAscii(head)
    encodePart(name, values[at] as string, addEncoded)
  }
  return takeCopy(1)
}
