/**
 * A merchant's Express shop on all of Tillkit.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import type { Client } from '@tillkit/client'
import {
  type CustomerReturnOptions,
  customerReturn,
  receiveCallbacks,
  redirectToHostedForm,
} from '@tillkit/express-middleware'
import { type CallbackIds, memoryInbox, type VisitOutcomes } from '@tillkit/express-middleware/core'
import express, { type Express, type Request } from 'express'
import { catalog, findProduct } from './catalog.js'
import { type Change, ChangeRefused, changeOrder } from './change-order.js'
import { keepAsking } from './keep-asking.js'
import { noteFailure } from './note-failure.js'
import type { Orders, ShopOrder } from './orders.js'
import { errorPage } from './pages/error-page.js'
import { homePage } from './pages/home-page.js'
import { orderPage } from './pages/order-page.js'
import { orderScript } from './pages/order-script.js'
import { orderVersion } from './pages/order-version.js'
import { addCardForm, addSecurePages } from './pay-here.js'
import { refuseStrangers } from './refuse-strangers.js'
import { securityHeaders } from './security.js'
import { send } from './send.js'
import { applyOutcome, awaitedOrder, settleOrder } from './settle-order.js'
import { showError } from './show-error.js'
import { logCallback } from './wire-log.js'

/** What the shop is made of. */
export interface ShopOptions {
  readonly client: Client
  readonly orders: Orders
  readonly login: string
  readonly controlKey: string
  /** Signs the state that travels through the customer's browser; at least 32 bytes. */
  readonly stateSecret: string
  /** Hosts of the gateway's pages that customers may be sent to. */
  readonly gatewayHosts: readonly string[]
  /** Where customers and callbacks reach the shop; behind a proxy, the proxy's address. */
  readonly origin: () => URL
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Address of the gateway, shown in the footer. */
  readonly gatewayAddress: string
  /** Told of every error that a customer was shown a page for, and of what failed in the background. */
  readonly onError: (error: unknown) => void
  /** Ends what the shop does in the background. */
  readonly stopping: AbortSignal
}

/** Everything a customer may choose to do with a product. */
const hostedForms = { sale: 'saleForm', preauth: 'preauthForm' } as const

/** A customer on the gateway's page is not asked about sooner, in milliseconds: the callback or their return comes first. */
const timeToPay = 30_000

