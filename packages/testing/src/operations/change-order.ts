/**
 * Capture, return and void: what changes an order that exists.
 *
 * @module
 */
import {
  type AllowedChange,
  allowCapture,
  allowReturn,
  allowVoid,
  type ChangeWish,
  changeWish,
} from '../orders/rules.js'
import { approved } from '../orders/sandbox-outcome.js'
import { addStage, type Order } from '../orders/transactions.js'
import type { AcceptedCall } from '../verification/check-request.js'
import { readAmount } from '../verification/fields.js'
import { refuse } from '../verification/refusal.js'
import { findOrder } from './find-order.js'
import { newStage } from './new-order.js'
import { asyncReply, type OperationHandler } from './operation-handler.js'

/** Settles a hold. */
export const capture: OperationHandler = call => change(call, allowCapture)

/** Cancels a preauth, or reverses a sale or a capture. */
export const returnOperation: OperationHandler = call => change(call, allowReturn)

/** Releases all that is still held. */
export const voidOperation: OperationHandler = call => change(call, allowVoid)

function change(call: AcceptedCall, allow: (wish: ChangeWish) => AllowedChange) {
  const order = findOrder(call)
  const { serialNumber, fields, operation, gateway } = call
  const { stage, amount } = allow(changeWish(order, { amount: changedAmount(call, order), gateway }))
  const { clientOrderId, currency } = order
  const undecided = { operation, clientOrderId, amount, currency, allows3ds: false }
  const verdict = gateway.outcomes.decide(undecided, approved)
  const { comment, serverCallbackUrl } = fields
  const begin = { stage, amount, verdict, comment, serverCallbackUrl, serialNumber, operation }
  const added = newStage(begin, gateway)
  const changed = addStage(order, added)
  gateway.orders.put(changed)
  gateway.courier.announce(changed, added)
  return asyncReply(call, changed)
}

/** @returns Minor units; undefined when the request means the whole. */
function changedAmount({ fields, gateway }: AcceptedCall, order: Order): bigint | undefined {
  if (fields.amount === undefined && fields.currency === undefined) return undefined
  const { amount, currency } = readAmount(fields, gateway.settings)
  if (currency === order.currency) return amount
  refuse('invalid-field', `"currency" is "${currency}"; the order is in "${order.currency ?? 'no currency'}".`)
}
