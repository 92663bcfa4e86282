/** The page for an error. It says no more about money than is known. */
import type { ErrorRequestHandler } from 'express'
import { type Html, html, send } from './pages/html.js'
import { layout } from './pages/layout.js'
import { StrangerRefused } from './refuse-strangers.js'

/** What was asked for was not done. Its message is for whoever asked. */
export class NotDone extends Error {
  override readonly name = 'NotDone'
}

interface ErrorPage {
  readonly title: string
  readonly text: string
  /** Address of the shelf. Default: the path `/`. */
  readonly shelf?: string
}

/** Says what happened and where to go from here. */
export const errorPage = ({ title, text, shelf = '/' }: ErrorPage): Html =>
  layout({
    title,
    body: html`<h1>${title}</h1><p class="lead">${text}</p><p><a class="button" href="${shelf}">Back to the shelf</a></p>`,
  })

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
    const refused = error instanceof NotDone
    const status = refused ? 409 : Number.isInteger(error.status) ? error.status : 502
    const page = refused ? { title: 'Not done', text: error.message } : failurePage(status, request.path)
    send(response.status(status), errorPage(page))
  }

/** What a person sees whose browser another site has used, or who knows the shop by another name. */
const strangerPages = {
  origin: ({ href }) => ({
    title: 'Sent from another site',
    text:
      'A page that is not of this shop sent us a form in your name. We did not take it. ' +
      'If you meant to buy something or to change an order, do it on our own pages.',
    shelf: href,
  }),
  host: ({ href }) => ({
    title: 'Not our address',
    text: `This page was asked for under a name that is not ours. The shop is at ${href}`,
    shelf: href,
  }),
} satisfies Record<StrangerRefused['because'], (shop: URL) => ErrorPage>

/** None of these says how a payment ended: after a failure, or a restart of the shop, that is not known here. */
function failurePage(status: number, path: string): ErrorPage {
  if (status === 403 && isWayBack(path)) {
    return {
      title: 'We cannot tell which order this is',
      text:
        'This address is not one of ours, or we made it before this shop was started anew. ' +
        'It does not say whether something was paid. Please do not pay again: ' +
        'look for your order on the shelf, or ask us with the number of your order, and we ask the gateway.',
    }
  }
  if (status === 403) return { title: 'Refused', text: 'This address or message is not one of ours.' }
  return {
    title: 'Something failed',
    text:
      'This does not say whether something was paid. ' +
      'The page of your order shows what is known, and we keep asking the gateway. ' +
      'Look there, or ask us, before you pay again.',
  }
}

/** Where the gateway and banks send customers back to. */
const isWayBack = (path: string): boolean => /^\/(payments\/return|3ds)\//.test(path)
