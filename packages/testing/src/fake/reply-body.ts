import type { ReplyField, WireProfile } from '@tillkit/protocol'
import { gatewayMediaType, type WrittenAnswer } from '../http/gateway-message.js'

/** A value of a reply. `number` is written as a JSON number, digit for digit. */
export type ReplyValue = string | { readonly number: string }

/** A reply under field names, undefined ones left out. */
export type ReplyRecord = { readonly [Field in ReplyField]?: ReplyValue | undefined }

/** A reply under wire names, in order. */
export type ReplyPairs = readonly (readonly [name: string, value: ReplyValue])[]

/** Puts a record under the wire names of the profile. */
export function replyPairs(record: ReplyRecord, profile: WireProfile): ReplyPairs {
  const names = profile.replyFields.value
  const pairs: (readonly [name: string, value: ReplyValue])[] = []
  for (const field of Object.keys(record) as ReplyField[]) {
    const value = record[field]
    const name = names[field]?.[0]
    if (value !== undefined && name !== undefined) pairs.push([name, value])
  }
  return pairs
}

/** Writes an answer of the interface. */
export function writeReply(status: number, pairs: ReplyPairs): WrittenAnswer {
  return { status, headers: { 'content-type': gatewayMediaType, 'cache-control': 'no-store' }, body: writeJson(pairs) }
}

function writeJson(pairs: ReplyPairs): string {
  let members = ''
  for (const [name, value] of pairs) {
    const written = typeof value === 'string' ? JSON.stringify(value) : value.number
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${written}`
  }
  return `{${members}}`
}

/** A value of a reply as text. */
export const replyText = (value: ReplyValue): string => (typeof value === 'string' ? value : value.number)
