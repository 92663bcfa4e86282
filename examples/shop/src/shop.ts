/**
 * A merchant's Express shop on all of Tillkit.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import type { ClientWithStore } from '@tillkit/client'
import {
  type CustomerReturnOptions,
  customerReturn,
  type ReceiveCallbacksHandler,
  receiveCallbacks,
  redirectToHostedForm,
} from '@tillkit/express-middleware'
import type { OnOutcome } from '@tillkit/express-middleware/core'
import type { SqliteStore, SqliteTransaction } from '@tillkit/till/sqlite'
import express, { type Express, type Request } from 'express'
import { catalog, findProduct } from './catalog.js'
import { type Change, ChangeRefused, changeOrder } from './change-order.js'
import type { Orders, ShopOrder } from './orders.js'
import { errorPage } from './pages/error-page.js'
import { homePage } from './pages/home-page.js'
import { orderPage } from './pages/order-page.js'
import { orderScript } from './pages/order-script.js'
import { orderVersion } from './pages/order-version.js'
import type { OrderView } from './pages/order-view.js'
import { addCardForm, addSecurePages } from './pay-here.js'
import { askAbout, paymentOf } from './payment.js'
import { refuseStrangers } from './refuse-strangers.js'
import { securityHeaders } from './security.js'
import { send } from './send.js'
import { showError } from './show-error.js'
import { whyNotMade } from './why-not-made.js'
import { callbackEntry } from './wire-log.js'

/** What the shop is made of. */
export interface ShopOptions {
  readonly client: ClientWithStore
  /** That of the client: what callbacks, customers and pages learn of a payment is kept there. */
  readonly store: SqliteStore
  readonly orders: Orders
  readonly controlKey: string
  /** Signs the state that travels through the customer's browser; at least 32 bytes. */
  readonly stateSecret: string
  /** Where customers and callbacks reach the shop; behind a proxy, the proxy's address. */
  readonly origin: () => URL
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Address of the gateway, shown in the footer. */
  readonly gatewayAddress: string
  /** Told of every error that a customer was shown a page for, and of what failed in the background. */
  readonly onError: (error: unknown) => void
}

/** The shop. */
export interface Shop {
  readonly app: Express
  /** What works on callbacks, and on what a lost one, a lost answer or a crash left to do. */
  readonly callbacks: Pick<ReceiveCallbacksHandler, 'resume' | 'close'>
}

/** Everything a customer may choose to do with a product. */
const hostedForms = { sale: 'saleForm', preauth: 'preauthForm' } as const

