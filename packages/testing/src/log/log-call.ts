import { type Parameter, parseAuthorizationHeader } from '@tillkit/signing'
import type { GatewayState } from '../fake/gateway-state.js'
import { type ReplyPairs, replyText } from '../fake/reply-body.js'
import type { GatewayRequest } from '../http/gateway-message.js'
import type { Call, SentOAuth } from './call-log.js'
import { ownText } from './own-text.js'
import {
  finishParameters,
  keepParameters,
  publicOAuthParameters,
  type Redaction,
  redactText,
  redactValue,
} from './redact.js'
import { redactionOf } from './redaction-of.js'

/** What became of a request. */
export interface CallRecord {
  readonly operation: string | undefined
  readonly path: string
  readonly scheme: Call['scheme']
  readonly parameters: readonly Parameter[]
  /** Absent where the path belongs to no operation. */
  readonly request?: Pick<GatewayRequest, 'headers' | 'url'>
  readonly warnings: readonly string[]
  readonly refused: boolean
  readonly explanation: string | undefined
  readonly fault?: Call['fault'] | undefined
  readonly reply: { readonly status: number; readonly pairs: ReplyPairs } | undefined
}

/**
 * Adds a request to the call log. Card data, keys and signatures are taken out at once; the rest is written, and redacted,
 * when somebody looks.
 */
export function logCall(record: CallRecord, { log, clock, settings }: GatewayState): void {
  const { operation, scheme, warnings, refused, explanation, reply, fault } = record
  const redaction = redactionOf(settings)
  const oauth = readOAuth(record, redaction)
  const at = clock.now()
  const path = ownText(record.path)
  const kept = keepParameters(record.parameters, redaction)
  log.add(operation, () => ({
    at,
    operation,
    path: redactText(path, redaction),
    scheme,
    fields: finishParameters(kept, redaction),
    ...(oauth === undefined ? {} : { oauth }),
    verdict: refused ? 'refused' : 'accepted',
    ...(explanation === undefined ? {} : { explanation: redactText(explanation, redaction) }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(fault === undefined ? {} : { fault }),
    ...(reply === undefined ? {} : { httpStatus: reply.status, reply: shownReply(reply.pairs, redaction) }),
  }))
  if (warnings.length > 0) {
    settings.warn(`${operation}, said once: ${warnings.join('. ')}.`)
  }
}

function shownReply(pairs: ReplyPairs, redaction: Redaction): Readonly<Record<string, string>> {
  const shown: Record<string, string> = {}
  for (const [name, value] of pairs) {
    shown[redactText(name, redaction)] = redactValue([name, replyText(value)], redaction)
  }
  return shown
}

function readOAuth({ scheme, request }: CallRecord, redaction: Redaction): SentOAuth | undefined {
  const { authorization } = request?.headers ?? {}
  if (scheme === 'control' || request === undefined || authorization === undefined) return undefined
  const header = parseAuthorizationHeader(authorization)
  if (header === undefined) return undefined
  const parameters = header.parameters.map(
    ([name, value]): Parameter =>
      publicOAuthParameters.has(name)
        ? [name, redactText(value, redaction)]
        : [redactText(name, redaction), '<hidden>'],
  )
  return { origin: request.url.origin, parameters }
}
