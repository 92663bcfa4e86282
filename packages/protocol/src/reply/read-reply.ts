import type { RawReply, Reply } from '../operations/records/replies.js'
import {
  commonReplyFields,
  type OwnReplyFields,
  type ReplyField,
  type ReplyFields,
  type ReplyRecordName,
  type ResponseRecordName,
  recordFields,
  responseRecords,
} from '../operations/reply-fields.js'
import type { WireProfile } from '../profile/types.js'
import { quote } from '../redaction/mask-card-number.js'

/**
 * Reads the documented fields of `record`, or those of your own, out of `raw`, besides those of every reply. Values are trimmed: some hosts end each with a line feed.
 * Absent and empty fields are left out. The reply itself is kept in `raw`, which is not enumerable and not printed.
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
  const fields = new Map<string, ReplyField[]>()
  for (const field of new Set([...commonReplyFields, ...recordFields[record]])) {
    for (const name of names[field]) fields.set(name, [...(fields.get(name) ?? []), field])
  }
  const reply: Record<string, string> = {}
  for (const name of Object.keys(raw)) {
    for (const field of fields.get(name) ?? []) {
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
