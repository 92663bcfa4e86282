/** Forms for tests, from pairs. */
import { formBodyField } from '@tillkit/signing'
import { type Form, shapeOf } from '../src/request/form.js'

/** A field of a form and its text, `field` as in the record; without it, as of `extra`. */
export interface Pair {
  readonly name: string
  readonly value: string
  readonly field?: string | undefined
}

/** A form of these fields, in their order. */
export const formOf = (pairs: readonly Pair[]): Form => ({
  shape: shapeOf(pairs.map(({ name, field }) => ({ ...formBodyField(name), field, shownAs: field }))),
  texts: pairs.map(({ value }) => value),
})
