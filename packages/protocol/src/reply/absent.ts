import { quote } from '../redaction/mask-card-number.js'

/** Words that programs write where there is nothing, in lower case. */
const wordForNothing = /^(?:undefined|null|nil|none|nan|-?infinity|true|false|)$/

/**
 * Whether a text in the place of an id is not one: empty, blank, or a word such as `undefined`, `null`, `NaN` or
 * `[object Object]`, in any case and with any white space around it.
 *
 * One function for every id: of requests, replies, callbacks, browser returns and what was kept. Control items have no
 * separator, so a word in place of an id is signed and verified like an id.
 */
export function isNoId(text: string): boolean {
  const word = text.trim().toLowerCase()
  if (wordForNothing.test(word)) return true
  return word.startsWith('[object ') ? word.endsWith(']') : /^[\s\p{Cf}]*$/u.test(word)
}

/** Describes a text that {@link isNoId} is true of; completes `"orderId" is …`. */
export const describeNoId = (text: string): string =>
  /[^\s\p{Cf}]/u.test(text)
    ? `${quote(text.trim())}, which is not an id: programs write it where a value is missing`
    : 'empty or blank'

/** The same without fields that are null. @returns The very object where no field is null. */
export function withoutNulls<Stored extends object>(stored: Stored): Stored {
  const fields = Object.entries(stored)
  const kept = fields.filter(([, value]) => value !== null)
  return kept.length === fields.length ? stored : (Object.fromEntries(kept) as Stored)
}

/** The first of `fields` that holds a word for nothing where an id belongs; undefined if all are right. */
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

/** The first of `fields` that is set and not text, with what it is instead, such as `a number`; undefined if all are right. */
export function notText(
  stored: object,
  fields: readonly string[],
): { readonly field: string; readonly found: string } | undefined {
  const values = stored as Readonly<Record<string, unknown>>
  const field = fields.find(each => values[each] !== undefined && typeof values[each] !== 'string')
  if (field === undefined) return undefined
  return { field, found: typeof values[field] === 'object' ? 'an object' : `a ${typeof values[field]}` }
}
