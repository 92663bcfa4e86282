/**
 * Paying with the shop's own card form: the sale, and 3DS between the shop and the bank.
 *
 * The card number goes through this process and nowhere else: it is in no order, no log and no page.
 *
 * @module
 */
import { type ClientWithStore, isGatewayError } from '@tillkit/client'
import {
  type CustomerReturnOptions,
  customerBrowser,
  customerBrowserScript,
  type ThreeDSecureRouter,
  threeDSecure,
} from '@tillkit/express-middleware'
import type { SqliteTransaction } from '@tillkit/till/sqlite'
import express, { type Express } from 'express'
import { findProduct } from './catalog.js'
import { ChangeRefused } from './change-order.js'
import type { Orders } from './orders.js'
import { cardPage } from './pages/card-page.js'
import { send } from './send.js'
import { whyNotMade } from './why-not-made.js'

/** What the pages of 3DS need. */
export interface SecurePagesOptions {
  /** The options of `customerReturn`; they do for 3DS as well. */
  readonly visit: CustomerReturnOptions<SqliteTransaction> & { readonly client: ClientWithStore }
  /** Public address of a path of the shop. */
  readonly address: (path: string) => URL
  readonly onError: (error: unknown) => void
}

/** Adds the pages of 3DS, which the bank and the gateway post to. */
export function addSecurePages(shop: Express, { visit, address, onError }: SecurePagesOptions): ThreeDSecureRouter {
  const secure = threeDSecure({
    ...visit,
    address: () => address('/3ds'),
    onProblem: ({ explanation, cause }) => onError(new Error(explanation, { cause })),
    pages: { shopName: 'Tidewater Ceramics' },
  })
  shop.use('/3ds', secure)
  return secure
}

/** What paying here needs. */
export interface CardFormOptions extends Pick<SecurePagesOptions, 'address'> {
  readonly client: ClientWithStore
  readonly orders: Orders
  readonly secure: ThreeDSecureRouter
  readonly newTicket: () => string
  readonly gatewayAddress: string
}

/** Adds the card form and the sale. */
export function addCardForm(shop: Express, options: CardFormOptions): void {
  const { client, orders, secure, address, newTicket, gatewayAddress } = options
  shop.get('/customer-browser.js', (_request, response) => {
    response.type('text/javascript').send(customerBrowserScript)
  })

  shop.get('/pay-here/:product', (request, response, next) => {
    const product = findProduct(request.params.product)
    if (product === undefined) return next()
    response.set('Cache-Control', 'no-store')
    const before = orders.find(String(request.query.after ?? ''))
    send(response, cardPage({ product, ticket: newTicket(), gatewayAddress, before }))
  })

  shop.post('/pay-here/:product', express.urlencoded({ extended: false }), async (request, response) => {
    const product = findProduct(String(request.params.product))
    if (product === undefined) throw new ChangeRefused('There is no such product. Go back and choose another.')
    const typed = (name: string): string => String(request.body?.[name] ?? '').trim()
    const { clientOrderId } = orders.create(product, 'sale', typed('ticket'))
    const redirectUrl = await secure.addressOf(clientOrderId)
    try {
      await client.sale({
        ...customerBrowser(request),
        clientOrderId,
        orderDesc: product.name,
        amount: product.price,
        currency: product.currency,
        email: 'customer@shop.example',
        creditCardNumber: typed('number').replace(/[ -]/g, ''),
        cardPrintedName: typed('name'),
        expireMonth: typed('month'),
        expireYear: typed('year'),
        cvv2: typed('cvv2'),
        redirectUrl,
        notifyUrl: address('/payments/callback').href,
      })
    } catch (error) {
      if (!isGatewayError(error)) throw error
      const notMade = whyNotMade(error)
      if (notMade !== undefined) {
        orders.notMade(clientOrderId, notMade)
        // The form again, which says why. Paying there is a new order.
        return response.redirect(303, `/pay-here/${product.id}?after=${encodeURIComponent(clientOrderId)}`)
      }
    }
    // It was taken, or may have been: status says what became of it.
    response.redirect(303, redirectUrl)
  })
}
