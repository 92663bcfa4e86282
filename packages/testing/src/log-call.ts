/**
 * Keeps a record of a request, redacted.
 *
 * @module
 */
import type { Parameter } from '@tillkit/signing'
import type { Call } from './call-log.js'
import type { GatewayState } from './gateway-state.js'
import { redactParameters, redactText } from './redact.js'
import { type ReplyPairs, replyText } from './reply-body.js'

/** What became of a request. */
export interface CallRecord {
  readonly operation: string | undefined
  readonly path: string
  readonly scheme: Call['scheme']
  readonly parameters: readonly Parameter[]
  readonly warnings: readonly string[]
  readonly refused: boolean
  readonly explanation: string | undefined
  readonly fault?: Call['fault'] | undefined
  readonly reply: { readonly status: number; readonly pairs: ReplyPairs } | undefined
}

/** Adds a request to the call log. */
export function logCall(record: CallRecord, { log, clock, settings }: GatewayState): void {
  const { operation, path, scheme, parameters, warnings, refused, explanation, reply, fault } = record
  const redaction = { controlKey: settings.controlKey, controlField: settings.profile.controlField.value }
  const shown = reply === undefined ? [] : redactParameters(Object.entries(replyText(reply.pairs)), redaction)
  log.add({
    at: clock.now(),
    operation,
    path: redactText(path, redaction),
    scheme,
    fields: redactParameters(parameters, redaction),
    verdict: refused ? 'refused' : 'accepted',
    ...(explanation === undefined ? {} : { explanation: redactText(explanation, redaction) }),
    ...(warnings.length === 0
      ? {}
      : { warnings: warnings.map(name => `"${name}" is missing; public documents require it`) }),
    ...(fault === undefined ? {} : { fault }),
    ...(reply === undefined ? {} : { httpStatus: reply.status, reply: Object.fromEntries(shown) }),
  })
}
