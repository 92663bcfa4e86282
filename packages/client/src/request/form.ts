/**
 * A form: the fields that are signed and sent, in order, and their texts.
 *
 * @module
 */
import type { FormBodyField } from '@tillkit/signing'

/** What is known of a field of a form, whatever its text. */
export interface FormField extends FormBodyField {
  /** Field of the request record; `undefined` for the control value and for what is in `extra`. */
  readonly field: string | undefined
  /**
   * What it is redacted as: the field, or that of card data where an operation of the user's own calls it something else or
   * where it is in `extra`. `undefined` is not shown.
   */
  readonly shownAs: string | undefined
}

/** What is known of a form by its fields alone: two lists of one length. */
export interface FormShape {
  readonly fields: readonly FormField[]
  /** Names in the record; `undefined` for what is not of the record. */
  readonly names: readonly (string | undefined)[]
  /** The shape with the control value at its end, where it was worked out before. */
  readonly withControl?: FormShape
}

/**
 * A form: a text for each field of its shape. Most forms have the shape of an earlier one, and an object for each field and
 * text would take longer to make than they take to check: adr/0033.
 */
export interface Form {
  readonly shape: FormShape
  readonly texts: readonly string[]
}

/** The shape of a form with these fields. */
export const shapeOf = (fields: readonly FormField[]): FormShape => ({
  fields,
  names: fields.map(({ field }) => field),
})

/** The text of a field of the record; `undefined` where it is absent. */
export function textOf({ shape: { names }, texts }: Form, field: string): string | undefined {
  for (let at = 0; at < names.length; at += 1) if (names[at] === field) return texts[at]
  return undefined
}

/** Whether a field of the record is there. */
export const hasText = (form: Form, field: string): boolean => textOf(form, field) !== undefined

/** The texts of all fields that are redacted as one of these. */
export const textsShownAs = ({ shape: { fields }, texts }: Form, names: readonly string[]): readonly string[] =>
  texts.filter((_, at) => names.includes(fields[at]?.shownAs ?? ''))

/** The name in the record of the field that has a wire name. */
export const fieldNamed = ({ shape: { fields } }: Form, name: string): string | undefined =>
  fields.find(each => each.name === name)?.field
