import {
  type AsyncCheckoutFormRedirect,
  aCount,
  aFunction,
  checkedLater,
  type KeptPayments,
  type OperationName,
  type Operations,
  operations,
  type RequestOf,
  type ResponseOf,
  type WireProfile,
} from '@tillkit/protocol'
import { type Polling, pollingOption } from '../config/options.js'
import { type StateKeeping, stateKeepingOptions } from '../state/state.js'

/** Request record of each operation that answers with a hosted form. */
export type HostedFormRequests = {
  readonly [Name in OperationName as ResponseOf<Operations[Name]> extends AsyncCheckoutFormRedirect
    ? Name
    : never]: RequestOf<Operations[Name]>
}

/** Name of an operation that answers with a hosted form. */
export type HostedFormOperation = keyof HostedFormRequests

/** What the merchant says of the order; `redirectUrl` is made by the middleware. */
export type HostedFormOrder<Operation extends HostedFormOperation = HostedFormOperation> = {
  readonly [Name in Operation]: Omit<HostedFormRequests[Name], 'redirectUrl'>
}[Operation]

/** A client that creates hosted forms; `createClient` of `@tillkit/client` makes one. */
export type HostedFormClient<Operation extends HostedFormOperation = HostedFormOperation> = {
  readonly [Name in Operation]: (request: HostedFormRequests[Name]) => Promise<AsyncCheckoutFormRedirect>
} & {
  /** Address of the gateway. Its host is where customers may be sent, unless `redirectHosts` says otherwise. */
  readonly baseUrl?: URL | string
  /** Where it keeps its payments; needed for `shortAddresses`. */
  readonly payments?: KeptPayments
}

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

/** What opening hosted forms needs, in any framework. */
export interface HostedFormKeeping<Operation extends HostedFormOperation> extends StateKeeping {
  /**
   * Creates the form. It is handed in, so that any client will do. One with a store makes a double click safe: the
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
  /** Told of every form before a customer is sent to it, each time. A client with a store has kept the gateway's order id by then. */
  readonly onCreated?: (created: CreatedForm<NoInfer<Operation>>) => void | Promise<void>
  /** How long a second click waits for the first one's form. Default: 40 times, 250 ms apart. */
  readonly polling?: Polling
}

/** Checks of those options. `operation` and `returnUrl` are checked with the client. */
export const formKeepingOptions = {
  ...stateKeepingOptions,
  client: (client: unknown) =>
    typeof client === 'object' && client !== null
      ? undefined
      : '"client" must be a client, such as createClient of @tillkit/client makes.',
  redirectHosts: checkedLater,
  stateLifetime: aCount({ unit: 'seconds' }),
  clock: aFunction,
  profile: checkedLater,
  onCreated: aFunction,
  polling: pollingOption,
  operation: checkedLater,
  returnUrl: checkedLater,
} as const

/** @throws {TypeError} when the operation does not answer with a hosted form, or the client has no method for it. */
export function checkHostedFormOperation(client: object, operation: unknown): void {
  if (!hostedFormOperations().some(name => name === operation)) {
    throw new TypeError(`Option "operation" must be, or return, one of: ${hostedFormOperations().join(', ')}.`)
  }
  if (typeof (client as Readonly<Record<string, unknown>>)[operation as string] !== 'function') {
    throw new TypeError(`Option "client" has no method "${operation}".`)
  }
}

const hostedFormOperations = (): readonly string[] =>
  Object.entries(operations).flatMap(([name, { response }]) => (response === 'AsyncCheckoutFormRedirect' ? [name] : []))
