/**
 * Turns a flat reply under wire names into a typed record.
 *
 * @module
 */
import { withRaw } from './hidden-raw.js'
import type { WireProfile } from './profile.js'
import type { RawReply, Reply, ReplyRecordName } from './records/replies.js'
import { commonReplyFields, type ReplyField, recordFields } from './reply-fields.js'

/**
 * Reads the documented fields of `record` out of `raw`. Values are trimmed: some hosts end each with a line feed.
 * Absent and empty fields are left out. The reply itself is kept in `raw`, which is not enumerable and not printed.
 *
 * Does not check that the reply is one: see {@link missingReplyFields}.
 */
export function readReply(
  raw: RawReply,
  { record, profile }: { readonly record: ReplyRecordName; readonly profile: WireProfile },
): Reply {
  const names = profile.replyFields.value
  const reply: Record<string, string> = {}
  for (const field of fieldsOf(record)) {
    const value = firstPresent(raw, names[field])
    if (value !== undefined) reply[field] = value
  }
  if (record === 'CardInfoAsyncResponse') Object.assign(reply, maskedPan(raw, names))
  return withRaw(reply, raw) as unknown as Reply
}

const knownFields = /* @__PURE__ */ new Map<ReplyRecordName, readonly ReplyField[]>()

/** What a record may carry. Joined for its first reply, since it is asked for every one. */
function fieldsOf(record: ReplyRecordName): readonly ReplyField[] {
  const known = knownFields.get(record)
  if (known !== undefined) return known
  const fields = [...commonReplyFields, ...recordFields[record]]
  knownFields.set(record, fields)
  return fields
}

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
function maskedPan(raw: RawReply, names: WireProfile['replyFields']['value']) {
  const [given, bin, last] = [names.maskedPan, names.bin, names.lastFourDigits].map(name => firstPresent(raw, name))
  if (given !== undefined) return { maskedPan: given }
  return bin === undefined || last === undefined ? {} : { maskedPan: `${bin.slice(0, 6).padEnd(12, '*')}${last}` }
}
