import { aFunction, type OptionTable, required } from '@tillkit/protocol'
import type { Request, RequestHandler, Response } from 'express'
import { checkCall } from '../config/options.js'
import { type VisitOptions, visitOptions } from '../customer-return/options.js'
import { type CustomerReceiverOptions, customerReceiver } from '../customer-return/receiver.js'
import { formOpening, orderIdOf } from '../hosted-form/opener.js'
import {
  formOptions,
  type HostedFormOperation,
  type HostedFormOptions,
  type HostedFormOrder,
} from '../hosted-form/options.js'
import { nodeHandler } from '../http/node-handler.js'

/**
 * Why a customer was sent to no form. A form that was opened before, or by this request, may be paid: do not tell the customer that
 * nothing was.
 */
export interface FormFailure {
  /** The error of `order`, the client or one of our own checks. For the log, not for the customer. */
  readonly error: unknown
  /** Absent where it failed before `order` said. */
  readonly clientOrderId?: string
}

/** Options of {@link redirectToHostedForm}. */
export interface RedirectToHostedFormOptions<Operation extends HostedFormOperation = 'saleForm'>
  extends HostedFormOptions<Operation> {
  /** Default: `saleForm`. */
  readonly operation?: Operation | ((request: Request) => Operation)
  /**
   * The merchant's order, stored before it is returned here: after a crash its `clientOrderId` is all there is. **A second press must give
   * back the first form**, as `form` beside the order's fields: else a second one is opened, and the customer can pay on both.
   * Undefined where it has answered the request itself, as for an order that is paid already.
   */
  readonly order: (request: Request, response: Response) => OrderToPay<Operation> | Promise<OrderToPay<Operation>>
  /** Address of `customerReturn`, without the state: that is appended as one path segment. https, or loopback. */
  readonly returnUrl: URL | string | ((request: Request) => URL | string)
  /** Answers with the merchant's page where there is no form; 502 unless it says otherwise. Default: the error goes to `next`. */
  readonly onFailed?: (failure: FormFailure, request: Request, response: Response) => void | Promise<void>
}

type OrderToPay<Operation extends HostedFormOperation> = HostedFormOrder<NoInfer<Operation>> | undefined

const hostedFormOptions: OptionTable<RedirectToHostedFormOptions<never>> = {
  ...formOptions,
  order: required(aFunction),
  onFailed: aFunction,
}

/**
 * Creates a hosted form and answers with 303 to its address, or to that of the form which `order` hands back.
 *
 * Mount it where the button posts to; `customerReturn` is mounted at `returnUrl` followed by `/:state`.
 *
 * @example
 * ```ts
 * app.post('/orders/:id/pay', redirectToHostedForm({
 *   client,
 *   stateSecrets,
 *   returnUrl: 'https://shop.example/payments/return',
 *   order: request => orderToPay(request.params.id), // { clientOrderId, amount, currency, email, form }, stored before
 *   onCreated: ({ clientOrderId, form }) => keepForm(clientOrderId, form),
 * }))
 * ```
 *
 * @returns A handler that calls `onFailed`, or `next` without one, with what `client`, `order` or `onCreated` threw, or with
 * {@link RedirectRefusedError} or {@link OrderMismatchError} (502) when the gateway's answer must not be followed.
 * @throws {TypeError} when an option is wrong.
 */
export function redirectToHostedForm<Operation extends HostedFormOperation = 'saleForm'>(
  options: RedirectToHostedFormOptions<Operation>,
): RequestHandler {
  checkCall<object>('redirectToHostedForm', options, hostedFormOptions)
  const { onFailed } = options
  const open = formOpening<Operation, Request>(options)

  return nodeHandler<Request, Response>('redirectToHostedFormHandler', async (request, response) => {
    let clientOrderId: string | undefined
    try {
      const order = await options.order(request, response)
      if (order === undefined && response.headersSent) return 'answered'
      clientOrderId = orderIdOf(order)
      return await open(order as HostedFormOrder<Operation>, request)
    } catch (error) {
      if (onFailed === undefined || response.headersSent) throw error
      // A page that sets no status of its own must not say that all is well.
      response.status(502).set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
      await onFailed({ error, ...(clientOrderId === undefined ? {} : { clientOrderId }) }, request, response)
      return 'answered'
    }
  })
}

/** Options of {@link customerReturn}. */
export interface CustomerReturnOptions extends VisitOptions<Request> {}

/**
 * Asks status of the order that a customer comes back for, and answers with 303 to the merchant's page.
 *
 * Mount it with `app.all` at the path of `returnUrl` followed by `/:state`. A forged state ends in
 * {@link StateRejectedError} (403). An expired one is no login: the customer is sent on with `checking`. So is a customer of whose order
 * status shows another stage, amount or currency than the form was opened for. It tells nobody: the callback does.
 *
 * @example
 * ```ts
 * app.all('/payments/return/:state', customerReturn({
 *   client,
 *   stateSecrets,
 *   controlKeys,
 *   redirectTo: ({ clientOrderId, view }) => `/orders/${clientOrderId}?view=${view}`,
 * }))
 * ```
 *
 * @throws {TypeError} when an option is wrong.
 */
export function customerReturn(options: CustomerReturnOptions): RequestHandler {
  checkCall<object>('customerReturn', options, visitOptions)
  // Every customer comes with a request.
  const receiver = customerReceiver(options as CustomerReceiverOptions<Request>)

  return nodeHandler<Request, Response>('customerReturnHandler', async request => {
    const { state } = request.params
    if (typeof state !== 'string') throw new TypeError('Mount customerReturn at a path that ends in "/:state".')
    return receiver.answer(request, { state, context: request })
  })
}
