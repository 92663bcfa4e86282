import { createClient } from '@tillkit/client'
import { callbackReceiver, customerReceiver, hostedFormOpener, type OpenForm } from '@tillkit/express-middleware/core'

const { TILLKIT_BASE_URL = '', TILLKIT_LOGIN: login = '', TILLKIT_CONTROL_KEY: controlKey = '' } = process.env
const { SHOP_URL = '', STATE_SECRET = '' } = process.env // the secret: 32 bytes or more, not the control key
const client = createClient({ baseUrl: TILLKIT_BASE_URL, endpointId: 39, login, controlKey })
const stateSecrets = [{ id: '2026-11', secret: STATE_SECRET }]

/** Yours are in a database. */
const orders = new Map<string, { amount: string; currency: string; form?: OpenForm; isShipped?: boolean }>()

export const callbacks = callbackReceiver({
  merchant: { controlKeys: controlKey, client },
  // Called for every repetition of a callback, so it does nothing the second time.
  onStatus: ({ kind, clientOrderId, isOver }) => {
    const order = orders.get(clientOrderId)
    if (kind !== 'paid' || order === undefined || !isOver(order) || order.isShipped) return
    order.isShipped = true
    console.log('ship it:', clientOrderId)
  },
  onRejected: rejection => console.warn(rejection),
})

export const forms = hostedFormOpener({
  client,
  stateSecrets,
  returnUrl: `${SHOP_URL}/payments/return`,
  // Kept, so that a second press leads to the same form.
  onCreated: ({ clientOrderId, form }) => void Object.assign(orders.get(clientOrderId) ?? {}, { form }),
})

export const customers = customerReceiver({
  client,
  stateSecrets,
  controlKeys: controlKey,
  redirectTo: ({ clientOrderId, view }) => `/orders/${encodeURIComponent(clientOrderId)}?view=${view}`,
  onRejected: rejection => console.warn(rejection),
})

export function orderToPay(clientOrderId: string) {
  const order = orders.get(clientOrderId) ?? { amount: '10.00', currency: 'EUR' }
  orders.set(clientOrderId, order)
  const { amount, currency, form } = order
  const serverCallbackUrl = `${SHOP_URL}/payments/callback`
  return { clientOrderId, amount, currency, form, email: 'joan@customer.example', serverCallbackUrl }
}
