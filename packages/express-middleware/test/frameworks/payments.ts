import { createClient } from '@tillkit/client'
import { memoryStore } from '@tillkit/protocol'
import { callbackReceiver, customerReceiver, hostedFormOpener, type OnOutcome } from '@tillkit/express-middleware/core'

const { TILLKIT_BASE_URL = '', TILLKIT_LOGIN: login = '', TILLKIT_CONTROL_KEY: controlKey = '' } = process.env
const { SHOP_URL = '', STATE_SECRET = '' } = process.env // the secret: 32 bytes or more, not the control key
const store = memoryStore() // for a trial; sqliteStore(file) or postgresStore(pool) in production
const client = createClient({ baseUrl: TILLKIT_BASE_URL, endpointId: 39, login, controlKey, store })
const stateSecrets = [{ id: '2026-11', secret: STATE_SECRET }]

// Told of every outcome, whether the customer or the callback brings it.
const onOutcome: OnOutcome = ({ kind, reference }, { idempotencyKey }) => {
  if (kind === 'paid') console.log('ship it, once:', reference, idempotencyKey)
}

export const callbacks = callbackReceiver({
  merchant: { controlKeys: controlKey, client },
  store,
  onOutcome,
  onRejected: rejection => console.warn(rejection),
})

export const forms = hostedFormOpener({ client, stateSecrets, returnUrl: `${SHOP_URL}/payments/return` })

export const customers = customerReceiver({
  client,
  store,
  onOutcome,
  stateSecrets,
  controlKeys: controlKey,
  redirectTo: ({ clientOrderId, view }) => `/orders/${encodeURIComponent(clientOrderId)}?view=${view}`,
  onRejected: rejection => console.warn(rejection),
})

export function orderToPay(clientOrderId: string) {
  const price = { amount: '10.00', currency: 'EUR' } // yours is in a database
  return { clientOrderId, ...price, email: 'joan@customer.example', serverCallbackUrl: `${SHOP_URL}/payments/callback` }
}
