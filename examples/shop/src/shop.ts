/** A merchant's Express shop on a till. */
import { randomUUID } from 'node:crypto'
import { createTill, orderPlace, type Till, type TillAccount, type TillOptions } from '@tillkit/till'
import express, { type Express, type Request, type Response } from 'express'
import { catalog, findProduct } from './catalog.js'
import { changeOrder } from './change-order.js'
import type { Database } from './database.js'
import { decide } from './decide.js'
import { noteOutcome, type Orders, type ShopOrder } from './orders.js'
import { homePage } from './pages/home-page.js'
import { send } from './pages/html.js'
import { shopName } from './pages/layout.js'
import { merchantPage } from './pages/merchant-page.js'
import { orderPage } from './pages/order-page.js'
import { type OrderView, orderScript, orderVersion } from './pages/order-view.js'
import { type Customer, cardForm, typed } from './pay-here.js'
import { refuseStrangers } from './refuse-strangers.js'
import { securityHeaders } from './security.js'
import { errorPage, NotDone, showError } from './show-error.js'
import { whyNotMade } from './why-not-made.js'

/** What the shop is made of. */
export interface ShopOptions {
  readonly account: TillAccount
  readonly database: Database
  readonly orders: Orders
  /** Where customers and callbacks reach the shop; behind a proxy, the proxy's address. */
  readonly origin: URL
  /** The dashboard of the gateway, where this process has started one of its own. */
  readonly dashboard?: URL | undefined
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** More about how the till works. */
  readonly till?: Pick<TillOptions, 'wait' | 'handlerTimeout'> | undefined
  /** Told of every error that a customer was shown a page for. */
  readonly onError: (error: unknown) => void
}

/** The shop, and the till that takes its payments. */
export interface Shop {
  readonly app: Express
  readonly till: Till
}