/** Builds the shop. Listening is left to the caller. */
export function createShop(options: ShopOptions): Shop {
  const { client, store, orders, controlKey, clock, gatewayAddress, onError } = options
  // Whoever learns of an outcome first, a callback, the customer's return or a page: it is told here, once.
  const onOutcome: OnOutcome<SqliteTransaction> = async ({ kind, reference, stage }, { transaction }) => {
    if (kind === 'paid')
      await transaction.run`update orders set parcel = 'packed' where id = ${reference} and parcel = 'not packed'`
    if (kind === 'disputed' || stage.stage === 'chargeback')
      await transaction.run`update orders set parcel = 'stopped' where id = ${reference}`
  }
  const telling = { client, store, onOutcome }
  const viewOf = async (order: ShopOrder, needsPerson = false): Promise<OrderView> => {
    return { ...order, ...(await paymentOf(client, order.clientOrderId)), needsPerson }
  }
  /** What is known of an order once status was asked, at most once a second unless a change was not answered. */
  const look = async (clientOrderId: string): Promise<OrderView | undefined> => {
    const before = orders.find(clientOrderId)
    if (before === undefined) return undefined
    const view = await viewOf(before)
    if (wasJustAsked(view, clock()) && view.open.every(({ state }) => state !== 'unknown')) return view
    const needsPerson = await askAbout(clientOrderId, telling)
    return viewOf(orders.find(clientOrderId) ?? before, needsPerson)
  }
  const stateSecrets = [{ id: 'shop-1', secret: options.stateSecret }]
  const address = (path: string) => new URL(path, options.origin())
  const shop = express()
  shop.disable('x-powered-by')
  shop.use(securityHeaders([new URL(client.baseUrl).host]))

  // The customer comes back. Their browser is not believed; status is.
  const visit = {
    ...telling,
    stateSecrets,
    controlKeys: controlKey,
    redirectTo: ({ clientOrderId }) => `/orders/${encodeURIComponent(clientOrderId)}`,
    polling: { attempts: 1 },
    clock,
  } satisfies CustomerReturnOptions<SqliteTransaction>
  shop.all('/payments/return/:state', customerReturn(visit))

  const secure = addSecurePages(shop, { visit, address, onError })

  // The gateway calls back. A verified callback is a hint that makes us ask; a refused one makes us do nothing.
  const log = (request: Request, verdict: 'verified' | 'refused', explanation: string) => {
    const parameters = new URLSearchParams(request.originalUrl.split('?').slice(1).join('?'))
    const entry = callbackEntry({ at: clock(), verdict, explanation, parameters })
    orders.log(parameters.get('merchant_order') ?? '', entry)
  }
  const callbacks = receiveCallbacks({
    merchant: { controlKeys: controlKey, client },
    store,
    onOutcome,
    onReport: ({ kind, explanation, cause }, request) => {
      if (request !== undefined) log(request, 'verified', `The control value matches. ${explanation}`)
      else if (kind === 'failed') onError(new Error(explanation, { cause }))
    },
    onRejected: ({ explanation }, request) => log(request, 'refused', explanation),
    clock,
  })
  shop.all('/payments/callback', callbacks)

  // Up to here other sites send customers and callbacks, each with a signature. What follows is for pages of the shop.
  shop.use(refuseStrangers(options.origin))

  shop.get('/', async (_request, response) => {
    response.set('Cache-Control', 'no-store')
    const latest = await Promise.all(orders.latest(6).map(order => viewOf(order)))
    send(response, homePage({ catalog, latest, gatewayAddress, ticket: randomUUID() }))
  })

  shop.get('/order-page.js', (_request, response) => {
    response.type('text/javascript').send(orderScript)
  })

  // The customer chooses something: an order is made, and they go to the gateway's page to pay for it.
  shop.post(
    '/orders',
    express.urlencoded({ extended: false }),
    redirectToHostedForm({
      client,
      operation: request => hostedForms[kindOf(request)],
      order: async (request, response) => {
        const product = findProduct(String(request.body?.product))
        if (product === undefined) throw new ChangeRefused('There is no such product. Go back and choose another.')
        const { clientOrderId } = orders.create(product, kindOf(request), String(request.body?.ticket ?? ''))
        const { order } = await paymentOf(client, clientOrderId)
        if (order.stages.some(({ outcome }) => outcome !== undefined)) {
          // Back on the shelf after paying: the button of that page is used up.
          response.redirect(303, `/orders/${encodeURIComponent(clientOrderId)}`)
          return undefined
        }
        return {
          clientOrderId,
          orderDesc: product.name,
          amount: product.price,
          currency: product.currency,
          email: 'customer@shop.example',
          ipAddress: request.ip ?? '127.0.0.1',
          // It hears of captures, returns and chargebacks too, as `serverCallbackUrl` does not.
          notifyUrl: address('/payments/callback').href,
        }
      },
      returnUrl: () => address('/payments/return'),
      stateSecrets,
      clock,
      onFailed: ({ error, clientOrderId }, _request, response) => {
        if (clientOrderId === undefined) throw error
        onError(error)
        const notMade = whyNotMade(error, { isForm: true })
        if (notMade !== undefined) orders.notMade(clientOrderId, notMade)
        response.redirect(303, `/orders/${encodeURIComponent(clientOrderId)}`)
      },
    }),
  )

  // Or they pay with a card form of the shop's own, and the bank may ask them something.
  addCardForm(shop, { client, orders, secure, address, newTicket: randomUUID, gatewayAddress })

  shop.get('/orders/:id', async (request, response, next) => {
    const view = await look(request.params.id)
    if (view === undefined) return next()
    if (view.notice !== undefined) orders.notice(view.clientOrderId, null)
    send(response, orderPage(view, { gatewayAddress }))
  })

  // What the order page asks for while it waits: a text that changes when there is something new to see.
  shop.get('/orders/:id/version', async (request, response, next) => {
    const view = await look(request.params.id)
    if (view === undefined) return next()
    response.set('Cache-Control', 'no-store').type('text').send(orderVersion(view))
  })

  for (const change of ['capture', 'void', 'return'] as const satisfies readonly Change[]) {
    shop.post(`/orders/:id/${change}`, express.urlencoded({ extended: false }), async (request, response) => {
      const id = String(request.params.id)
      const amount = String(request.body?.amount ?? '').trim()
      const seenStages = Number.parseInt(request.body?.stages, 10)
      try {
        await changeOrder(id, { change, seenStages, ...(amount === '' ? {} : { amount }) }, client)
      } catch (error) {
        if (!(error instanceof ChangeRefused) || orders.find(id) === undefined) throw error
        orders.notice(id, error.message)
      }
      response.redirect(303, `/orders/${encodeURIComponent(id)}`)
    })
  }

  shop.use('/orders/:id', ({ params }, response) => {
    const text = `We have no order ${params.id}: the number is wrong, or this shop was started anew since, with an empty database. That does not say whether something was paid. If you have paid, please do not pay again: ask us with this number, and we ask the gateway.`
    send(response.status(404), errorPage({ title: 'We do not know this order', text }))
  })

  shop.use((_request, response) => {
    send(response.status(404), errorPage({ title: 'Nothing here', text: 'This page is not on our shelves.' }))
  })
  shop.use(showError({ onError, publicAddress: options.origin }))
  return { app: shop, callbacks }
}

/** Whether status was asked within the last second, as it is when a customer comes back. */
function wasJustAsked({ wire }: ShopOrder, now: number): boolean {
  const last = wire.at(-1)
  return last?.kind === 'exchange' && last.exchange.operation === 'status' && now - last.at < 1_000
}

/** Sale unless the customer asked to reserve. */
function kindOf(request: Request): keyof typeof hostedForms {
  return request.body?.kind === 'preauth' ? 'preauth' : 'sale'
}
