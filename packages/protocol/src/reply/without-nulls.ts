/**
 * What a store gave back: databases write null where nothing was kept.
 *
 * @module
 */
import { describeNoId, isNoId } from './is-no-id.js'

/** The same without fields that are null. @returns The very object where there are none. */
export function withoutNulls<Stored extends object>(stored: Stored): Stored {
  const fields = Object.entries(stored)
  const kept = fields.filter(([, value]) => value !== null)
  return kept.length === fields.length ? stored : (Object.fromEntries(kept) as Stored)
}

/** The first of `fields` that is there and holds a word for nothing where an id belongs; undefined where there is none. */
export function noIdAmong(
  stored: object,
  fields: readonly string[],
): { readonly field: string; readonly found: string } | undefined {
  const values = stored as Readonly<Record<string, unknown>>
  for (const field of fields) {
    const value = values[field]
    if (typeof value === 'string' && isNoId(value)) return { field, found: describeNoId(value) }
  }
  return undefined
}

/** The first of `fields` that is there and no text, with what it is instead, such as `a number`; undefined where there is none. */
export function notText(
  stored: object,
  fields: readonly string[],
): { readonly field: string; readonly found: string } | undefined {
  const values = stored as Readonly<Record<string, unknown>>
  const field = fields.find(each => values[each] !== undefined && typeof values[each] !== 'string')
  if (field === undefined) return undefined
  return { field, found: typeof values[field] === 'object' ? 'an object' : `a ${typeof values[field]}` }
}
