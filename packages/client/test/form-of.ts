/** Forms for tests. */
import type { Form } from '../src/request/types.js'

/** A field of a form, `field` as in the record; without it, as of `extra`. */
export interface Pair {
  readonly name: string
  readonly value: string
  readonly field?: string | undefined
}

/** A form of these fields, in their order. */
export const formOf = (pairs: readonly Pair[]): Form =>
  pairs.map(({ name, value, field }) => ({ name, value, field, shownAs: field }))
