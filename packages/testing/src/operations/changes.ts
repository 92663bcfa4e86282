import { type Order, readAmount } from '../orders/order.js'
import { refuse } from '../replies/refusal.js'
import {
  type AllowedChange,
  allowCapture,
  allowPayout,
  allowReturn,
  allowVoid,
  type ChangeWish,
  changeWish,
} from '../rules/changes.js'
import type { AcceptedCall } from '../state/gateway-state.js'
import { appendStage, orderReply } from '../state/order-changes.js'
import { findOrder, type OperationHandler } from './handler.js'

export const capture: OperationHandler = call => change(call, allowCapture)

/** Cancels a preauth, or reverses a sale or a capture. */
export const returnOperation: OperationHandler = call => change(call, allowReturn)

export const voidOperation: OperationHandler = call => change(call, allowVoid)

/** Executes a payout that was checked, once. */
export const payoutPay: OperationHandler = call => {
  const order = findOrder(call)
  return orderReply(call, appendStage(call, { order, ...allowPayout({ order, now: call.gateway.clock.now() }) }))
}

function change(call: AcceptedCall, allow: (wish: ChangeWish) => AllowedChange) {
  const order = findOrder(call)
  const { gateway, fields } = call
  const at = { profile: gateway.settings.profile, now: gateway.clock.now() }
  const { stage, amount } = allow(changeWish(order, changedAmount(call, order), at))
  return orderReply(call, appendStage(call, { order, stage, amount, comment: fields.comment }))
}

/** @returns Minor units; undefined when the request means the whole. */
function changedAmount({ fields, gateway }: AcceptedCall, order: Order): bigint | undefined {
  if (fields.amount === undefined && fields.currency === undefined) return undefined
  const { amount, currency } = readAmount(fields, gateway.settings)
  if (currency === order.currency) return amount
  refuse('invalid-field', `"currency" is "${currency}"; the order is in "${order.currency ?? 'no currency'}".`)
}
