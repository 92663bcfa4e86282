import { isApproved, type Order, readAmount } from '../orders/order.js'
import {
  type AllowedChange,
  allowCapture,
  allowReturn,
  allowVoid,
  type ChangeWish,
  changeWish,
} from '../orders/rules.js'
import { refuse } from '../replies/refusal.js'
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
  const [check] = order.stages
  if (check.stage !== 'payout-check') refuse('not-allowed', `This order is a ${check.stage}, no payout check.`)
  if (!isApproved(check, call.gateway.clock.now()))
    refuse('not-allowed', 'The payout check is not approved, so nothing is paid.')
  if (order.stages.length > 1) refuse('not-allowed', 'This payout was executed before. Nothing was paid again.')
  return orderReply(call, appendStage(call, { order, stage: 'payout', amount: check.amount }))
}

function change(call: AcceptedCall, allow: (wish: ChangeWish) => AllowedChange) {
  const order = findOrder(call)
  const { gateway, fields } = call
  const { stage, amount } = allow(changeWish(order, changedAmount(call, order), gateway))
  return orderReply(call, appendStage(call, { order, stage, amount, comment: fields.comment }))
}

/** @returns Minor units; undefined when the request means the whole. */
function changedAmount({ fields, gateway }: AcceptedCall, order: Order): bigint | undefined {
  if (fields.amount === undefined && fields.currency === undefined) return undefined
  const { amount, currency } = readAmount(fields, gateway.settings)
  if (currency === order.currency) return amount
  refuse('invalid-field', `"currency" is "${currency}"; the order is in "${order.currency ?? 'no currency'}".`)
}
