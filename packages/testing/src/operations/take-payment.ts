import { silentMethodCard, threeDSecure1Card } from '../fixtures/cards.js'
import { webAddress } from '../http/addresses.js'
import { isCard, isExpired, type StoredCard, storeCard } from '../orders/card.js'
import { readAmount, type ThreeDSecure, type Verdict } from '../orders/order.js'
import { approved, expiredCard, sandboxOutcome } from '../orders/outcomes.js'
import { refuse } from '../replies/refusal.js'
import type { AcceptedCall, GatewayState } from '../state/gateway-state.js'
import { createOrder, orderReply } from '../state/order-changes.js'
import { fieldName } from '../verification/fields.js'
import type { OperationHandler } from './handler.js'

/** What the fields of a request are called in its body, for messages. */
export const namesIn =
  ({ row, gateway }: AcceptedCall) =>
  (field: string): string =>
    fieldName(field, { row, profile: gateway.settings.profile })

/** The card whose number a request carries. Holder and expiry of a request are not those of the card that receives. */
export function readCard(call: AcceptedCall, byNumber = 'creditCardNumber'): StoredCard {
  const { fields } = call
  const name = namesIn(call)
  const { cardPrintedName: holder, expireMonth, expireYear } = fields
  const own = byNumber === 'destinationCardNo' ? {} : { holder, expireMonth, expireYear }
  return storeCard(
    { number: fields[byNumber] ?? '', ...own },
    { number: name(byNumber), expireMonth: name('expireMonth'), expireYear: name('expireYear') },
  )
}

export function storedCard(call: AcceptedCall): StoredCard {
  const { cardRefId = '' } = call.fields
  const name = namesIn(call)('cardRefId')
  return (
    call.gateway.orders.card('cardRef', cardRefId) ??
    refuse('unknown-reference', `"${name}" is "${cardRefId.slice(0, 40)}", no known card reference.`)
  )
}

/**
 * The card that two fields name: the first by number, the second by reference. The number counts where both are there, as
 * in the specification's own example of a transfer.
 */
export function cardOf(call: AcceptedCall, [byNumber, byReference]: readonly [string, string]) {
  const { fields } = call
  const name = namesIn(call)
  const reference = fields[byReference]
  if (fields[byNumber] === undefined) {
    if (reference === undefined) refuse('missing-field', `"${name(byNumber)}" or "${name(byReference)}" is needed.`)
    const kind = byReference.endsWith('RefId') ? 'cardRef' : 'recurringPayment'
    return (
      call.gateway.orders.card(kind, reference) ??
      refuse('unknown-reference', `"${name(byReference)}" is "${reference.slice(0, 40)}", which was never given out.`)
    )
  }
  return readCard(call, byNumber)
}

/** Charges a card. The order id of this reply is a JSON number, as the gateway's own sandbox sends it. */
export const sale: OperationHandler = call => {
  const order = takeCard(call, 'sale')
  return orderReply(call, order, { also: { orderId: { number: order.orderId } } })
}

export const preauth: OperationHandler = call => orderReply(call, takeCard(call, 'preauth'))

/** Verifies a card with an amount of zero. */
export const accountVerification: OperationHandler = call => orderReply(call, takeCard(call, 'verification'))

function takeCard(call: AcceptedCall, stage: 'sale' | 'preauth' | 'verification') {
  const money =
    stage === 'verification' ? verificationMoney(call.gateway) : readAmount(call.fields, call.gateway.settings)
  checkCode(call)
  const card = call.fields.creditCardNumber === undefined ? storedCard(call) : readCard(call)
  return createOrder(call, { stage, ...money, card, ...decide(call, { card, ...money }) })
}

/** An amount of zero in the endpoint's currency, in EUR where the endpoint takes any. */
export const verificationMoney = ({ settings }: GatewayState) => ({ amount: 0n, currency: settings.currency ?? 'EUR' })

/** The security code may be left out with a stored card. */
function checkCode(call: AcceptedCall): void {
  const { cvv2 } = call.fields
  if (cvv2 === undefined || /^\d{3,4}$/.test(cvv2)) return
  refuse('invalid-field', `"${namesIn(call)('cvv2')}" must be three or four digits.`)
}

function decide(
  call: AcceptedCall,
  { card, amount, currency }: { readonly card: StoredCard; readonly amount: bigint; readonly currency: string },
): { readonly verdict?: Verdict; readonly threeDSecure?: ThreeDSecure } {
  const { operation, fields, gateway } = call
  const { cvv2, clientOrderId = '' } = fields
  const byCode = cvv2 === undefined ? approved : sandboxOutcome(cvv2)
  const byCard = isExpired(card, gateway.clock.now()) ? expiredCard : byCode
  const undecided = { operation, clientOrderId, amount, currency, allows3ds: true }
  const outcome = gateway.outcomes.decide(undecided, byCard)
  const asked = cvv2 === '111' || outcome !== byCard || outcome === expiredCard ? undefined : firstStepOf(card)
  if (asked !== undefined) return { threeDSecure: beginThreeDSecure(call, asked) }
  return outcome === '3ds' ? { threeDSecure: beginThreeDSecure(call, 'method') } : { verdict: outcome }
}

/** Where 3DS begins for a card that asks for it with every CVV2. */
function firstStepOf(card: StoredCard): 'method' | 'pares' | undefined {
  if (isCard(card, threeDSecure1Card)) return 'pares'
  return isCard(card, silentMethodCard) ? 'method' : undefined
}

/** @param first Where a merchant who runs 3DS begins. */
function beginThreeDSecure(call: AcceptedCall, first: 'method' | 'pares'): ThreeDSecure {
  const { settings, ids } = call.gateway
  const serverTransId = ids.serverTransId()
  if (settings.threeDSecure === 'merchant') return { step: first, serverTransId }
  checkRedirectUrl(call, 'this card takes 3DS, and the customer comes back there')
  return { step: 'gateway-run', serverTransId }
}

/** @param because Why the request needs an address to come back to, for the message. */
export function checkRedirectUrl(call: AcceptedCall, because: string): void {
  if (webAddress(call.fields.redirectUrl) !== undefined) return
  refuse('invalid-field', `"${namesIn(call)('redirectUrl')}" must be an http or https address: ${because}.`)
}
