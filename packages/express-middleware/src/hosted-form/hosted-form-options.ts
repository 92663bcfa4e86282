/**
 * Options of the middleware that creates hosted forms.
 *
 * @module
 */
import type { Request, Response } from 'express'
import { checkFunction, checkOptionalFunction, type OptionNames } from '../config/options.js'
import { checkFormOptions, formKeepingNames, type HostedFormKeeping } from './hosted-form-keeping.js'
import type { HostedFormOperation, HostedFormOrder } from './hosted-form-operation.js'

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
