import type { ReplyField, WireProfile } from '@tillkit/protocol'
import { encodeForm } from '@tillkit/signing'
import { type GatewayRequest, gatewayMediaType, type WrittenAnswer } from '../http/message.js'

/** A value of a reply. `number` is written as a JSON number, digit for digit. */
export type ReplyValue = string | { readonly number: string }

/** A reply under field names, undefined ones left out. */
export type ReplyRecord = { readonly [Field in ReplyField]?: ReplyValue | undefined }

export type ReplyPairs = readonly (readonly [name: string, value: ReplyValue])[]

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

/** One flat JSON object, written by hand because the digits of numbers matter. */
function writeJson({ status, pairs }: Reply): WrittenAnswer {
  const members = pairs.map(
    ([name, value]) => `${JSON.stringify(name)}:${typeof value === 'string' ? JSON.stringify(value) : value.number}`,
  )
  const headers = { 'content-type': gatewayMediaType, 'cache-control': 'no-store' }
  return { status, headers, body: `{${members.join(',')}}` }
}

export const replyText = (value: ReplyValue): string => (typeof value === 'string' ? value : value.number)

interface ReplyManner {
  readonly formReplies: boolean
  readonly profile: WireProfile
}

export interface Reply {
  readonly status: number
  readonly pairs: ReplyPairs
}

/**
 * Whether a client is answered as older ones are: the gateway does that, and the client did not ask for JSON, or the wire
 * profile says that the gateway does not look at what it asked for.
 */
export function wantsForm(
  { headers }: Pick<GatewayRequest, 'headers'>,
  { formReplies, profile }: ReplyManner,
): boolean {
  return profile.formReplies.value || (formReplies && !(headers.accept ?? '').toLowerCase().includes(gatewayMediaType))
}

/** Writes a reply the way its request asks for: as JSON, or for older clients as a form. */
export function writeReplyTo(
  { request, settings }: { readonly request: Pick<GatewayRequest, 'headers'>; readonly settings: ReplyManner },
  reply: Reply,
): WrittenAnswer {
  return wantsForm(request, settings) ? writeForm(reply) : writeJson(reply)
}

/**
 * A form with a line feed after each value, which its reader has to trim, called HTML; a refusal comes with HTTP 200. No
 * page of the specification shows it: it is what the public documents of such gateways say of clients that send no
 * `Accept`.
 */
function writeForm({ status, pairs }: Reply): WrittenAnswer {
  const body = pairs.map(([name, value]) => `${encodeForm([[name, replyText(value)]])}\n`).join('&')
  const headers = { 'content-type': 'text/html;charset=utf-8', 'cache-control': 'no-store' }
  return { status: status < 500 ? 200 : status, headers, body }
}
