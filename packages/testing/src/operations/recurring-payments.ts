import { readAmount } from '../orders/order.js'
import { refuse } from '../replies/refusal.js'
import { replyPairs } from '../replies/reply.js'
import type { OperationHandler } from './handler.js'
import { namesIn, readCard } from './take-payment.js'

/**
 * Creates a subscription, which is no order. The fake never charges it: the interface shows no words for its schedule.
 *
 * @see Interface specification, section 4, "create-recurring-payment"
 */
export const createRecurringPayment: OperationHandler = call => {
  const { fields, serialNumber, gateway } = call
  const { clientOrderId = '', rpCardType, amount, amountFrom, amountTo, amountSequence, currency } = fields
  if (rpCardType !== 'SRC' && rpCardType !== 'DST') {
    refuse('invalid-field', `"${namesIn(call)('rpCardType')}" must be "SRC" (charges the card) or "DST" (pays to it).`)
  }
  // One amount, one between two, or a sequence joined by commas: the operation's row demands one of the three.
  const amounts = amount === undefined ? (amountSequence?.split(',') ?? [amountFrom, amountTo]) : [amount]
  for (const each of amounts) readAmount({ amount: each?.trim(), currency }, gateway.settings)
  const recurringPaymentId = gateway.ids.recurringPaymentId()
  gateway.orders.storeCard('recurringPayment', recurringPaymentId, readCard(call))
  gateway.orders.take(clientOrderId, gateway.settings.login)
  const { profile } = gateway.settings
  const type = profile.replyTypes.value.CreateRecurringPaymentResponse
  return replyPairs({ type, serialNumber, clientOrderId, recurringPaymentId }, profile)
}
