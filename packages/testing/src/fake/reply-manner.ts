import { encodeForm } from '@tillkit/signing'
import { type GatewayRequest, gatewayMediaType, type WrittenAnswer } from '../http/gateway-message.js'
import type { GatewaySettings } from '../merchants/options.js'
import { type ReplyPairs, replyText, writeReply } from './reply-body.js'

/** A reply before it is written. */
export interface UnwrittenReply {
  readonly status: number
  readonly pairs: ReplyPairs
}

/**
 * Whether a client is answered as older ones are: the gateway does that, and the client did not ask for JSON, or the wire
 * profile says that the gateway does not look at what it asked for.
 */
export function wantsForm(
  { headers }: Pick<GatewayRequest, 'headers'>,
  { formReplies, profile }: Pick<GatewaySettings, 'formReplies' | 'profile'>,
): boolean {
  return profile.formReplies.value || (formReplies && !(headers.accept ?? '').toLowerCase().includes(gatewayMediaType))
}

/** Writes a reply the way its request asks for. */
export function writeReplyTo(
  { request, settings }: { readonly request: Pick<GatewayRequest, 'headers'>; readonly settings: GatewaySettings },
  { status, pairs }: UnwrittenReply,
): WrittenAnswer {
  return wantsForm(request, settings) ? writeForm(status, pairs) : writeReply(status, pairs)
}

/**
 * A form with a line feed after each value, which its reader has to trim, called HTML; a refusal comes with HTTP 200. No
 * page of the specification shows it: it is what the public documents of such gateways say of clients that send no
 * `Accept`.
 */
function writeForm(status: number, pairs: ReplyPairs): WrittenAnswer {
  const body = pairs.map(([name, value]) => `${encodeForm([[name, replyText(value)]])}\n`).join('&')
  const headers = { 'content-type': 'text/html;charset=utf-8', 'cache-control': 'no-store' }
  return { status: status < 500 ? 200 : status, headers, body }
}
