import { isApproved, readAmount } from '../orders/order.js'
import { payoutVerdict } from '../orders/outcomes.js'
import { refuse } from '../replies/refusal.js'
import type { AcceptedCall } from '../state/gateway-state.js'
import { appendStage, checkNewOrderId, createOrder, decideNew } from '../state/orders.js'
import { asyncReply, findOrder, type OperationHandler } from './handler.js'
import { readCard } from './take-payment.js'

/** Sends funds wherever the request says: what the acquirer behind an endpoint takes as a destination is its affair. */
export const payout: OperationHandler = call => register(call, 'payout')

/** Checks the recipient and registers a payout. */
export const payoutCheck: OperationHandler = call => register(call, 'payout-check')

/** Executes a payout that was checked, once. */
export const payoutPay: OperationHandler = call => {
  const order = findOrder(call)
  const [check] = order.stages
  if (check.stage !== 'payout-check') refuse('not-allowed', `This order is a ${check.stage}, no payout check.`)
  if (!isApproved(check, call.gateway.clock.now()))
    refuse('not-allowed', 'The payout check is not approved, so nothing is paid.')
  if (order.stages.length > 1) refuse('not-allowed', 'This payout was executed before. Nothing was paid again.')
  return asyncReply(call, appendStage(call, { order, stage: 'payout', amount: check.amount }))
}

function register(call: AcceptedCall, stage: 'payout' | 'payout-check') {
  checkNewOrderId(call)
  const money = readAmount(call.fields, call.gateway.settings)
  const card = call.fields.creditCardNumber === undefined ? undefined : readCard(call)
  const verdict = decideNew(call, { ...money, otherwise: payoutVerdict(call.fields) })
  return asyncReply(call, createOrder(call, { stage, ...money, ...(card === undefined ? {} : { card }), verdict }))
}
