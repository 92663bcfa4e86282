/**
 * Paying with the shop's own card form. 3DS between the shop and the bank is the till's.
 *
 * The card number goes through this process and nowhere else: it is in no order, no log and no page.
 */
import { customerBrowser, customerBrowserScript } from '@tillkit/express-middleware'
import type { PayRequest } from '@tillkit/till'
import express, { type Request, Router } from 'express'
import { findProduct } from './catalog.js'
import { type CardMistakes, checkCard } from './check-card.js'
import type { Orders, ShopOrder } from './orders.js'
import { cardPage } from './pages/card-page.js'
import { send } from './pages/html.js'
import { NotDone } from './show-error.js'
import { whyNotMade } from './why-not-made.js'

/** What paying here needs. */
export interface CardFormOptions {
  readonly orders: Orders
  readonly newTicket: () => string
  readonly gatewayAddress: string
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Pays for an order. @returns Where the customer goes next. */
  readonly pay: (order: ShopOrder, customer: Customer) => Promise<string>
}

/** What is known of a customer, and of the card where they typed one here. */
export type Customer = Omit<PayRequest, 'reference' | 'hold' | 'amount' | 'currency' | 'orderDesc'>

/** The card form and the sale. */
export function cardForm({ orders, newTicket, gatewayAddress, clock, pay }: CardFormOptions): Router {
  const router = Router()
  router.get('/customer-browser.js', (_request, response) => {
    response.type('text/javascript').send(customerBrowserScript)
  })

  router.get('/pay-here/:product', async (request, response, next) => {
    const product = findProduct(request.params.product)
    if (product === undefined) return next()
    const before = await orders.find(String(request.query.after ?? ''))
    if (before?.notice !== undefined) await orders.notice(before.id, 'customer', null)
    response.set('Cache-Control', 'no-store')
    send(response, cardPage({ product, ticket: before?.ticket ?? newTicket(), gatewayAddress, notice: before?.notice }))
  })

  router.post('/pay-here/:product', express.urlencoded({ extended: false }), async (request, response) => {
    const product = findProduct(String(request.params.product))
    if (product === undefined) throw new NotDone('There is no such product. Go back and choose another.')
    const ticket = typed(request, 'ticket')
    const mistakes = mistakesOf(request, clock())
    if (Object.keys(mistakes).length > 0) {
      const [name, month, year] = [typed(request, 'name'), typed(request, 'month'), typed(request, 'year')]
      const shown = { product, ticket, gatewayAddress, notice: undefined, mistakes, typed: { name, month, year } }
      return send(response.status(422).set('Cache-Control', 'no-store'), cardPage(shown))
    }
    const order = await orders.create(product, 'sale', ticket)
    try {
      response.redirect(303, await pay(order, { ...customerBrowser(request), ...cardOf(request) }))
    } catch (error) {
      const why = whyNotMade(error, 'customer')
      if (why === undefined) throw error
      // The form again, which says why. Another card is another try at the same payment.
      await orders.notice(order.id, 'customer', `${why} Check the number of the card, its date and the CVV.`)
      response.redirect(303, `/pay-here/${product.id}?after=${order.id}`)
    }
  })
  return router
}

/** Nothing is made or sent of a card that cannot be one. */
function mistakesOf(request: Request, now: number): CardMistakes {
  const {
    creditCardNumber: number,
    cardPrintedName: name,
    expireMonth: month,
    expireYear: year,
    cvv2,
  } = cardOf(request)
  return checkCard({ number, name, month, year, cvv2 }, now)
}

/** The card as its holder typed it. */
const cardOf = (request: Request) => ({
  email: 'customer@shop.example',
  creditCardNumber: typed(request, 'number').replace(/[ -]/g, ''),
  cardPrintedName: typed(request, 'name'),
  expireMonth: typed(request, 'month'),
  expireYear: typed(request, 'year'),
  cvv2: typed(request, 'cvv2'),
})

/** What was typed into a field of a form. */
export const typed = ({ body }: Pick<Request, 'body'>, name: string): string => String(body?.[name] ?? '').trim()
