/**
 * How the gateway carries out one operation.
 *
 * @module
 */

import { type ReplyPairs, replyPairs } from '../fake/reply-body.js'
import type { Order } from '../orders/transactions.js'
import type { AcceptedCall } from '../verification/check-request.js'

/**
 * Carries out one operation and builds its reply.
 *
 * @throws {@link RefusedRequest} before anything has changed.
 */
export type OperationHandler = (call: AcceptedCall) => ReplyPairs

/** The reply that acknowledges an asynchronous operation. The order id is text, as in most replies. */
export const asyncReply = (call: AcceptedCall, order: Order): ReplyPairs =>
  replyPairs(
    {
      type: call.gateway.settings.profile.replyTypes.value.AsyncResponse,
      serialNumber: call.serialNumber,
      clientOrderId: order.clientOrderId,
      orderId: order.orderId,
      endpointId: order.endpointId,
    },
    call.gateway.settings.profile,
  )
