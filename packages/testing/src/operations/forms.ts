import { webAddress } from '../http/addresses.js'
import { readAmount } from '../orders/order.js'
import { formAddress } from '../pages/return-page.js'
import { refuse } from '../replies/refusal.js'
import { replyPairs } from '../replies/reply.js'
import type { AcceptedCall } from '../state/gateway-state.js'
import { checkNewOrderId, createOrder } from '../state/orders.js'
import { fieldName } from '../verification/fields.js'
import type { OperationHandler } from './handler.js'
import { verificationMoney } from './take-payment.js'

/** A page that takes a sale. */
export const saleForm: OperationHandler = call => openForm(call, { stage: 'sale', kind: 'card' })

/** A page that takes a preauth. */
export const preauthForm: OperationHandler = call => openForm(call, { stage: 'preauth', kind: 'card' })

/** The universal page. Here it takes a sale: the interface does not show how it would choose. */
export const paymentForm: OperationHandler = call => openForm(call, { stage: 'sale', kind: 'card' })

/** A page that verifies a card. */
export const accountVerificationForm: OperationHandler = call => openForm(call, { stage: 'verification', kind: 'card' })

/** A page that asks for the destination of a payout. */
export const payoutForm: OperationHandler = call => openForm(call, { stage: 'payout', kind: 'payout' })

interface FormKind {
  readonly stage: 'sale' | 'preauth' | 'verification' | 'payout'
  readonly kind: 'card' | 'payout'
}

function openForm(call: AcceptedCall, { stage, kind }: FormKind) {
  checkNewOrderId(call)
  checkRedirect(call)
  const money =
    stage === 'verification' ? verificationMoney(call.gateway) : readAmount(call.fields, call.gateway.settings)
  const order = createOrder(call, { stage, ...money })
  const token = call.gateway.ids.token()
  call.gateway.orders.putForm({ token, orderId: order.orderId, kind, step: 'input' })
  return replyPairs(
    {
      type: call.gateway.settings.profile.replyTypes.value.AsyncCheckoutFormRedirect,
      serialNumber: call.serialNumber,
      clientOrderId: order.clientOrderId,
      orderId: order.orderId,
      endpointId: order.endpointId,
      redirectUrl: formAddress(token, call.gateway),
    },
    call.gateway.settings.profile,
  )
}

function checkRedirect({ fields, row, gateway }: AcceptedCall): void {
  if (webAddress(fields.redirectUrl) !== undefined) return
  const name = fieldName('redirectUrl', { row, profile: gateway.settings.profile })
  refuse('invalid-field', `"${name}" must be an http or https address: the customer's browser comes back there.`)
}