/** Builds the shop. Listening is left to the caller. */
export function createShop({
  account,
  database,
  orders,
  origin,
  dashboard,
  clock,
  till: tillOptions,
  onError,
}: ShopOptions): Shop {
  const till = createTill({
    account,
    store: database.store,
    address: new URL('/payments', origin).href,
    returnTo: ({ reference }) => `/orders/${reference}`,
    payAgain: ({ reference }) => `/orders/${reference}/pay`,
    onOutcome: (outcome, { transaction }) => noteOutcome(outcome, transaction),
    pages: {
      shopName,
      contact: 'help@tidewater.example',
      accent: { light: '#2f6f73', dark: '#7cc4c6' },
    },
    onReport({ kind, explanation, cause }) {
      if (kind === 'failed') onError(new Error(explanation, { cause }))
    },
    // A quarter of an hour without an end, and a person is asked.
    patience: 900_000,
    clock,
    ...tillOptions,
  })

  /** Pays for an order: the first time, and again. @returns Where the customer goes next. */
  const pay = async ({ id, kind, product }: ShopOrder, customer: Customer): Promise<string> => {
    const { name: orderDesc, price: amount, currency } = product
    const hold = kind === 'preauth'
    const { address } = await till.pay({ reference: id, hold, orderDesc, amount, currency, ...customer })
    return address
  }
  const viewOf = async (order: ShopOrder): Promise<OrderView> => ({ order, payment: await till.payment(order.id) })
  const find = async (id: string): Promise<OrderView | undefined> => {
    // The gateway knows it by the order of the last try: `T7.2r` is of `T7`.
    const order = await orders.find(orderPlace(id).reference)
    return order === undefined ? undefined : viewOf(order)
  }

  /** A page or a button of an order; where there is none, the page for that comes last. */
  const ofOrder =
    (answer: (view: OrderView, request: Request<{ id: string }>, response: Response) => Promise<unknown>) =>
    async (request: Request<{ id: string }>, response: Response, next: () => void) => {
      const view = await find(request.params.id)
      if (view === undefined) return next()
      response.set('Cache-Control', 'no-store')
      await answer(view, request, response)
    }
  /** After a button: the merchant's page, which says why nothing was done. */
  const toMerchant = async (response: Response, { order }: OrderView, notice: string | undefined): Promise<void> => {
    if (notice !== undefined) await orders.notice(order.id, 'merchant', notice)
    response.redirect(303, `/merchant/orders/${order.id}`)
  }

  const gatewayAddress = new URL(account.baseUrl).href
  const shop = express()
  shop.disable('x-powered-by')
  shop.use(securityHeaders([new URL(account.baseUrl).host]))

  // Callbacks, the customer's return, 3DS. Other sites send these, each with a signature; what follows is for pages of the shop.
  shop.use('/payments', till.express())
  shop.use(refuseStrangers(() => origin))
  const form = express.urlencoded({ extended: false })

  shop.get('/', async (_request, response) => {
    response.set('Cache-Control', 'no-store')
    const latest = await Promise.all((await orders.latest(6)).map(viewOf))
    send(response, homePage({ catalog, latest, gatewayAddress, ticket: randomUUID() }))
  })

  shop.get('/order-page.js', (_request, response) => {
    response.type('text/javascript').send(orderScript)
  })

  /** Sends the customer on to pay, or to the page of the order, which says why not. */
  const payOnForm = async (order: ShopOrder, ip = '127.0.0.1'): Promise<string> => {
    try {
      return await pay(order, { email: 'customer@shop.example', ipAddress: ip })
    } catch (error) {
      onError(error)
      const why = whyNotMade(error, 'customer')
      if (why === undefined) throw error
      await orders.notice(order.id, 'customer', why)
      return `/orders/${order.id}`
    }
  }

  // The customer chooses something: an order is made, and they go to the gateway's page to pay for it.
  shop.post('/orders', form, async (request, response) => {
    const product = findProduct(typed(request, 'product'))
    if (product === undefined) throw new NotDone('There is no such product. Go back and choose another.')
    const kind = typed(request, 'kind') === 'preauth' ? 'preauth' : 'sale'
    const order = await orders.create(product, kind, typed(request, 'ticket'))
    response.redirect(303, await payOnForm(order, request.ip))
  })

  // Or they come back: to a form that they left, or with another card after a decline.
  shop.post('/orders/:id/pay', async (request, response, next) => {
    const order = await orders.find(request.params.id)
    if (order === undefined) return next()
    response.redirect(303, await payOnForm(order, request.ip))
  })

  // Or they pay with a card form of the shop's own, and the bank may ask them something.
  shop.use(cardForm({ orders, pay, newTicket: randomUUID, gatewayAddress, clock }))

  shop.get(
    '/orders/:id',
    ofOrder(async (view, _request, response) => {
      const { id, notice } = view.order
      if (notice !== undefined) await orders.notice(id, 'customer', null)
      send(response, orderPage(view, gatewayAddress))
    }),
  )

  // What its pages ask for while it waits: a text that changes when there is something new to see.
  shop.get(
    '/orders/:id/version',
    ofOrder(async (view, _request, response) => response.type('text').send(orderVersion(view))),
  )

  // The merchant's side. In a shop of your own it is behind your login.
  shop.get(
    '/merchant/orders/:id',
    ofOrder(async (view, _request, response) => {
      const { id, merchantNotice } = view.order
      if (merchantNotice !== undefined) await orders.notice(id, 'merchant', null)
      const questions = await till.questions(id)
      send(response, merchantPage(view, { gatewayAddress, dashboard, questions, click: randomUUID() }))
    }),
  )

  for (const name of ['capture', 'return', 'void'] as const) {
    const press = ofOrder(async (view, request, response) => {
      const [amount, key, of] = [typed(request, 'amount'), typed(request, 'click'), typed(request, 'of')]
      await toMerchant(response, view, await changeOrder(view, { till, name, amount, key, of }))
    })
    shop.post(`/merchant/orders/:id/${name}`, form, press)
  }

  // The till asks by itself while something is open. A merchant may want to know of a chargeback whose callback was lost.
  const ask = ofOrder(async (view, _request, response) => {
    const { order } = view
    const isSame = orderVersion({ order, payment: await till.ask(order.id) }) === orderVersion(view)
    await toMerchant(response, view, isSame ? 'The gateway was asked just now, and nothing is new.' : undefined)
  })
  shop.post('/merchant/orders/:id/ask', ask)

  // What no machine can know any more, a person says. In a shop of your own `who` is the name that they logged in with.
  const answer = ofOrder(async (view, request, response) => {
    const given = { till, who: 'merchant', typed: (name: string) => typed(request, name) }
    await toMerchant(response, view, await decide(view, given))
  })
  shop.post('/merchant/orders/:id/decide', form, answer)

  shop.use(['/orders/:id', '/merchant/orders/:id'], ({ params }, response) => {
    const text =
      `We have no order ${params.id}: ` +
      'the number is wrong, or this shop was started anew since, with an empty database. ' +
      'That does not say whether something was paid. ' +
      'If you have paid, please do not pay again: ask us with this number, and we ask the gateway.'
    send(response.status(404), errorPage({ title: 'We do not know this order', text }))
  })

  shop.use((_request, response) => {
    send(response.status(404), errorPage({ title: 'Nothing here', text: 'This page is not on our shelves.' }))
  })
  shop.use(showError({ onError, publicAddress: () => origin }))
  return { app: shop, till }
}
