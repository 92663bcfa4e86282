import type { RawReply, Reply } from '../operations/records/replies.js'
import {
  commonReplyFields,
  type OwnReplyFields,
  type ReplyFields,
  type ReplyRecordName,
  type ResponseRecordName,
  recordFields,
  responseRecords,
} from '../operations/reply-fields.js'
import type { WireProfile } from '../profile/types.js'
import { quote } from '../redaction/mask-card-number.js'

/**
 * Reads the documented fields of `record`, or those of your own, out of `raw`, besides those of every reply. Values are trimmed:
 * some hosts end each with a line feed. Absent and empty fields are left out. The reply itself is kept in `raw`,
 * which is not enumerable and not printed.
 *
 * Does not check that the reply is one: see {@link missingReplyFields}.
 *
 * @throws {TypeError} where a field of `raw` is not text, such as a number that `JSON.parse` made. The message does not repeat the value.
 */
export function readReply(
  raw: RawReply,
  { record, profile }: { readonly record: ReplyRecordName | OwnReplyFields; readonly profile: WireProfile },
): Reply {
  checkRaw(raw)
  if (typeof record === 'object') return readOwn(raw, record, profile)
  const names: ReplyFields = profile.replyFields.value
  const reply: Record<string, string> = {}
  for (const fields of [commonReplyFields, recordFields[record]]) {
    for (const field of fields) {
      const value = firstPresent(raw, names[field])
      if (value !== undefined) reply[field] = value
    }
  }
  if (record === 'CardInfoAsyncResponse') Object.assign(reply, maskedPan(raw, names))
  return withRaw(reply, raw)
}

function readOwn(raw: RawReply, own: OwnReplyFields, profile: WireProfile): Reply {
  const common = readReply(raw, { record: 'AsyncResponse', profile })
  const read = Object.entries(own).flatMap(([field, name]) => {
    const value = firstPresent(raw, [name])
    return value === undefined ? [] : [[field, value] as const]
  })
  return withRaw({ ...common, ...Object.fromEntries(read) }, raw)
}

/** For users without types, and those who parse replies themselves. */
function checkRaw(raw: unknown): void {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw new TypeError('readReply takes an object with the fields of a reply. Parse the body first.')
  }
  for (const [name, value] of Object.entries(raw)) {
    if (typeof value === 'string') continue
    throw new TypeError(
      `${quote(name.slice(0, 60))} of the reply is ${value === null ? 'null' : `of type ${typeof value}`}, and readReply takes text ` +
        'only. JSON.parse makes numbers of order ids and rounds long ones: take the digits as they were written, as ' +
        'createClient of @tillkit/client does, and leave out what is null.',
    )
  }
}

/** Fields without which a reply is not what an operation's `response` names. */
export const requiredReplyFields = (response: ResponseRecordName | OwnReplyFields): readonly string[] =>
  typeof response === 'object' ? Object.keys(response) : responseRecords[response]

/** Fields of `required` that `reply` lacks. */
export function missingReplyFields(reply: Reply, required: readonly string[]): readonly string[] {
  return required.filter(field => !Object.hasOwn(reply, field))
}

function firstPresent(raw: RawReply, wireNames: readonly string[]): string | undefined {
  for (const name of wireNames) {
    const value = Object.hasOwn(raw, name) ? raw[name]?.trim() : undefined
    if (value) return value
  }
  return undefined
}

/** The specification promises a masked PAN, public documents show its two ends only. */
function maskedPan(raw: RawReply, names: ReplyFields) {
  const [given, bin, last] = [names.maskedPan, names.bin, names.lastFourDigits].map(name => firstPresent(raw, name))
  if (given !== undefined) return { maskedPan: given }
  return bin === undefined || last === undefined ? {} : { maskedPan: `${bin.slice(0, 6).padEnd(12, '*')}${last}` }
}

/** The reply of each record. An entry goes when its record goes. */
const rawOf = /* @__PURE__ */ new WeakMap<object, RawReply>()

const rawProperty: PropertyDescriptor = {
  get(this: object) {
    return rawOf.get(this)
  },
  enumerable: false,
}

/**
 * Adds `raw` to a record, not enumerable and behind a getter: a program that prints even the hidden properties of a record prints
 * no card data that a host may have put there. One getter for all records: with one of its own each record would be an object of
 * a kind of its own, which takes twice as long.
 */
function withRaw(record: object, raw: RawReply): Reply {
  rawOf.set(record, raw)
  return Object.defineProperty(record, 'raw', rawProperty) as Reply
}

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
