/**
 * Middleware that creates a hosted form at the gateway and sends the customer there.
 *
 * @see Interface specification, section 4, the -form operations
 * @module
 */
import type { Request, RequestHandler } from 'express'
import { checkCall } from '../config/options.js'
import { sendAnswer } from '../http/send-answer.js'
import { checkHostedFormOperation } from './hosted-form-keeping.js'
import { checkedOrder, formRedirect } from './hosted-form-opener.js'
import type { HostedFormOperation, HostedFormOrder } from './hosted-form-operation.js'
import {
  checkHostedFormOptions,
  hostedFormOptionNames,
  type RedirectToHostedFormOptions,
} from './hosted-form-options.js'

/**
 * Creates a hosted form and answers with 303 to its address.
 *
 * Mount it where the button posts to; `customerReturn` is mounted at `returnUrl` followed by `/:state`.
 *
 * @example
 * ```ts
 * app.post('/orders/:id/pay', redirectToHostedForm({
 *   client,
 *   stateSecrets,
 *   returnUrl: 'https://shop.example/payments/return',
 *   order: request => orderToPay(request.params.id), // { clientOrderId, amount, currency, email }, stored before
 * }))
 * ```
 *
 * @returns A handler that calls `onFailed`, or `next` without one, with what `client` or `order` threw, or with
 * {@link RedirectRefusedError} or {@link OrderMismatchError} (502) when the gateway's answer must not be followed.
 * @throws {TypeError} when an option is wrong.
 */
export function redirectToHostedForm<Operation extends HostedFormOperation = 'saleForm'>(
  options: RedirectToHostedFormOptions<Operation>,
): RequestHandler {
  checkCall('redirectToHostedForm', options, hostedFormOptionNames)
  checkHostedFormOptions(options)
  const { returnUrl } = options
  const redirect = formRedirect<Operation>(options)

  return async function redirectToHostedFormHandler(request, response, next) {
    let clientOrderId: string | undefined
    try {
      const operation = operationFor(options, request)
      const order = await options.order(request, response)
      if (order === undefined && response.headersSent) return
      clientOrderId = checkedOrder(order).clientOrderId
      const base = typeof returnUrl === 'function' ? returnUrl(request) : returnUrl
      const wanted = order as HostedFormOrder<Operation>
      sendAnswer(response, await redirect({ clientOrderId, operation, order: wanted, returnUrl: base }))
    } catch (error) {
      if (options.onFailed === undefined || response.headersSent) return next(error)
      try {
        // A page that sets no status of its own must not say that all is well.
        response.status(502).set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
        const failure = { error, ...(clientOrderId === undefined ? {} : { clientOrderId }) }
        await options.onFailed(failure, request, response)
      } catch (failure) {
        next(failure)
      }
    }
  }
}

function operationFor<Operation extends HostedFormOperation>(
  { client, operation }: RedirectToHostedFormOptions<Operation>,
  request: Request,
): Operation {
  if (typeof operation !== 'function') return operation ?? ('saleForm' as Operation)
  const chosen = operation(request)
  checkHostedFormOperation(client, chosen)
  return chosen
}
