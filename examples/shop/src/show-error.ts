/**
 * The page for an error. It says no more about money than is known.
 *
 * @module
 */
import type { ErrorRequestHandler, Request } from 'express'
import { ChangeRefused } from './change-order.js'
import { errorPage } from './pages/error-page.js'
import { send } from './send.js'

/** Shows a page for every error, after `onError` was told of it. */
export const showError =
  (onError: (error: unknown) => void): ErrorRequestHandler =>
  (error, request, response, next) => {
    onError(error)
    if (response.headersSent) return next(error)
    const refused = error instanceof ChangeRefused
    const status = refused ? 409 : Number.isInteger(error.status) ? error.status : 502
    const page = refused ? { title: 'Not done', text: error.message } : failurePage(status, request)
    send(response.status(status), errorPage(page))
  }

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
