/**
 * Sale, preauth and account verification with card data.
 *
 * @module
 */
import { isExpired, type StoredCard, storeCard } from '../card.js'
import type { AcceptedCall } from '../check-request.js'
import { fieldName } from '../fields.js'
import { threeDSecure1Card } from '../fixtures/cards.js'
import type { GatewayState } from '../gateway-state.js'
import { readAmount } from '../read-amount.js'
import { refuse } from '../refusal.js'
import { replyPairs } from '../reply-body.js'
import { expiredCard, sandboxOutcome, type Verdict } from '../sandbox-outcome.js'
import type { ThreeDSecure } from '../transactions.js'
import { checkNewOrderId, createOrder } from './new-order.js'
import { asyncReply, type OperationHandler } from './operation-handler.js'

/** Charges a card. The order id of this reply is a JSON number, as the gateway's own sandbox sends it. */
export const sale: OperationHandler = (call, state) => {
  const order = takeCard(call, 'sale', state)
  return replyPairs(
    {
      type: 'async-response',
      serialNumber: call.serialNumber,
      clientOrderId: order.clientOrderId,
      orderId: { number: order.orderId },
      endpointId: call.endpointId,
    },
    state.settings.profile,
  )
}

/** Reserves funds. */
export const preauth: OperationHandler = (call, state) => asyncReply(call, takeCard(call, 'preauth', state), state)

/** Verifies a card with an amount of zero. */
export const accountVerification: OperationHandler = (call, state) =>
  asyncReply(call, takeCard(call, 'verification', state), state)

function takeCard(call: AcceptedCall, stage: 'sale' | 'preauth' | 'verification', state: GatewayState) {
  checkNewOrderId(call, state)
  const money = stage === 'verification' ? verificationMoney(state) : readAmount(call.fields, state.settings)
  const card = readCard(call, state)
  return createOrder(call, { stage, ...money, card, ...decide(call, card, state) }, state)
}

/** Nothing, in the endpoint's currency; EUR where the endpoint takes any. */
export const verificationMoney = ({ settings }: GatewayState) => ({ amount: 0n, currency: settings.currency ?? 'EUR' })

function readCard(call: AcceptedCall, { settings }: GatewayState): StoredCard {
  const { fields, row } = call
  const name = (field: string) => fieldName(field, { row, profile: settings.profile })
  if (!/^\d{3,4}$/.test(fields.cvv2 ?? '')) refuse('invalid-field', `"${name('cvv2')}" must be three or four digits.`)
  return storeCard(
    {
      number: fields.creditCardNumber ?? '',
      holder: fields.cardPrintedName,
      expireMonth: fields.expireMonth,
      expireYear: fields.expireYear,
    },
    { number: name('creditCardNumber'), expireMonth: name('expireMonth'), expireYear: name('expireYear') },
  )
}

function decide(
  { fields }: AcceptedCall,
  card: StoredCard,
  { clock, ids }: GatewayState,
): { readonly verdict?: Verdict; readonly threeDSecure?: ThreeDSecure } {
  if (isExpired(card, clock.now())) return { verdict: expiredCard }
  const { cvv2 = '' } = fields
  if (fields.creditCardNumber?.replace(/[ -]/g, '') === threeDSecure1Card && cvv2 !== '111') {
    return { threeDSecure: { step: 'pares', serverTransId: ids.serverTransId() } }
  }
  const outcome = sandboxOutcome(cvv2)
  return outcome === '3ds'
    ? { threeDSecure: { step: 'method', serverTransId: ids.serverTransId() } }
    : { verdict: outcome }
}
