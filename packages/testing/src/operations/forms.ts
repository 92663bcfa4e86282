/**
 * Hosted forms: the order exists, the customer has yet to fill in a page.
 *
 * @module
 */
import type { AcceptedCall } from '../check-request.js'
import { fieldName } from '../fields.js'
import type { GatewayState } from '../gateway-state.js'
import { readAmount } from '../read-amount.js'
import { refuse } from '../refusal.js'
import { replyPairs } from '../reply-body.js'
import { checkNewOrderId, createOrder } from './new-order.js'
import type { OperationHandler } from './operation-handler.js'
import { verificationMoney } from './take-payment.js'

/** A page that takes a sale. */
export const saleForm: OperationHandler = (call, state) => openForm(call, { stage: 'sale', kind: 'card' }, state)

/** A page that takes a preauth. */
export const preauthForm: OperationHandler = (call, state) => openForm(call, { stage: 'preauth', kind: 'card' }, state)

/** The universal page. Here it takes a sale: the interface does not show how it would choose. */
export const paymentForm: OperationHandler = (call, state) => openForm(call, { stage: 'sale', kind: 'card' }, state)

/** A page that verifies a card. */
export const accountVerificationForm: OperationHandler = (call, state) =>
  openForm(call, { stage: 'verification', kind: 'card' }, state)

/** A page that asks for the destination of a payout. */
export const payoutForm: OperationHandler = (call, state) => openForm(call, { stage: 'payout', kind: 'payout' }, state)

interface FormKind {
  readonly stage: 'sale' | 'preauth' | 'verification' | 'payout'
  readonly kind: 'card' | 'payout'
}

function openForm(call: AcceptedCall, { stage, kind }: FormKind, state: GatewayState) {
  checkNewOrderId(call, state)
  checkRedirect(call, state)
  const money = stage === 'verification' ? verificationMoney(state) : readAmount(call.fields, state.settings)
  const order = createOrder(call, { stage, ...money }, state)
  const token = state.ids.token()
  state.orders.putForm({ token, orderId: order.orderId, kind, step: 'input' })
  return replyPairs(
    {
      type: 'async-form-response',
      serialNumber: call.serialNumber,
      clientOrderId: order.clientOrderId,
      orderId: order.orderId,
      endpointId: call.endpointId,
      redirectUrl: `${state.origin()}${state.settings.prefix}/form/${token}`,
    },
    state.settings.profile,
  )
}

function checkRedirect({ fields, row }: AcceptedCall, { settings }: GatewayState): void {
  const { redirectUrl = '' } = fields
  if (URL.canParse(redirectUrl) && /^https?:$/.test(new URL(redirectUrl).protocol)) return
  const name = fieldName('redirectUrl', { row, profile: settings.profile })
  refuse('invalid-field', `"${name}" must be an http or https address: the customer's browser comes back there.`)
}
