import { isExpired } from '../orders/card.js'
import { hasEnded, readAmount } from '../orders/order.js'
import { approved, expiredCard } from '../orders/outcomes.js'
import { refuse } from '../replies/refusal.js'
import { type ReplyRecord, replyPairs } from '../replies/reply.js'
import { statusWord } from '../rules/status.js'
import type { AcceptedCall } from '../state/gateway-state.js'
import { createDecided, orderReply } from '../state/order-changes.js'
import { findOrder, type OperationHandler } from './handler.js'
import { storedCard } from './take-payment.js'

export const createCardRef: OperationHandler = call => {
  const { record, order } = storeCardOf(call)
  const { clock, settings } = call.gateway
  // Older clients need this field: without it they take the reply for a refusal.
  const status = settings.formReplies
    ? statusWord(order.stages[0], { profile: settings.profile, now: clock.now() })
    : undefined
  return replyPairs({ ...record, status }, settings.profile)
}

/** Stores the card of an order that has ended; its reply carries a subscription's id as well. */
export const createCardRefV4: OperationHandler = call => {
  const { record, card } = storeCardOf(call)
  const recurringPaymentId = call.gateway.ids.recurringPaymentId()
  call.gateway.orders.storeCard('recurringPayment', recurringPaymentId, card)
  return replyPairs({ ...record, recurringPaymentId }, call.gateway.settings.profile)
}

function storeCardOf(call: AcceptedCall) {
  const order = findOrder(call)
  const { card } = order
  const [first] = order.stages
  if (!hasEnded(first, call.gateway.clock.now())) {
    refuse('not-allowed', 'A card reference needs an order that has ended; this one has not. Ask status first.')
  }
  if (card === undefined) refuse('not-allowed', 'The order has no card to store.')
  const cardRefId = call.gateway.ids.cardRefId()
  call.gateway.orders.storeCard('cardRef', cardRefId, card)
  return {
    card,
    order,
    record: {
      type: call.gateway.settings.profile.replyTypes.value.CardRefAsyncResponse,
      serialNumber: call.serialNumber,
      cardRefId,
      uniqueCardRefId: String(BigInt(`0x${card.fingerprint}`)),
    },
  }
}

export const getCardInfo: OperationHandler = call => {
  const { holder, bin, lastFourDigits, brand, expireMonth, expireYear } = storedCard(call)
  const { profile } = call.gateway.settings
  const maskedPan = `${bin}******${lastFourDigits}`
  const known: ReplyRecord = { cardPrintedName: holder, bin, lastFourDigits, maskedPan, brand, expireMonth, expireYear }
  const told = profile.cardInfoFields.value.map(field => [field, known[field]] as const)
  const type = profile.replyTypes.value.CardInfoAsyncResponse
  return replyPairs({ type, serialNumber: call.serialNumber, ...Object.fromEntries(told) }, profile)
}

export const makeRebill: OperationHandler = call => {
  const money = readAmount(call.fields, call.gateway.settings)
  const card = storedCard(call)
  const otherwise = isExpired(card, call.gateway.clock.now()) ? expiredCard : approved
  return orderReply(call, createDecided(call, { stage: 'sale', ...money, card }, otherwise))
}
