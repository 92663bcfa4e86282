/**
 * Middleware that creates a hosted form at the gateway and sends the customer there.
 *
 * @see Interface specification, section 4, the -form operations
 * @module
 */
import { type AsyncCheckoutFormRedirect, defaultProfile, type WireProfile } from '@tillkit/protocol'
import type { Request, RequestHandler, Response } from 'express'
import {
  checkCall,
  checkFunction,
  checkOptionalCount,
  checkOptionalFunction,
  type OptionNames,
} from './check-options.js'
import { systemClock } from './defaults.js'
import {
  type HostedFormClient,
  type HostedFormOperation,
  type HostedFormOrder,
  type HostedFormRequests,
  hostedFormOperations,
} from './hosted-form-operation.js'
import { allowedHosts, redirectTarget } from './redirect-target.js'
import { checkReturnUrl, returnAddress } from './return-address.js'
import { seeOther } from './see-other.js'
import { checkStateSecrets, type StateSecrets } from './state-secrets.js'
import { signState } from './state-token.js'

/** A hosted form that the gateway has created. The order exists from here on. */
export interface CreatedForm<Operation extends HostedFormOperation = HostedFormOperation> {
  readonly operation: Operation
  readonly clientOrderId: string
  /** What was sent to the gateway, `redirectUrl` included. */
  readonly request: HostedFormRequests[Operation]
  readonly reply: AsyncCheckoutFormRedirect
}

/** Options of {@link redirectToHostedForm}. */
export interface RedirectToHostedFormOptions<Operation extends HostedFormOperation = 'saleForm'> {
  /** Creates the form. It is handed in, so that any client will do. */
  readonly client: HostedFormClient<NoInfer<Operation>>
  /** Default: `saleForm`. */
  readonly operation?: Operation | ((request: Request) => Operation)
  /** The merchant's order, stored before it is returned here: after a crash its `clientOrderId` is all there is. */
  readonly order: (
    request: Request,
    response: Response,
  ) => HostedFormOrder<NoInfer<Operation>> | Promise<HostedFormOrder<NoInfer<Operation>>>
  /** Where `customerReturn` is mounted, without the state: that is appended as one path segment. https, or loopback. */
  readonly returnUrl: URL | string | ((request: Request) => URL | string)
  /** The first one signs the state. */
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
  /** Told of every form that was created, before the customer is sent to it. Store the gateway's order id here. */
  readonly onCreated?: (created: CreatedForm<NoInfer<Operation>>) => void | Promise<void>
}

const optionNames: OptionNames<RedirectToHostedFormOptions> = {
  client: true,
  operation: true,
  order: true,
  returnUrl: true,
  stateSecrets: true,
  redirectHosts: true,
  stateLifetime: true,
  clock: true,
  profile: true,
  onCreated: true,
}

/**
 * Creates a hosted form and answers with 303 to its address.
 *
 * @returns A handler that calls `next` with what `client` or `order` threw, or with {@link RedirectRefusedError} or
 * {@link OrderMismatchError} (502) when the gateway's answer must not be followed.
 * @throws {TypeError} when an option is wrong.
 */
export function redirectToHostedForm<Operation extends HostedFormOperation = 'saleForm'>(
  options: RedirectToHostedFormOptions<Operation>,
): RequestHandler {
  checkCall('redirectToHostedForm', options, optionNames)
  checkFormOptions(options)
  const {
    client,
    returnUrl,
    stateSecrets,
    stateLifetime = 86_400,
    clock = systemClock,
    profile = defaultProfile,
  } = options
  const hosts = allowedHosts(client, options.redirectHosts)

  return async function redirectToHostedFormHandler(request, response, next) {
    try {
      const operation = operationFor(options, request)
      const order = await options.order(request, response)
      const { clientOrderId } = checkedOrder(order)
      const state = await signState({
        clientOrderId,
        purpose: 'hosted-form',
        secrets: stateSecrets,
        lifetime: stateLifetime,
        now: clock(),
      })
      const base = typeof returnUrl === 'function' ? returnUrl(request) : returnUrl
      const redirectUrl = returnAddress(base, { state, profile })
      const form = { ...order, redirectUrl } as HostedFormRequests[Operation]
      const reply = await createForm(client, { operation, form })
      await options.onCreated?.({ operation, clientOrderId, request: form, reply })
      seeOther(response, redirectTarget(reply, { clientOrderId, hosts }))
    } catch (error) {
      next(error)
    }
  }
}

/** Called on the client, so that one that is a class instance keeps its `this`. */
function createForm(
  client: object,
  { operation, form }: { readonly operation: HostedFormOperation; readonly form: object },
): Promise<AsyncCheckoutFormRedirect> {
  const create = (client as Readonly<Record<string, (form: object) => Promise<AsyncCheckoutFormRedirect>>>)[operation]
  if (create === undefined) throw new TypeError(`Option "client" has no method "${operation}".`)
  return create.call(client, form)
}

type AnyOptions = Pick<
  RedirectToHostedFormOptions<HostedFormOperation>,
  'operation' | 'returnUrl' | 'stateSecrets' | 'stateLifetime'
> & { readonly client: object; readonly order: unknown; readonly clock?: unknown; readonly onCreated?: unknown }

function checkFormOptions(options: AnyOptions): void {
  const { client, operation = 'saleForm', returnUrl } = options
  if (typeof client !== 'object' || client === null) {
    throw new TypeError('Option "client" must be a client, such as createClient of @tillkit/client makes.')
  }
  if (typeof operation !== 'function') checkOperation(client, operation)
  checkFunction('order', options.order)
  if (typeof returnUrl !== 'function') checkReturnUrl(returnUrl)
  checkStateSecrets(options.stateSecrets)
  checkOptionalCount('stateLifetime', options.stateLifetime)
  checkOptionalFunction('clock', options.clock)
  checkOptionalFunction('onCreated', options.onCreated)
}

function checkOperation(client: object, operation: unknown): void {
  if (!hostedFormOperations.some(name => name === operation)) {
    throw new TypeError(`Option "operation" must be, or return, one of: ${hostedFormOperations.join(', ')}.`)
  }
  if (typeof (client as Readonly<Record<string, unknown>>)[operation as string] !== 'function') {
    throw new TypeError(`Option "client" has no method "${operation}".`)
  }
}

function operationFor<Operation extends HostedFormOperation>(
  { client, operation }: RedirectToHostedFormOptions<Operation>,
  request: Request,
): Operation {
  if (typeof operation !== 'function') return operation ?? ('saleForm' as Operation)
  const chosen = operation(request)
  checkOperation(client, chosen)
  return chosen
}

function checkedOrder(order: { readonly clientOrderId?: unknown; readonly redirectUrl?: unknown }) {
  const { clientOrderId, redirectUrl } = order ?? {}
  if (typeof clientOrderId !== 'string' || clientOrderId === '') {
    throw new TypeError('Option "order" must return an order with a "clientOrderId"; nothing was sent.')
  }
  if (redirectUrl !== undefined) {
    throw new TypeError('Option "order" returned a "redirectUrl"; leave it to "returnUrl". Nothing was sent.')
  }
  return { clientOrderId }
}
