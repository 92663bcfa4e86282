import type { StoredCard } from '../orders/card.js'
import { readAmount } from '../orders/order.js'
import { approved, ordinaryVerdict } from '../orders/outcomes.js'
import { refuse } from '../replies/refusal.js'
import type { AcceptedCall } from '../state/gateway-state.js'
import { createDecided, orderReply } from '../state/order-changes.js'
import type { OperationHandler } from './handler.js'
import { cardOf } from './take-payment.js'

/** Moves money from a card, a subscription's card or the deposit to a card. */
export const transfer: OperationHandler = call => {
  const money = readAmount(call.fields, call.gateway.settings)
  const card = senderCard(call)
  const destinationCard = cardOf(call, ['destinationCardNo', 'destinationCardRecurringPaymentId'])
  const otherwise = card === undefined ? approved : ordinaryVerdict({ cvv2: call.fields.cvv2 })
  return orderReply(call, createDecided(call, { stage: 'transfer', ...money, card, destinationCard }, otherwise))
}

/** Moves money from the deposit to a card, by number or by reference. */
export const transferByRef: OperationHandler = call => {
  const money = readAmount(call.fields, call.gateway.settings)
  const destinationCard = cardOf(call, ['destinationCardNo', 'destinationCardRefId'])
  return orderReply(call, createDecided(call, { stage: 'transfer', ...money, destinationCard }, approved))
}

export const panEligibilitySend: OperationHandler = call => {
  const card = cardOf(call, ['sendingCardNumber', 'sendingCardRefId'])
  return orderReply(call, createDecided(call, { stage: 'pan-eligibility', card }, approved))
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
