/**
 * What opening hosted forms needs, in whatever framework.
 *
 * @module
 */
import type {
  AccountVerificationFormRequest,
  AsyncCheckoutFormRedirect,
  AuthFormRequest,
  PaymentFormRequest,
  PayoutFormRequest,
  SaleFormRequest,
  WireProfile,
} from '@tillkit/protocol'
import { checkOptionalCount, checkOptionalFunction, checkPolling } from '../config/options.js'
import { addressesFor, checkReturnUrl } from '../http/addresses.js'
import type { Polling } from '../outcomes/poll.js'
import { checkOptionalReferences } from '../state/references.js'
import { checkStateSecrets } from '../state/secrets.js'
import type { StateKeeping } from '../state/state.js'

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

/** Options of whatever opens hosted forms. */
export interface HostedFormKeeping<Operation extends HostedFormOperation> extends StateKeeping {
  /**
   * Creates the form. It is handed in, so that any client will do. One with an attempts port makes a double click safe: the
   * second one leads to the first form.
   */
  readonly client: HostedFormClient<NoInfer<Operation>>
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
  /** How long a second click waits for the first one's form. Default: 40 times, 250 ms apart. */
  readonly polling?: Polling
}

/** Names of those options. */
export const formKeepingNames = {
  client: true,
  stateSecrets: true,
  references: true,
  redirectHosts: true,
  stateLifetime: true,
  clock: true,
  profile: true,
  onCreated: true,
  polling: true,
} as const

/** Options that may be wrong in a program that is not type-checked. */
interface UncheckedOptions
  extends Pick<HostedFormKeeping<never>, 'stateSecrets' | 'stateLifetime' | 'references' | 'polling'> {
  readonly client: object
  readonly operation?: unknown
  readonly returnUrl: unknown
  readonly clock?: unknown
  readonly onCreated?: unknown
}

/** @throws {TypeError} when an option is wrong. */
export function checkFormOptions(options: UncheckedOptions): void {
  const { client, operation = 'saleForm', returnUrl } = options
  if (typeof client !== 'object' || client === null) {
    throw new TypeError('Option "client" must be a client, such as createClient of @tillkit/client makes.')
  }
  if (typeof operation !== 'function') checkHostedFormOperation(client, operation)
  if (typeof returnUrl !== 'function') checkReturnUrl(returnUrl, addressesFor(client))
  checkStateSecrets(options.stateSecrets)
  checkOptionalCount('stateLifetime', options.stateLifetime)
  checkOptionalFunction('clock', options.clock)
  checkOptionalFunction('onCreated', options.onCreated)
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

/** Request record of each operation that answers with a hosted form. */
export interface HostedFormRequests {
  readonly saleForm: SaleFormRequest
  readonly preauthForm: AuthFormRequest
  readonly accountVerificationForm: AccountVerificationFormRequest
  readonly paymentForm: PaymentFormRequest
  readonly payoutForm: PayoutFormRequest
}

/** Name of an operation that answers with a hosted form. */
export type HostedFormOperation = keyof HostedFormRequests

/** What the merchant says of the order; `redirectUrl` is made by the middleware. */
export type HostedFormOrder<Operation extends HostedFormOperation = HostedFormOperation> = {
  readonly [Name in Operation]: Omit<HostedFormRequests[Name], 'redirectUrl'>
}[Operation]

/** Whatever creates hosted forms; `createClient` of `@tillkit/client` makes one. */
export type HostedFormClient<Operation extends HostedFormOperation = HostedFormOperation> = {
  readonly [Name in Operation]: (request: HostedFormRequests[Name]) => Promise<AsyncCheckoutFormRedirect>
} & {
  /** Address of the gateway. Its host is where customers may be sent, unless `redirectHosts` says otherwise. */
  readonly baseUrl?: URL | string
}

/** Every operation that answers with a hosted form. */
export const hostedFormOperations = [
  'saleForm',
  'preauthForm',
  'accountVerificationForm',
  'paymentForm',
  'payoutForm',
] as const satisfies readonly HostedFormOperation[]
