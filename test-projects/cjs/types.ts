import { createClient } from '@tillkit/client'
import { customerReturn, redirectToHostedForm, verifyCallback } from '@tillkit/express-middleware'
import type { AsyncResponse, CaptureRequest } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { createTill, type Till } from '@tillkit/till'
import { postgresStore } from '@tillkit/till/postgres'
import { sqliteStore } from '@tillkit/till/sqlite'

const client = createClient(createFakeGateway().clientOptions)
const capture: (request: CaptureRequest) => Promise<AsyncResponse> = client.capture
// @ts-expect-error amounts are text
client.capture({ clientOrderId: 'o-1', orderId: '77', amount: 1, currency: 'EUR' })

export const till: Till = createTill({
  account: { baseUrl: 'https://gate.example/paynet', endpointId: 39, login: 'merchant', controlKey: 'key' },
  store: sqliteStore('shop.db'),
  address: 'https://shop.example/payments',
  returnTo: ({ reference }) => `/orders/${reference}`,
  onOutcome: async ({ kind, payment }, { transaction }) => {
    await transaction.run`update orders set state = ${kind} where id = ${payment.reference}`
    // @ts-expect-error the transaction is that of the store
    transaction.client
  },
})

export { capture, customerReturn, postgresStore, redirectToHostedForm, verifyCallback }
