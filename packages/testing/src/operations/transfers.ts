import type { StoredCard } from '../orders/card.js'
import { readAmount } from '../orders/order.js'
import { approved, ordinaryVerdict } from '../orders/outcomes.js'
import { refuse } from '../replies/refusal.js'
import type { AcceptedCall } from '../state/gateway-state.js'
import { checkNewOrderId, createOrder, decideNew, orderReply } from '../state/order-changes.js'
import type { OperationHandler } from './handler.js'
import { cardOf } from './take-payment.js'

/** Moves money from a card, a subscription's card or the deposit to a card. */
export const transfer: OperationHandler = call => {
  checkNewOrderId(call)
  const money = readAmount(call.fields, call.gateway.settings)
  const sender = senderCard(call)
  const destinationCard = cardOf(call, ['destinationCardNo', 'destinationCardRecurringPaymentId'])
  const verdict = decideNew(call, {
    ...money,
    otherwise: sender === undefined ? approved : ordinaryVerdict({ cvv2: call.fields.cvv2 }),
  })
  const begin = { stage: 'transfer', ...money, destinationCard, verdict } as const
  return orderReply(call, createOrder(call, sender === undefined ? begin : { ...begin, card: sender }))
}

/** Moves money from the deposit to a card, by number or by reference. */
export const transferByRef: OperationHandler = call => {
  checkNewOrderId(call)
  const money = readAmount(call.fields, call.gateway.settings)
  const destinationCard = cardOf(call, ['destinationCardNo', 'destinationCardRefId'])
  const verdict = decideNew(call, { ...money, otherwise: approved })
  return orderReply(call, createOrder(call, { stage: 'transfer', ...money, destinationCard, verdict }))
}

/** Says that a card can send. */
export const panEligibilitySend: OperationHandler = call => {
  checkNewOrderId(call)
  const card = cardOf(call, ['sendingCardNumber', 'sendingCardRefId'])
  const verdict = decideNew(call, { otherwise: approved })
  return orderReply(call, createOrder(call, { stage: 'pan-eligibility', card, verdict }))
}

/** @returns undefined when the money comes from the merchant's deposit, even if the request names a card. */
function senderCard(call: AcceptedCall): StoredCard | undefined {
  const { deposit2card } = call.fields
  if (deposit2card !== undefined && deposit2card !== 'true' && deposit2card !== 'false') {
    refuse('invalid-field', '"deposit2card" must be "true" or "false".')
  }
  if (deposit2card === 'true') return undefined
  return cardOf(call, ['creditCardNumber', 'cardRecurringPaymentId'])
}
