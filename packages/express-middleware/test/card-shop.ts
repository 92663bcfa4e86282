/**
 * A merchant with a card form of its own and 3DS after it, on loopback: `localhost`, another site than the gateway's.
 *
 * @module
 */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@tillkit/client'
import { memoryStore, type ReceivedOutcome, type Store } from '@tillkit/protocol'
import { createFakeGateway, type FakeGatewayOptions } from '@tillkit/testing'
import express, { type Express } from 'express'
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
  /**
   * Processes that take requests in turn: how far the clock of each is before that of the store, in milliseconds. Default: one
   * process, whose clock is right.
   */
  readonly processes?: readonly number[]
  /** The store as a process has it. Default: as it is. */
  readonly storeOf?: (store: Store, process: number) => Store
}

/** Opens the shop. */
export async function openCardShop(options: CardShopOptions = {}) {
  const gateway = createFakeGateway({ processingTime: 0, ...options.gateway })
  const { baseUrl } = await gateway.listen()
  const store = memoryStore({ clock: gateway.clock.now })
  let orders = 0
  const problems: ThreeDSecureProblem[] = []
  const rejections: Rejection[] = []
  const told: string[] = []
  const apps: Express[] = []
  let turn = -1
  const server = createServer((request, response) => {
    turn = (turn + 1) % apps.length
    // `end` breaks connections: one that is kept could be taken for the next request before its customer sees that.
    response.setHeader('Connection', 'close')
    apps[turn]?.(request, response)
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const onOutcome = ({ kind }: ReceivedOutcome): void => void told.push(kind)

  const openProcess = (ahead: number, process: number) => {
    const clock = () => gateway.clock.now() + ahead
    const own = options.storeOf?.(store, process) ?? store
    const client = createClient({ ...gateway.clientOptions, clock, store: own })
    const app = express()
    apps.push(app)
    const visit = {
      client,
      store: own,
      onOutcome,
      controlKeys: gateway.clientOptions.controlKey,
      stateSecrets,
      shortAddresses: options.shortAddresses === true,
      clock,
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
      receiveCallbacks({ merchant: { controlKeys: visit.controlKeys, client }, store: own, onOutcome }),
    )
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
        store: own,
        shortAddresses: visit.shortAddresses,
        redirectHosts: [baseUrl.host],
        returnUrl: `${origin}/return`,
        clock,
        order: () => ({
          ...price,
          clientOrderId: `order-${orders + 1}`,
          email: 'joan@customer.example',
          serverCallbackUrl: `${origin}/callback`,
        }),
      }),
    )
    app.get('/orders/:id', (request, response) => void response.send(`<h1>Order ${request.query.view}</h1>`))
    return { client, secure }
  }
  const { processes = [0] } = options
  const opened = processes.map(openProcess)

  return {
    origin,
    gateway,
    /** Addresses of 3DS, as the first process gives them. */
    addressOf: (clientOrderId: string) => opened[0]?.secure.addressOf(clientOrderId) ?? '',
    /** Breaks every connection, and sends requests to the other processes from now on. Nobody closes the client of a dead one. */
    end: (process: number) => {
      apps.splice(process, 1)
      opened.splice(process, 1)
      server.closeAllConnections()
    },
    told,
    problems,
    rejections,
    store,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      for (const { client } of opened) await client.close()
      await gateway.close()
    },
  }
}

/** An open shop. */
export type CardShop = Awaited<ReturnType<typeof openCardShop>>
