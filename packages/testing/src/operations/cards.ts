/**
 * Stored cards: card references, card info, rebill and subscriptions.
 *
 * @module
 */
import { isExpired, type StoredCard, storeCard } from '../card.js'
import type { AcceptedCall } from '../check-request.js'
import { fieldName } from '../fields.js'
import type { GatewayState } from '../gateway-state.js'
import { readAmount } from '../read-amount.js'
import { refuse } from '../refusal.js'
import { type ReplyRecord, replyPairs } from '../reply-body.js'
import { approved, expiredCard } from '../sandbox-outcome.js'
import { hasEnded } from '../transactions.js'
import { findOrder } from './find-order.js'
import { checkNewOrderId, createOrder } from './new-order.js'
import { asyncReply, type OperationHandler } from './operation-handler.js'

/** Stores the card of an order that has ended. */
export const createCardRef: OperationHandler = (call, state) => {
  const { record } = storeCardOf(call, state)
  return replyPairs(record, state.settings.profile)
}

/** Stores the card of an order that has ended; its reply carries a subscription's id as well. */
export const createCardRefV4: OperationHandler = (call, state) => {
  const { record, card } = storeCardOf(call, state)
  const recurringPaymentId = state.ids.recurringPaymentId()
  state.orders.storeRecurringPayment(recurringPaymentId, card)
  return replyPairs({ ...record, recurringPaymentId }, state.settings.profile)
}

function storeCardOf(
  call: AcceptedCall,
  state: GatewayState,
): { readonly record: ReplyRecord; readonly card: StoredCard } {
  const order = findOrder(call, state)
  const { card } = order
  const [first] = order.stages
  if (!hasEnded(first, state.clock.now())) {
    refuse('not-allowed', 'A card reference needs an order that has ended; this one has not. Ask status first.')
  }
  if (card === undefined) refuse('not-allowed', 'The order has no card to store.')
  const cardRefId = state.ids.cardRefId()
  state.orders.storeCardRef(cardRefId, card)
  return {
    card,
    record: {
      type: 'create-card-ref-response',
      serialNumber: call.serialNumber,
      cardRefId,
      uniqueCardRefId: String(BigInt(`0x${card.fingerprint}`)),
    },
  }
}

/** Tells what is known of a stored card. */
export const getCardInfo: OperationHandler = (call, state) => {
  const card = storedCard(call, state)
  return replyPairs(
    {
      type: 'get-card-info-response',
      serialNumber: call.serialNumber,
      cardPrintedName: card.holder,
      bin: card.bin,
      lastFourDigits: card.lastFourDigits,
      brand: card.brand,
      expireMonth: card.expireMonth,
      expireYear: card.expireYear,
    },
    state.settings.profile,
  )
}

/** Charges a stored card. */
export const makeRebill: OperationHandler = (call, state) => {
  checkNewOrderId(call, state)
  const money = readAmount(call.fields, state.settings)
  const card = storedCard(call, state)
  const verdict = isExpired(card, state.clock.now()) ? expiredCard : approved
  return asyncReply(call, createOrder(call, { stage: 'sale', ...money, card, verdict }, state), state)
}

function storedCard({ fields, row }: AcceptedCall, { orders, settings }: GatewayState): StoredCard {
  const { cardRefId = '' } = fields
  const name = fieldName('cardRefId', { row, profile: settings.profile })
  return (
    orders.cardRef(cardRefId) ??
    refuse('unknown-reference', `"${name}" is "${cardRefId.slice(0, 40)}", no known card reference.`)
  )
}

/** Creates a subscription. It is no order: nothing is charged, and status does not find it. */
export const createRecurringPayment: OperationHandler = (call, state) => {
  const { fields, row, serialNumber } = call
  const clientOrderId = checkNewOrderId(call, state)
  const name = (field: string) => fieldName(field, { row, profile: state.settings.profile })
  if (fields.rpCardType !== 'SRC' && fields.rpCardType !== 'DST') {
    refuse('invalid-field', `"${name('rpCardType')}" must be "SRC" (charges the card) or "DST" (pays to it).`)
  }
  checkRecurringAmount(call, state)
  const card = storeCard(
    {
      number: fields.creditCardNumber ?? '',
      holder: fields.cardPrintedName,
      expireMonth: fields.expireMonth,
      expireYear: fields.expireYear,
    },
    { number: name('creditCardNumber'), expireMonth: name('expireMonth'), expireYear: name('expireYear') },
  )
  const recurringPaymentId = state.ids.recurringPaymentId()
  state.orders.storeRecurringPayment(recurringPaymentId, card, clientOrderId)
  const record = { type: 'create-recurring-payment-response', serialNumber, clientOrderId, recurringPaymentId }
  return replyPairs(record, state.settings.profile)
}

/** One amount, a range, or a sequence joined by commas: one of the three. */
function checkRecurringAmount({ fields }: AcceptedCall, { settings }: GatewayState): void {
  const { amount, amountFrom, amountTo, amountSequence, currency } = fields
  const range = amountFrom !== undefined || amountTo !== undefined
  if ([amount !== undefined, range, amountSequence !== undefined].filter(Boolean).length !== 1) {
    refuse('missing-field', 'One of "amount", "amount-from" with "amount-to", and "amount-sequence" is needed.')
  }
  const amounts = amount !== undefined ? [amount] : range ? [amountFrom, amountTo] : (amountSequence ?? '').split(',')
  for (const each of amounts) readAmount({ amount: each?.trim(), currency }, settings)
}
