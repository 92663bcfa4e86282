import type { Reply } from '../operations/execute.js'
import type { IncomingCall } from '../verification/check-request.js'
import { type RefusalReason, refusalReasons } from '../verification/refusal.js'
import { replyPairs } from './reply-body.js'

/** What an error record says. */
export interface ErrorText {
  readonly reason: RefusalReason
  readonly message: string
  /** Default: the fake's own for the reason. */
  readonly code?: string | undefined
  /** Ids of the request, where it is known which order it is about. */
  readonly ids?: { readonly clientOrderId?: string | undefined; readonly orderId?: string | undefined }
}

/** Builds an error record. It gives no new id: an order that was not made has none. */
export function errorReply(
  { reason, message, code, ids = {} }: ErrorText,
  { serialNumber, gateway }: Pick<IncomingCall, 'serialNumber' | 'gateway'>,
): Reply {
  const { status, code: ownCode } = refusalReasons[reason]
  const { profile } = gateway.settings
  const type = profile.replyTypes.value[status === 400 ? 'ValidationErrorResponse' : 'ServerErrorResponse']
  const { clientOrderId, orderId } = ids
  const record = { type, serialNumber, clientOrderId, orderId, errorCode: code ?? ownCode, errorMessage: message }
  return { status, pairs: replyPairs(record, profile) }
}
