/**
 * A merchant with a card form of its own and 3DS after it, on loopback: `localhost`, another site than the gateway's.
 *
 * @module
 */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createClient } from '@tillkit/client'
import { emptyOrder, memoryStore, type Order, reduceOrder } from '@tillkit/protocol'
import { createFakeGateway, type FakeGatewayOptions } from '@tillkit/testing'
import express from 'express'
import helmet from 'helmet'
import { memoryInbox, memoryReferences, type Rejection, type VisitOutcomes } from '../src/core.js'
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
const expected = { stages: ['sale'], ...price } as const

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
  readonly references?: boolean
}

/** Opens the shop. */
export async function openCardShop(options: CardShopOptions = {}) {
  const gateway = createFakeGateway({ processingTime: 0, ...options.gateway })
  const { baseUrl } = await gateway.listen()
  const client = createClient({ ...gateway.clientOptions, store: memoryStore() })
  const orders = new Map<string, Order>()
  const problems: ThreeDSecureProblem[] = []
  const rejections: Rejection[] = []
  const told: string[] = []
  const app = express()
  const server = app.listen(0, 'localhost')
  await once(server, 'listening')
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`

  const outcomes: VisitOutcomes = {
    login: gateway.clientOptions.login,
    inbox: memoryInbox(),
    onOutcome: ({ kind, order: { clientOrderId }, observation }) => {
      told.push(kind)
      const current = orders.get(clientOrderId)
      if (current !== undefined) orders.set(clientOrderId, reduceOrder(current, observation))
    },
  }
  const visit = {
    client,
    controlKeys: gateway.clientOptions.controlKey,
    stateSecrets,
    ...(options.references === true ? { references: memoryReferences() } : {}),
    clock: gateway.clock.now,
    order: ({ clientOrderId }: { readonly clientOrderId: string }) => {
      const order = orders.get(clientOrderId)
      return order && { order, expected }
    },
    outcomes,
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
  app.all(
    '/callback',
    receiveCallbacks({
      merchant: { login: outcomes.login, controlKeys: visit.controlKeys, client },
      order: visit.order,
      inbox: outcomes.inbox,
      onOutcome: outcomes.onOutcome,
    }),
  )
  app.get('/', (_request, response) => void response.send(cardForm))
  app.get('/browser.js', (_request, response) => void response.type('text/javascript').send(customerBrowserScript))
  app.post('/pay', express.urlencoded({ extended: false }), async (request, response) => {
    const { card = '', cvv = '' } = request.body as Readonly<Record<string, string>>
    const clientOrderId = `order-${orders.size + 1}`
    orders.set(clientOrderId, emptyOrder({ clientOrderId }))
    const redirectUrl = await secure.addressOf(clientOrderId)
    const { orderId } = await client.sale({
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
    orders.set(clientOrderId, emptyOrder({ clientOrderId, orderId }))
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
      order: () => {
        const [pending] = [...orders.values()].filter(({ stages }) => stages.length === 0)
        const order = pending ?? emptyOrder({ clientOrderId: `order-${orders.size + 1}` })
        orders.set(order.clientOrderId, order)
        const serverCallbackUrl = `${origin}/callback`
        return { ...price, clientOrderId: order.clientOrderId, email: 'joan@customer.example', serverCallbackUrl }
      },
      onCreated: ({ clientOrderId, reply: { orderId } }) => {
        if (orderId !== undefined) orders.set(clientOrderId, emptyOrder({ clientOrderId, orderId }))
      },
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
    order: (clientOrderId = 'order-1') => orders.get(clientOrderId),
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
