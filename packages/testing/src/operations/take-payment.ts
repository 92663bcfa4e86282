import { silentMethodCard, threeDSecure1Card } from '../fixtures/cards.js'
import { webAddress } from '../http/addresses.js'
import { isCard, isExpired, type StoredCard } from '../orders/card.js'
import type { ThreeDSecure } from '../orders/order.js'
import { readAmount, type Verdict } from '../orders/order.js'
import { approved, expiredCard, sandboxOutcome } from '../orders/outcomes.js'
import { refuse } from '../replies/refusal.js'
import { replyPairs } from '../replies/reply.js'
import type { GatewayState } from '../state/gateway-state.js'
import type { AcceptedCall } from '../verification/check-request.js'
import { fieldName } from '../verification/fields.js'
import { readCard, storedCard } from './card-of-request.js'
import { asyncReply, type OperationHandler } from './handler.js'
import { checkNewOrderId, createOrder } from './new-order.js'

/** Charges a card. The order id of this reply is a JSON number, as the gateway's own sandbox sends it. */
export const sale: OperationHandler = call => {
  const order = takeCard(call, 'sale')
  return replyPairs(
    {
      type: call.gateway.settings.profile.replyTypes.value.AsyncResponse,
      serialNumber: call.serialNumber,
      clientOrderId: order.clientOrderId,
      orderId: { number: order.orderId },
      endpointId: order.endpointId,
    },
    call.gateway.settings.profile,
  )
}

/** Reserves funds. */
export const preauth: OperationHandler = call => asyncReply(call, takeCard(call, 'preauth'))

/** Verifies a card with an amount of zero. */
export const accountVerification: OperationHandler = call => asyncReply(call, takeCard(call, 'verification'))

function takeCard(call: AcceptedCall, stage: 'sale' | 'preauth' | 'verification') {
  checkNewOrderId(call)
  const money =
    stage === 'verification' ? verificationMoney(call.gateway) : readAmount(call.fields, call.gateway.settings)
  checkCode(call)
  const card = call.fields.creditCardNumber === undefined ? storedCard(call) : readCard(call)
  return createOrder(call, { stage, ...money, card, ...decide(call, { card, ...money }) })
}

/** Nothing, in the endpoint's currency; EUR where the endpoint takes any. */
export const verificationMoney = ({ settings }: GatewayState) => ({ amount: 0n, currency: settings.currency ?? 'EUR' })

/** The code on a card that is sent is needed, the one on a stored card may be left out. */
function checkCode({ fields, row, gateway }: AcceptedCall): void {
  if (fields.cvv2 === undefined || /^\d{3,4}$/.test(fields.cvv2)) return
  const name = fieldName('cvv2', { row, profile: gateway.settings.profile })
  refuse('invalid-field', `"${name}" must be three or four digits.`)
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

/** Where 3DS begins for a card that asks for it whatever its CVV2. */
function firstStepOf(card: StoredCard): 'method' | 'pares' | undefined {
  if (isCard(card, threeDSecure1Card)) return 'pares'
  return isCard(card, silentMethodCard) ? 'method' : undefined
}

/** @param first Where a merchant who runs 3DS begins. */
function beginThreeDSecure({ fields, row, gateway }: AcceptedCall, first: 'method' | 'pares'): ThreeDSecure {
  const { settings, ids } = gateway
  const serverTransId = ids.serverTransId()
  if (settings.threeDSecure === 'merchant') return { step: first, serverTransId }
  if (webAddress(fields.redirectUrl) === undefined) {
    const name = fieldName('redirectUrl', { row, profile: settings.profile })
    refuse(
      'invalid-field',
      `"${name}" must be an http or https address: this card takes 3DS, and the customer comes back there.`,
    )
  }
  return { step: 'gateway-run', serverTransId }
}
