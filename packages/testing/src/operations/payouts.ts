/**
 * Payouts in one step and in two.
 *
 * @module
 */
import { type StoredCard, storeCard } from '../orders/card.js'
import { approved, declinedAccount, refusedAccount, type Verdict } from '../orders/sandbox-outcome.js'
import { addStage, isApproved } from '../orders/transactions.js'
import type { AcceptedCall } from '../verification/check-request.js'
import { type Fields, fieldName, readAmount } from '../verification/fields.js'
import { refuse } from '../verification/refusal.js'
import { findOrder } from './find-order.js'
import { checkNewOrderId, createOrder, decideNew, newStage } from './new-order.js'
import { asyncReply, type OperationHandler } from './operation-handler.js'

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
  const { serialNumber, operation } = call
  const { clientOrderId, currency } = order
  const { amount } = check
  const verdict = call.gateway.outcomes.decide(
    { operation, clientOrderId, amount, currency, allows3ds: false },
    approved,
  )
  const { serverCallbackUrl } = call.fields
  const begin = { stage: 'payout', amount, verdict, serverCallbackUrl, serialNumber, operation } as const
  const paid = newStage(begin, call.gateway)
  const changed = addStage(order, paid)
  call.gateway.orders.put(changed)
  call.gateway.courier.announce(changed, paid)
  return asyncReply(call, changed)
}

function register(call: AcceptedCall, stage: 'payout' | 'payout-check') {
  checkNewOrderId(call)
  const money = readAmount(call.fields, call.gateway.settings)
  const card = destinationCard(call)
  const verdict = decideNew(call, { ...money, otherwise: payoutVerdict(call.fields) })
  return asyncReply(call, createOrder(call, { stage, ...money, ...(card === undefined ? {} : { card }), verdict }))
}

/** The outcome of a payout: approved, but for the one account that is always declined. */
export const payoutVerdict = ({ accountNumber }: Fields): Verdict =>
  accountNumber === declinedAccount ? refusedAccount : approved

function destinationCard({ fields, row, gateway }: AcceptedCall): StoredCard | undefined {
  const { creditCardNumber } = fields
  if (creditCardNumber === undefined) return undefined
  const name = (field: string) => fieldName(field, { row, profile: gateway.settings.profile })
  return storeCard(
    {
      number: creditCardNumber,
      holder: fields.cardPrintedName,
      expireMonth: fields.expireMonth,
      expireYear: fields.expireYear,
    },
    { number: name('creditCardNumber'), expireMonth: name('expireMonth'), expireYear: name('expireYear') },
  )
}
