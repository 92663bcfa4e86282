/**
 * The order of a form's fields by name, whatever order they came in. A program sends the same few forms again and again, so
 * the orders of the last ones are remembered: names only, never a value.
 *
 * @module
 */
import type { FormField } from './build-request.js'

/** Some of a form's fields, in order. */
export interface FieldOrder {
  /** Their places in the form. */
  readonly places: readonly number[]
  /** What stands before the value of each: its name, after the name's length. */
  readonly heads: readonly string[]
}

/** How many orders are remembered; a new one takes the place of the oldest. */
const orderLimit = 32

/** A form with more fields is put in order each time. */
const fieldLimit = 256

interface Remembered extends FieldOrder {
  readonly names: readonly string[]
  readonly fields: readonly (string | undefined)[]
}

/** Makes a function that puts fields in order: by name, those of one name by value. @param leftOut Fields that have no place. */
export function fieldOrders(leftOut: ReadonlySet<string | undefined>): (form: readonly FormField[]) => FieldOrder {
  const orders: Remembered[] = []
  let oldest = 0
  return form => {
    for (const order of orders) if (isFor(order, form)) return order
    const order = orderOf(form, leftOut)
    const isUnique = new Set(order.heads).size === order.heads.length
    if (!isUnique || form.length > fieldLimit) return order
    orders[oldest] = order
    oldest = (oldest + 1) % orderLimit
    return order
  }
}

function isFor({ names, fields }: Remembered, form: readonly FormField[]): boolean {
  if (names.length !== form.length) return false
  for (let at = 0; at < names.length; at += 1) {
    const each = form[at]
    if (each === undefined || each.name !== names[at] || each.field !== fields[at]) return false
  }
  return true
}

function orderOf(form: readonly FormField[], leftOut: ReadonlySet<string | undefined>): Remembered {
  const kept = form
    .map(({ name, value, field }, place) => ({ name, value, field, place }))
    .filter(({ field }) => !leftOut.has(field))
    .sort((a, b) => compare(a.name, b.name) || compare(a.value, b.value))
  return {
    places: kept.map(({ place }) => place),
    heads: kept.map(({ name }) => `${name.length}:${name}`),
    names: form.map(({ name }) => name),
    fields: form.map(({ field }) => field),
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