/** Builds the shop. Listening is left to the caller. */
export function createShop(options: ShopOptions): Express {
  const { client, orders, login, controlKey, clock } = options
  // One door: whoever learns of an outcome first, a callback, the customer's return or a page, it is told once.
  const outcomes: VisitOutcomes = {
    login,
    inbox: memoryInbox(),
    onOutcome: outcome => applyOutcome(orders, outcome),
  }
  const { gatewayAddress, onError, stopping } = options
  const context = { client, orders, outcomes, clock, onError, stopping }
  const askAbout = keepAsking(context)
  const awaited = ({ clientOrderId }: Pick<CallbackIds, 'clientOrderId'>) => {
    const found = orders.find(clientOrderId)
    return found && awaitedOrder(found)
  }
  /** Where the request was refused there is nothing to wait for; a callback about it would be asked about all the same. */
  const visited = (ids: Pick<CallbackIds, 'clientOrderId'>) => {
    const found = orders.find(ids.clientOrderId)
    return found?.notMade === undefined ? awaited(ids) : { order: found.order, expected: [] }
  }
  const stateSecrets = [{ id: 'shop-1', secret: options.stateSecret }]
  const address = (path: string) => new URL(path, options.origin())
  const shop = express()
  shop.disable('x-powered-by')
  shop.use(securityHeaders(options.gatewayHosts))

  // The customer comes back. Their browser is not believed; status is.
  const visit = {
    stateSecrets,
    controlKeys: controlKey,
    order: visited,
    outcomes,
    redirectTo: ({ clientOrderId }) => `/orders/${encodeURIComponent(clientOrderId)}`,
    polling: { attempts: 1 },
    clock,
  } satisfies Omit<CustomerReturnOptions, 'client'>
  shop.all('/payments/return/:state', customerReturn({ ...visit, client }))

  const secure = addSecurePages(shop, { client, visit, address, onError })

  // The gateway calls back. A verified callback is a hint that makes us ask; a refused one makes us do nothing.
  const log = (request: Request, verdict: 'verified' | 'refused', explanation: string) => {
    const parameters = new URLSearchParams(request.originalUrl.split('?').slice(1).join('?'))
    logCallback(orders, parameters.get('merchant_order') ?? '', { at: clock(), verdict, explanation, parameters })
  }
  shop.all(
    '/payments/callback',
    receiveCallbacks({
      merchant: { login, controlKeys: controlKey, client },
      inbox: outcomes.inbox,
      order: awaited,
      onOutcome: outcomes.onOutcome,
      onReport: ({ explanation }, request) =>
        request && log(request, 'verified', `The control value matches. ${explanation}`),
      onRejected: ({ explanation }, request) => log(request, 'refused', explanation),
      clock,
    }),
  )

  // Up to here other sites send customers and callbacks, each with a signature. What follows is for pages of the shop.
  shop.use(refuseStrangers(options.origin))

  shop.get('/', (_request, response) => {
    response.set('Cache-Control', 'no-store')
    send(response, homePage({ catalog, latest: orders.latest(6), gatewayAddress, ticket: randomUUID() }))
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
      order: (request, response) => {
        const product = findProduct(String(request.body?.product))
        if (product === undefined) throw new ChangeRefused('There is no such product. Go back and choose another.')
        const { order } = orders.create(product, kindOf(request), String(request.body?.ticket ?? ''))
        if (order.stages.some(({ outcome }) => outcome !== undefined)) {
          // Back on the shelf after paying: the button of that page is used up.
          response.redirect(303, `/orders/${encodeURIComponent(order.clientOrderId)}`)
          return undefined
        }
        return {
          clientOrderId: order.clientOrderId,
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
      redirectHosts: options.gatewayHosts,
      clock,
      onCreated: ({ clientOrderId, reply }) => {
        const { orderId, redirectUrl: formUrl } = reply
        const ids = orderId === undefined ? {} : { orderId }
        orders.update(clientOrderId, current => ({ ...current, formUrl, order: { ...current.order, ...ids } }))
        askAbout(clientOrderId, timeToPay)
      },
      onFailed: ({ error, clientOrderId }, _request, response) => {
        if (clientOrderId === undefined) throw error
        onError(error)
        // Customers must not be sent to this address, so it is not kept.
        orders.update(clientOrderId, ({ formUrl: _refused, ...current }) => current)
        noteFailure(orders, clientOrderId, error, { isForm: true })
        askAbout(clientOrderId)
        response.redirect(303, `/orders/${encodeURIComponent(clientOrderId)}`)
      },
    }),
  )

  // Or they pay with a card form of the shop's own, and the bank may ask them something.
  addCardForm(shop, { client, orders, secure, address, keepAsking: askAbout, newTicket: randomUUID, gatewayAddress })

  shop.get('/orders/:id', async (request, response, next) => {
    const { id } = request.params
    if (!wasJustAsked(orders.find(id), clock())) await settleOrder(id, context)
    const found = orders.find(id)
    if (found === undefined) return next()
    orders.update(id, current => ({ ...current, notice: undefined }))
    send(response, orderPage(found, { gatewayAddress }))
  })

  // What the order page asks for while it waits: a text that changes when there is something new to see.
  shop.get('/orders/:id/version', async (request, response, next) => {
    await settleOrder(request.params.id, context)
    const found = orders.find(request.params.id)
    if (found === undefined) return next()
    response.set('Cache-Control', 'no-store').type('text').send(orderVersion(found))
  })

  for (const change of ['capture', 'void', 'return'] as const satisfies readonly Change[]) {
    shop.post(`/orders/:id/${change}`, express.urlencoded({ extended: false }), async (request, response) => {
      const id = String(request.params.id)
      const amount = String(request.body?.amount ?? '').trim()
      const seenStages = Number.parseInt(request.body?.stages, 10)
      try {
        await changeOrder(id, { change, seenStages, ...(amount === '' ? {} : { amount }) }, context)
        askAbout(id)
      } catch (error) {
        if (!(error instanceof ChangeRefused) || orders.find(id) === undefined) throw error
        orders.update(id, current => ({ ...current, notice: error.message }))
      }
      response.redirect(303, `/orders/${encodeURIComponent(id)}`)
    })
  }

  shop.use('/orders/:id', ({ params }, response) => {
    const text = `We have no order ${params.id}: the number is wrong, or this shop was started anew since, for it keeps its orders in memory. That does not say whether something was paid. If you have paid, please do not pay again: ask us with this number, and we ask the gateway.`
    send(response.status(404), errorPage({ title: 'We do not know this order', text }))
  })

  shop.use((_request, response) => {
    send(response.status(404), errorPage({ title: 'Nothing here', text: 'This page is not on our shelves.' }))
  })
  shop.use(showError({ onError, publicAddress: options.origin }))
  return shop
}

/** Whether status was asked within the last second, as it is when a customer comes back. */
function wasJustAsked(order: ShopOrder | undefined, now: number): boolean {
  const last = order?.wire.at(-1)
  return last?.kind === 'exchange' && last.exchange.operation === 'status' && now - last.at < 1_000
}

/** Sale unless the customer asked to reserve. */
function kindOf(request: Request): keyof typeof hostedForms {
  return request.body?.kind === 'preauth' ? 'preauth' : 'sale'
}
