import {
  type AsyncCheckoutFormRedirect,
  aCount,
  aFunction,
  checkedLater,
  type OperationName,
  type Operations,
  operations,
  type RequestOf,
  type ResponseOf,
  type WireProfile,
} from '@tillkit/protocol'
import { type StateSecrets, stateSecretsOption } from '../state/token.js'

/** Request record of each operation that answers with a hosted form. */
export type HostedFormRequests = {
  readonly [Name in OperationName as ResponseOf<Operations[Name]> extends AsyncCheckoutFormRedirect
    ? Name
    : never]: RequestOf<Operations[Name]>
}

/** Name of an operation that answers with a hosted form. */
export type HostedFormOperation = keyof HostedFormRequests

/** A form that is open at the gateway. Keep it with your order. */
export interface OpenForm {
  /** Address of the form at the gateway. Whoever has it can pay on it: show it to the customer of the order only. */
  readonly redirectUrl: string
  /** The gateway's order id, where its reply had one. */
  readonly orderId?: string
}

/** The order as the merchant has it; `redirectUrl` is made by the middleware. */
export type HostedFormOrder<Operation extends HostedFormOperation = HostedFormOperation> = {
  readonly [Name in Operation]: Omit<HostedFormRequests[Name], 'redirectUrl'> & {
    /**
     * The form that `onCreated` has given you for this very order and price. Nothing is sent then, and the customer is sent there. Without
     * it a second form is opened, and the customer can pay on both.
     */
    readonly form?: OpenForm | undefined
  }
}[Operation]

/** A client that creates hosted forms; `createClient` of `@tillkit/client` makes one. */
export type HostedFormClient<Operation extends HostedFormOperation = HostedFormOperation> = {
  readonly [Name in Operation]: (request: HostedFormRequests[Name]) => Promise<AsyncCheckoutFormRedirect>
} & {
  /** Address of the gateway. Its host is where customers may be sent, unless `redirectHosts` says otherwise. */
  readonly baseUrl?: URL | string
}

/** A hosted form that the gateway has created. The order exists from here on. */
export interface CreatedForm<Operation extends HostedFormOperation = HostedFormOperation> {
  readonly operation: Operation
  readonly clientOrderId: string
  /** Keep this with the order, and hand it back from `order` when the customer presses again. */
  readonly form: OpenForm
  /** The request that was sent to the gateway, `redirectUrl` included. */
  readonly request: HostedFormRequests[Operation]
  readonly reply: AsyncCheckoutFormRedirect
}

/** Options that opening hosted forms needs in any framework. */
export interface HostedFormOptions<Operation extends HostedFormOperation> {
  /** Creates the form. It is handed in, so that any client will do. */
  readonly client: HostedFormClient<NoInfer<Operation>>
  /** The first one signs, all of them verify. */
  readonly stateSecrets: StateSecrets
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
   * Told of every form that was created, before the customer is sent there. Keep `form`: nothing here remembers it. If it fails, the
   * customer is sent nowhere, and the form is open all the same.
   */
  readonly onCreated?: (created: CreatedForm<NoInfer<Operation>>) => void | Promise<void>
}

/** Checks of those options. `operation` and `returnUrl` are checked with the client. */
export const formOptions = {
  client: (client: unknown) =>
    typeof client === 'object' && client !== null
      ? undefined
      : '"client" must be a client, such as createClient of @tillkit/client makes.',
  stateSecrets: stateSecretsOption,
  redirectHosts: checkedLater,
  stateLifetime: aCount({ unit: 'seconds' }),
  clock: aFunction,
  profile: checkedLater,
  onCreated: aFunction,
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
