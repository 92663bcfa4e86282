/**
 * A merchant with a card form of its own and 3DS after it, on loopback: `localhost`, another site than the gateway's.
 *
 * @module
 */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createClient } from '@tillkit/client'
import { memoryStore, type ReceivedOutcome } from '@tillkit/protocol'
import { createFakeGateway, type FakeGatewayOptions } from '@tillkit/testing'
import express from 'express'
import helmet from 'helmet'
import type { Rejection } from '../src/core.js'
import {
  customerBrowser,
  customerBrowserScript,
  customerReturn,
  receiveCallbacks,
  redirectToHostedForm,
  type ThreeDSecureOptions,
  type ThreeDSecureProblem,
  threeDSecure,
} from '../src/index.js'

const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]
const price = { amount: '18.00', currency: 'EUR' } as const

const cardForm = `<!doctype html><title>Shop</title><h1>Pay</h1>
<form method="post" action="/pay" data-customer-browser>
<label>Card number <input name="card"></label><label>CVV <input name="cvv"></label><button>Pay</button></form>
<form method="post" action="/hosted"><button>Pay on the gateway’s page</button></form>
<script src="/browser.js"></script>`

/** What is special about the shop. */
export interface CardShopOptions {
  readonly gateway?: FakeGatewayOptions
  readonly threeDSecure?: Partial<ThreeDSecureOptions>
  /** Whether the gateway takes short addresses only. */
  readonly shortAddresses?: boolean
}

/** Opens the shop. */
export async function openCardShop(options: CardShopOptions = {}) {
  const gateway = createFakeGateway({ processingTime: 0, ...options.gateway })
  const { baseUrl } = await gateway.listen()
  const store = memoryStore({ clock: gateway.clock.now })
  const client = createClient({ ...gateway.clientOptions, store })
  let orders = 0
  const problems: ThreeDSecureProblem[] = []
  const rejections: Rejection[] = []
  const told: string[] = []
  const app = express()
  const server = app.listen(0, 'localhost')
  await once(server, 'listening')
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`

  const onOutcome = ({ kind }: ReceivedOutcome): void => void told.push(kind)
  const visit = {
    client,
    store,
    onOutcome,
    controlKeys: gateway.clientOptions.controlKey,
    stateSecrets,
    shortAddresses: options.shortAddresses === true,
    clock: gateway.clock.now,
    redirectTo: ({ clientOrderId, view }) => `/orders/${clientOrderId}?view=${view}`,
    polling: { attempts: 2, interval: 20 },
    onRejected: rejection => void rejections.push(rejection),
  } satisfies Partial<ThreeDSecureOptions>
  const secure = threeDSecure({
    ...visit,
    address: `${origin}/3ds`,
    onProblem: problem => void problems.push(problem),
    pages: { shopName: 'Tidewater Ceramics' },
    ...options.threeDSecure,
  })

  app.use(helmet({ contentSecurityPolicy: { directives: { formAction: ["'self'", baseUrl.origin] } } }))
  app.use('/3ds', secure)
  app.all('/return/:state', customerReturn(visit))
  app.all('/callback', receiveCallbacks({ merchant: { controlKeys: visit.controlKeys, client }, store, onOutcome }))
  app.get('/', (_request, response) => void response.send(cardForm))
  app.get('/browser.js', (_request, response) => void response.type('text/javascript').send(customerBrowserScript))
  app.post('/pay', express.urlencoded({ extended: false }), async (request, response) => {
    const { card = '', cvv = '' } = request.body as Readonly<Record<string, string>>
    orders += 1
    const clientOrderId = `order-${orders}`
    const redirectUrl = await secure.addressOf(clientOrderId)
    await client.sale({
      ...price,
      ...customerBrowser(request),
      clientOrderId,
      redirectUrl,
      serverCallbackUrl: `${origin}/callback`,
      email: 'joan@customer.example',
      creditCardNumber: card,
      cvv2: cvv,
      cardPrintedName: 'JOAN BAKER',
      expireMonth: '12',
      expireYear: '2031',
    })
    response.redirect(303, redirectUrl)
  })
  app.post(
    '/hosted',
    redirectToHostedForm({
      client,
      stateSecrets,
      redirectHosts: [baseUrl.host],
      returnUrl: `${origin}/return`,
      clock: gateway.clock.now,
      order: () => ({
        ...price,
        clientOrderId: `order-${orders + 1}`,
        email: 'joan@customer.example',
        serverCallbackUrl: `${origin}/callback`,
      }),
    }),
  )
  app.get('/orders/:id', (request, response) => void response.send(`<h1>Order ${request.query.view}</h1>`))

  return {
    origin,
    gateway,
    client,
    secure,
    told,
    problems,
    rejections,
    store,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await client.close()
      await gateway.close()
    },
  }
}

/** An open shop. */
export type CardShop = Awaited<ReturnType<typeof openCardShop>>
