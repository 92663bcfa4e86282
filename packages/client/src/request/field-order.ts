/**
 * The order of a form's fields by name, whatever order they came in. A program sends the same few forms again and again, so
 * the orders of the last ones are remembered: names only, never a value.
 *
 * @module
 */
import type { Form, FormField } from './form.js'

/** Some of a form's fields, in order. */
export interface FieldOrder {
  /** Their places in the form. */
  readonly places: readonly number[]
  /** What stands before the value of each: a line feed, and its name after the name's length. */
  readonly heads: readonly string[]
}

/** How many orders are remembered; a new one takes the place of the oldest. */
const orderLimit = 32

/** A form with more fields is put in order each time. */
const fieldLimit = 256

interface Remembered extends FieldOrder {
  readonly fields: readonly FormField[]
}

/** Makes a function that puts fields in order: by name, those of one name by value. @param leftOut Fields that have no place. */
export function fieldOrders(leftOut: ReadonlySet<string | undefined>): (form: Form) => FieldOrder {
  const orders: Remembered[] = []
  let oldest = 0
  return form => {
    for (const order of orders) if (isFor(order, form)) return order
    const order = orderOf(form, leftOut)
    const isUnique = new Set(order.heads).size === order.heads.length
    if (!isUnique || form.shape.fields.length > fieldLimit) return order
    orders[oldest] = order
    oldest = (oldest + 1) % orderLimit
    return order
  }
}

function isFor({ fields: known }: Remembered, { shape: { fields } }: Form): boolean {
  if (known === fields) return true
  if (known.length !== fields.length) return false
  for (let at = 0; at < known.length; at += 1) {
    const [ours, theirs] = [known[at], fields[at]]
    if (ours !== theirs && (ours?.name !== theirs?.name || ours?.shownAs !== theirs?.shownAs)) return false
  }
  return true
}

function orderOf({ shape: { fields }, texts }: Form, leftOut: ReadonlySet<string | undefined>): Remembered {
  const kept = fields
    .map(({ name, shownAs }, place) => ({ name, shownAs, text: texts[place] ?? '', place }))
    .filter(({ shownAs }) => !leftOut.has(shownAs))
    .sort((a, b) => compare(a.name, b.name) || compare(a.text, b.text))
  return {
    places: kept.map(({ place }) => place),
    heads: kept.map(({ name }) => `\n${name.length}:${name}`),
    fields,
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
