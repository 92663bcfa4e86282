/**
 * Middleware that creates a hosted form at the gateway and sends the customer there.
 *
 * @see Interface specification, section 4, the -form operations
 * @module
 */
import type { Request, RequestHandler, Response } from 'express'
import { checkCall, checkFunction, checkOptionalFunction, type OptionNames } from '../config/options.js'
import { type CustomerReceiverOptions, customerReceiver } from '../customer-return/receiver.js'
import { type VisitOptions, visitOptionNames } from '../customer-return/visit.js'
import { checkedOrder, formRedirect } from '../hosted-form/opener.js'
import {
  checkFormOptions,
  checkHostedFormOperation,
  formKeepingNames,
  type HostedFormKeeping,
  type HostedFormOperation,
  type HostedFormOrder,
} from '../hosted-form/options.js'
import { sendAnswer } from './to-express.js'

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

/**
 * Why a customer was sent to no form. The address of a form that this request may have created is not known. It says nothing about
 * a form that was opened before, so the customer must not be told that nothing was paid.
 */
export interface FormFailure {
  /** What `order`, the client or one of our own checks threw. For the log, not for the customer. */
  readonly error: unknown
  /** Absent where it failed before `order` said. */
  readonly clientOrderId?: string
}

/** Options of {@link redirectToHostedForm}. */
export interface RedirectToHostedFormOptions<Operation extends HostedFormOperation = 'saleForm'>
  extends HostedFormKeeping<Operation> {
  /** Default: `saleForm`. */
  readonly operation?: Operation | ((request: Request) => Operation)
  /**
   * The merchant's order, stored before it is returned here: after a crash its `clientOrderId` is all there is. A second
   * click must give the same order, so make it before there is a button, or under a ticket that the button's page carries.
   * Undefined where it has answered the request itself, as for an order that is paid already.
   */
  readonly order: (request: Request, response: Response) => OrderToPay<Operation> | Promise<OrderToPay<Operation>>
  /** Where `customerReturn` is mounted, without the state: that is appended as one path segment. https, or loopback. */
  readonly returnUrl: URL | string | ((request: Request) => URL | string)
  /** Answers with the merchant's page where there is no form; 502 unless it says otherwise. Default: the error goes to `next`. */
  readonly onFailed?: (failure: FormFailure, request: Request, response: Response) => void | Promise<void>
}

type OrderToPay<Operation extends HostedFormOperation> = HostedFormOrder<NoInfer<Operation>> | undefined

/** Names of those options. */
export const hostedFormOptionNames: OptionNames<RedirectToHostedFormOptions> = {
  ...formKeepingNames,
  operation: true,
  order: true,
  returnUrl: true,
  onFailed: true,
}

/** @throws {TypeError} when an option is wrong. */
export function checkHostedFormOptions(options: Parameters<typeof checkFormOptions>[0] & OwnOptions): void {
  checkFormOptions(options)
  checkFunction('order', options.order)
  checkOptionalFunction('onFailed', options.onFailed)
}

interface OwnOptions {
  readonly order: unknown
  readonly onFailed?: unknown
}

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
