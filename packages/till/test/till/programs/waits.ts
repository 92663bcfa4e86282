/** A script that waits: for a payment whose customer never comes, for a round of work, and for the time that a call to pay takes. */

import { createFakeGateway } from '@tillkit/testing'
import { createTill } from '@tillkit/till'
import { memoryStore } from '../../../src/store/memory-store.js'

const gateway = createFakeGateway()
const till = createTill({
  account: gateway.clientOptions,
  store: memoryStore(),
  address: 'http://127.0.0.1:1/payments',
  returnTo: ({ reference }) => `/orders/${reference}`,
  onOutcome: () => undefined,
})
const terms = { amount: '10.00', currency: 'EUR', email: 'joan@customer.example' }
const { kind } = await till.pay({ reference: 'basket-7', ...terms })
const { state } = await till.wait('basket-7', { timeout: 1500 })
process.stdout.write(`${kind} ${state}\n`)
