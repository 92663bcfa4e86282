/**
 * Options of the middleware that creates hosted forms.
 *
 * @module
 */
import type { AsyncCheckoutFormRedirect, WireProfile } from '@tillkit/protocol'
import type { Request, Response } from 'express'
import {
  checkFunction,
  checkOptionalCount,
  checkOptionalFunction,
  checkPolling,
  type OptionNames,
} from './check-options.js'
import type { StateKeeping } from './customer-state.js'
import {
  type HostedFormClient,
  type HostedFormOperation,
  type HostedFormOrder,
  type HostedFormRequests,
  hostedFormOperations,
} from './hosted-form-operation.js'
import type { Polling } from './poll-status.js'
import { checkOptionalReferences } from './references.js'
import { checkReturnUrl } from './return-address.js'
import { checkStateSecrets } from './state-secrets.js'

/** A hosted form that the gateway has created. The order exists from here on. */
export interface CreatedForm<Operation extends HostedFormOperation = HostedFormOperation> {
  readonly operation: Operation
  readonly clientOrderId: string
  /** What was sent to the gateway, `redirectUrl` included. */
  readonly request: HostedFormRequests[Operation]
  readonly reply: AsyncCheckoutFormRedirect
  /** The customer asked before, and is sent to that same form; of `reply` only its address and the order id are known. */
  readonly again: boolean
}

/**
 * Why a customer was sent to no form. Nobody knows the address of a form that this request may have created, so nothing can
 * have been paid with it.
 */
export interface FormFailure {
  /** What `order`, the client or one of our own checks threw. For the log, not for the customer. */
  readonly error: unknown
  /** Absent where it failed before `order` said. */
  readonly clientOrderId?: string
}

/** Options of {@link redirectToHostedForm}. */
export interface RedirectToHostedFormOptions<Operation extends HostedFormOperation = 'saleForm'> extends StateKeeping {
  /**
   * Creates the form. It is handed in, so that any client will do. One with an attempts port makes a double click safe: the
   * second one leads to the first form.
   */
  readonly client: HostedFormClient<NoInfer<Operation>>
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
  /**
   * Hosts of the gateway's pages, with the port where it is not the scheme's own. Anything else is refused.
   * Default: the host of `client.baseUrl`.
   */
  readonly redirectHosts?: readonly string[]
  /** How long the state is fresh, in seconds. Default: 86400, one day. */
  readonly stateLifetime?: number
  /** Milliseconds since the epoch. Default: the system clock. */
  readonly clock?: () => number
  /** Default: `defaultProfile`. */
  readonly profile?: WireProfile
  /**
   * Told of every form that was created, before the customer is sent to it, and again when a customer is sent to it again.
   * Store the gateway's order id here.
   */
  readonly onCreated?: (created: CreatedForm<NoInfer<Operation>>) => void | Promise<void>
  /** Answers with the merchant's page where there is no form; 502 unless it says otherwise. Default: the error goes to `next`. */
  readonly onFailed?: (failure: FormFailure, request: Request, response: Response) => void | Promise<void>
  /** How long a second click waits for the first one's form. Default: 40 times, 250 ms apart. */
  readonly polling?: Polling
}

type OrderToPay<Operation extends HostedFormOperation> = HostedFormOrder<NoInfer<Operation>> | undefined

/** Names of those options. */
export const hostedFormOptionNames: OptionNames<RedirectToHostedFormOptions> = {
  client: true,
  operation: true,
  order: true,
  returnUrl: true,
  stateSecrets: true,
  references: true,
  redirectHosts: true,
  stateLifetime: true,
  clock: true,
  profile: true,
  onCreated: true,
  onFailed: true,
  polling: true,
}

type AnyOptions = Pick<
  RedirectToHostedFormOptions<HostedFormOperation>,
  'operation' | 'returnUrl' | 'stateSecrets' | 'stateLifetime' | 'references' | 'polling'
> & {
  readonly client: object
  readonly order: unknown
  readonly clock?: unknown
  readonly onCreated?: unknown
  readonly onFailed?: unknown
}

/** @throws {TypeError} when an option is wrong. */
export function checkHostedFormOptions(options: AnyOptions): void {
  const { client, operation = 'saleForm', returnUrl } = options
  if (typeof client !== 'object' || client === null) {
    throw new TypeError('Option "client" must be a client, such as createClient of @tillkit/client makes.')
  }
  if (typeof operation !== 'function') checkHostedFormOperation(client, operation)
  checkFunction('order', options.order)
  if (typeof returnUrl !== 'function') checkReturnUrl(returnUrl)
  checkStateSecrets(options.stateSecrets)
  checkOptionalCount('stateLifetime', options.stateLifetime)
  checkOptionalFunction('clock', options.clock)
  checkOptionalFunction('onCreated', options.onCreated)
  checkOptionalFunction('onFailed', options.onFailed)
  checkOptionalReferences(options.references)
  checkPolling(options.polling)
}

/** @throws {TypeError} when it is no hosted form, or none that the client can make. */
export function checkHostedFormOperation(client: object, operation: unknown): void {
  if (!hostedFormOperations.some(name => name === operation)) {
    throw new TypeError(`Option "operation" must be, or return, one of: ${hostedFormOperations.join(', ')}.`)
  }
  if (typeof (client as Readonly<Record<string, unknown>>)[operation as string] !== 'function') {
    throw new TypeError(`Option "client" has no method "${operation}".`)
  }
}
