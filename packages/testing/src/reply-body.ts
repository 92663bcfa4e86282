/**
 * Bodies of replies: one flat JSON object, written by hand where digits matter.
 *
 * @module
 */
import type { ReplyField, WireProfile } from '@tillkit/protocol'
import { gatewayMediaType, type WrittenAnswer } from './gateway-message.js'

/** A value of a reply. `number` is written as a JSON number, digit for digit. */
export type ReplyValue = string | { readonly number: string }

/** A reply under field names, undefined ones left out. */
export type ReplyRecord = { readonly [Field in ReplyField]?: ReplyValue | undefined }

/** A reply under wire names, in order. */
export type ReplyPairs = readonly (readonly [name: string, value: ReplyValue])[]

/** Puts a record under the wire names of the profile. */
export function replyPairs(record: ReplyRecord, profile: WireProfile): ReplyPairs {
  const names = profile.replyFields.value
  return (Object.entries(record) as [ReplyField, ReplyValue | undefined][]).flatMap(([field, value]) => {
    const name = names[field]?.[0]
    return value === undefined || name === undefined ? [] : [[name, value] as const]
  })
}

/** Writes an answer of the interface. */
export function writeReply(status: number, pairs: ReplyPairs): WrittenAnswer {
  return { status, headers: { 'content-type': gatewayMediaType, 'cache-control': 'no-store' }, body: writeJson(pairs) }
}

function writeJson(pairs: ReplyPairs): string {
  const members = pairs.map(([name, value]) => {
    const written = typeof value === 'string' ? JSON.stringify(value) : value.number
    return `${JSON.stringify(name)}:${written}`
  })
  return `{${members.join(',')}}`
}

/** A reply as text, for the call log. */
export const replyText = (pairs: ReplyPairs): Readonly<Record<string, string>> =>
  Object.fromEntries(pairs.map(([name, value]) => [name, typeof value === 'string' ? value : value.number]))
