/**
 * Middleware for the customer who comes back from a hosted form, see `customerReceiver`.
 *
 * @module
 */
import type { Request, RequestHandler } from 'express'
import { checkCall, type OptionNames } from '../config/options.js'
import { sendAnswer } from '../http/send-answer.js'
import { type CustomerReceiverOptions, customerReceiver } from './customer-receiver.js'
import { type VisitOptions, visitOptionNames } from './customer-visit.js'

/** Options of whatever customers come back to under Express. */
export interface CustomerVisitOptions extends VisitOptions<Request> {}

/** Options of {@link customerReturn}. */
export interface CustomerReturnOptions extends CustomerVisitOptions {}

const optionNames: OptionNames<CustomerReturnOptions> = visitOptionNames

/**
 * Settles the order that a customer comes back for, and answers with 303 to the merchant's page.
 *
 * Mount it with `app.all` at the path of `returnUrl` followed by `/:state`. A forged state ends in
 * {@link StateRejectedError} (403). An expired one is no login: status is asked and the merchant told all the same, and
 * the customer is sent on with `checking`.
 *
 * @example
 * ```ts
 * app.all('/payments/return/:state', customerReturn({
 *   client,
 *   stateSecrets,
 *   controlKeys,
 *   order: ({ clientOrderId }) => findOrder(clientOrderId), // { order, expected: { stages: ['sale'], amount, currency } }
 *   outcomes: { login, inbox, onOutcome }, // those of receiveCallbacks
 *   redirectTo: ({ clientOrderId, view }) => `/orders/${clientOrderId}?view=${view}`,
 * }))
 * ```
 *
 * @throws {TypeError} when an option is wrong.
 */
export function customerReturn(options: CustomerReturnOptions): RequestHandler {
  checkCall('customerReturn', options, optionNames)
  // Every customer comes with a request.
  const receiver = customerReceiver<Request>(options as CustomerReceiverOptions<Request>)

  return async function customerReturnHandler(request, response, next) {
    const { state } = request.params
    if (typeof state !== 'string') {
      response.statusCode = 500
      return next(new TypeError('Mount customerReturn at a path that ends in "/:state".'))
    }
    const answer = await receiver.answer(request, { state, context: request })
    if (answer.error === undefined) return sendAnswer(response, answer)
    // An error page that sets no status of its own must not say that all is well.
    response.statusCode = answer.status
    next(answer.error)
  }
}
