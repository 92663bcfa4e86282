/**
 * Error records.
 *
 * @module
 */
import type { Reply } from './carry-out.js'
import type { IncomingCall } from './check-request.js'
import { type RefusalReason, refusalReasons } from './refusal.js'
import { replyPairs } from './reply-body.js'

/** What an error record says. */
export interface ErrorText {
  readonly reason: RefusalReason
  readonly message: string
  /** Default: the fake's own for the reason. */
  readonly code?: string | undefined
}

/** Builds an error record. It carries no order id: only an order that exists has one. */
export function errorReply(
  { reason, message, code }: ErrorText,
  { serialNumber, gateway }: Pick<IncomingCall, 'serialNumber' | 'gateway'>,
): Reply {
  const { status, code: ownCode } = refusalReasons[reason]
  const { profile } = gateway.settings
  const type = profile.replyTypes.value[status === 400 ? 'ValidationErrorResponse' : 'ServerErrorResponse']
  const record = { type, serialNumber, errorCode: code ?? ownCode, errorMessage: message }
  return { status, pairs: replyPairs(record, profile) }
}
