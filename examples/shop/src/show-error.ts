/**
 * The page for an error. It says no more about money than is known.
 *
 * @module
 */
import type { ErrorRequestHandler, Request } from 'express'
import { ChangeRefused } from './change-order.js'
import { type ErrorPage, errorPage } from './pages/error-page.js'
import { StrangerRefused } from './refuse-strangers.js'
import { send } from './send.js'

/** What the page needs. */
export interface ShowErrorOptions {
  readonly onError: (error: unknown) => void
  /** Where customers reach the shop. */
  readonly publicAddress: () => URL
}

/** Shows a page for every error, after `onError` was told of it. */
export const showError =
  ({ onError, publicAddress }: ShowErrorOptions): ErrorRequestHandler =>
  (error, request, response, next) => {
    onError(error)
    if (response.headersSent) return next(error)
    if (error instanceof StrangerRefused) {
      return send(response.status(error.status), errorPage(strangerPages[error.because](publicAddress())))
    }
    const refused = error instanceof ChangeRefused
    const status = refused ? 409 : Number.isInteger(error.status) ? error.status : 502
    const page = refused ? { title: 'Not done', text: error.message } : failurePage(status, request)
    send(response.status(status), errorPage(page))
  }

/** What a person sees whose browser another site has used, or who knows the shop by another name. */
const strangerPages = {
  origin: ({ href }) => ({
    title: 'Sent from another site',
    text: 'A page that is not of this shop sent us a form in your name. We did not take it. If you meant to buy something or to change an order, do it on our own pages.',
    shelf: href,
  }),
  host: ({ href }) => ({
    title: 'Not our address',
    text: `This page was asked for under a name that is not ours. The shop is at ${href}`,
    shelf: href,
  }),
} satisfies Record<StrangerRefused['because'], (shop: URL) => ErrorPage>

/** Only where no form was opened yet is it known that nothing was paid; anywhere else the page must not say so. */
function failurePage(status: number, { method, path }: Request) {
  if (status === 403) return { title: 'Refused', text: 'This address or message is not one of ours.' }
  if (method === 'POST' && path === '/orders') {
    return {
      title: 'The payment page could not be opened',
      text: 'You have not been asked for your card, so nothing was paid. Please try again in a moment.',
    }
  }
  return {
    title: 'This did not work',
    text: 'It says nothing about a payment: the page of your order shows what is known. Look there before you pay again.',
  }
}
