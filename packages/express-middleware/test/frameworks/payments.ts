import { createClient } from '@tillkit/client'
import { emptyOrder, memoryStore, type Order, reduceOrder } from '@tillkit/protocol'
import {
  callbackReceiver,
  customerReceiver,
  hostedFormOpener,
  memoryInbox,
  type VisitOutcomes,
} from '@tillkit/express-middleware/core'

const { GATEWAY_URL = '', GATEWAY_LOGIN: login = '', GATEWAY_CONTROL_KEY: controlKey = '' } = process.env
const { SHOP_URL = '', STATE_SECRET = '' } = process.env // the secret: 32 bytes or more, not the control key
const client = createClient({ baseUrl: GATEWAY_URL, endpointId: 39, login, controlKey, store: memoryStore() })
const stateSecrets = [{ id: '2026-11', secret: STATE_SECRET }]
const price = { amount: '10.00', currency: 'EUR' }
const orders = new Map<string, Order>() // yours are in a database
const known = ({ clientOrderId }: { clientOrderId: string }) => {
  const order = orders.get(clientOrderId)
  return order && { order, expected: { stages: ['sale'], ...price } }
}

// Told of every outcome once, whether the customer or the callback brings it.
const outcomes: VisitOutcomes = {
  login,
  inbox: memoryInbox(), // one process; one in your database where there are several
  onOutcome: ({ kind, order, observation }, { idempotencyKey }) => {
    const current = orders.get(order.clientOrderId)
    if (current !== undefined) orders.set(order.clientOrderId, reduceOrder(current, observation))
    if (kind === 'paid') console.log('ship it, once:', order.clientOrderId, idempotencyKey)
  },
}

export const callbacks = callbackReceiver({
  merchant: { login, controlKeys: controlKey, client },
  order: known,
  inbox: outcomes.inbox,
  onOutcome: outcomes.onOutcome,
  onRejected: rejection => console.warn(rejection),
})

export const forms = hostedFormOpener({
  client,
  stateSecrets,
  returnUrl: `${SHOP_URL}/payments/return`,
  onCreated: ({ clientOrderId, reply: { orderId } }) => {
    const current = orders.get(clientOrderId) // the callback may have told more already
    if (current !== undefined && orderId !== undefined) orders.set(clientOrderId, { ...current, orderId })
  },
})

export const customers = customerReceiver({
  client,
  stateSecrets,
  controlKeys: controlKey,
  order: known,
  outcomes,
  redirectTo: ({ clientOrderId, view }) => `/orders/${encodeURIComponent(clientOrderId)}?view=${view}`,
  onRejected: rejection => console.warn(rejection),
})

export function orderToPay(clientOrderId: string) {
  if (!orders.has(clientOrderId)) orders.set(clientOrderId, emptyOrder({ clientOrderId }))
  return { clientOrderId, ...price, email: 'joan@customer.example', serverCallbackUrl: `${SHOP_URL}/payments/callback` }
}
