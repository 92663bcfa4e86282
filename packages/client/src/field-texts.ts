/**
 * The fields of a request as text, in the caller's order.
 *
 * @module
 */

/** Two lists of one length. A `Map` of a sale's twenty fields takes longer to fill than they take to check. */
export interface FieldTexts {
  /** Names of the record. */
  readonly fields: readonly string[]
  /** The text of each. */
  readonly texts: readonly string[]
}

/** The text of a field; `undefined` where it is absent. */
export function textOf({ fields, texts }: FieldTexts, field: string): string | undefined {
  for (let at = 0; at < fields.length; at += 1) if (fields[at] === field) return texts[at]
  return undefined
}

/** Whether a field is there. */
export const hasText = (texts: FieldTexts, field: string): boolean => textOf(texts, field) !== undefined

/** The fields as a record. */
export const recordOf = ({ fields, texts }: FieldTexts): Readonly<Record<string, string>> =>
  Object.fromEntries(texts.map((text, at) => [fields[at], text]))
