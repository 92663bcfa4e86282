import type { Form } from './types.js'

/** The value of a field of the record; `undefined` where it is absent. */
export function textOf(form: Form, field: string): string | undefined {
  for (const each of form) if (each.field === field) return each.value
  return undefined
}

/** The values of all fields that are redacted as one of these. */
export const textsShownAs = (form: Form, names: readonly string[]): readonly string[] =>
  form.filter(({ shownAs = '' }) => names.includes(shownAs)).map(({ value }) => value)

/** The name in the record of the field that has a wire name. */
export const fieldNamed = (form: Form, name: string): string | undefined => form.find(each => each.name === name)?.field

/** The fields of a record by their names. */
export const recordOf = (form: Form): Readonly<Record<string, string>> =>
  Object.fromEntries(form.flatMap(({ field, value }) => (field === undefined ? [] : [[field, value] as const])))

/** Whether a text holds half of a surrogate pair, which has no UTF-8 form. */
export const hasHalfPair = (text: string): boolean => /\p{Surrogate}/u.test(text)
