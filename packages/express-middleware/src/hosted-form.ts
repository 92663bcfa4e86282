/**
 * Middleware that creates a hosted form at the gateway and sends the customer there.
 *
 * @see Interface specification, section 4, the -form operations
 * @module
 */
import { type AsyncCheckoutFormRedirect, defaultProfile, type WireProfile } from '@tillkit/protocol'
import type { Request, RequestHandler, Response } from 'express'
import { checkCall, checkFunction, checkOptionalCount, checkOptionalFunction } from './check-options.js'
import { systemClock } from './defaults.js'
import { OrderMismatchError, RedirectRefusedError } from './errors.js'
import {
  type HostedFormClient,
  type HostedFormOperation,
  type HostedFormOrder,
  type HostedFormRequests,
  hostedFormOperations,
} from './hosted-form-operation.js'
import { quote } from './rejection.js'
import { seeOther } from './see-other.js'
import { checkStateSecrets, type StateSecrets } from './state-secrets.js'
import { signState } from './state-token.js'
import { isSafeAddress, parseAddress, withPathSegment } from './web-address.js'

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
  checkCall('redirectToHostedForm', options)
  const redirectHosts = checkedHosts(options)
  checkFormOptions(options)
  const { client, stateSecrets, stateLifetime = 86_400, clock = systemClock, profile = defaultProfile } = options

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
      const redirectUrl = returnAddress(options.returnUrl, { request, state, profile })
      const form = { ...order, redirectUrl } as HostedFormRequests[Operation]
      const reply = await createForm(client, { operation, form })
      await options.onCreated?.({ operation, clientOrderId, request: form, reply })
      seeOther(response, checkedRedirect(reply, { clientOrderId, redirectHosts }))
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
  'operation' | 'returnUrl' | 'stateSecrets' | 'stateLifetime' | 'redirectHosts'
> & { readonly client: object; readonly order: unknown; readonly clock?: unknown; readonly onCreated?: unknown }

function checkFormOptions(options: AnyOptions): void {
  const { client, operation = 'saleForm', returnUrl } = options
  if (typeof operation !== 'function') checkOperation(client, operation)
  checkFunction('order', options.order)
  if (typeof returnUrl !== 'function') checkReturnUrl(returnUrl)
  checkStateSecrets(options.stateSecrets)
  checkOptionalCount('stateLifetime', options.stateLifetime)
  checkOptionalFunction('clock', options.clock)
  checkOptionalFunction('onCreated', options.onCreated)
}

function checkedHosts({ client, redirectHosts }: AnyOptions): ReadonlySet<string> {
  if (typeof client !== 'object' || client === null) {
    throw new TypeError('Option "client" must be a client, such as createClient of @tillkit/client makes.')
  }
  const base = parseAddress((client as { readonly baseUrl?: unknown }).baseUrl)
  const hosts = redirectHosts ?? (base === undefined ? [] : [base.host])
  if (!Array.isArray(hosts) || hosts.length === 0 || !hosts.every(isHost)) {
    throw new TypeError(
      'Option "redirectHosts" must list the hosts of the gateway\'s pages, such as "gate.example" or "127.0.0.1:8080", ' +
        'without a scheme or a path. It can be left out only where "client" has a "baseUrl".',
    )
  }
  return new Set(hosts.map(host => host.toLowerCase()))
}

const isHost = (host: unknown): host is string => typeof host === 'string' && /^[^/?#@\\\s]+$/.test(host)

function checkOperation(client: object, operation: unknown): void {
  if (!hostedFormOperations.some(name => name === operation)) {
    throw new TypeError(`Option "operation" must be, or return, one of: ${hostedFormOperations.join(', ')}.`)
  }
  if (typeof (client as Readonly<Record<string, unknown>>)[operation as string] !== 'function') {
    throw new TypeError(`Option "client" has no method "${operation}".`)
  }
}

function checkReturnUrl(returnUrl: unknown): URL {
  const address = parseAddress(returnUrl)
  if (address !== undefined && isSafeAddress(address)) return address
  throw new TypeError('Option "returnUrl" must be, or return, an absolute https address; http on loopback only.')
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

function returnAddress(
  returnUrl: RedirectToHostedFormOptions['returnUrl'],
  { request, state, profile }: { readonly request: Request; readonly state: string; readonly profile: WireProfile },
): string {
  const base = checkReturnUrl(typeof returnUrl === 'function' ? returnUrl(request) : returnUrl)
  const { href } = withPathSegment(base, state)
  const limit = profile.maxLengths.value.redirectUrl
  if (limit !== undefined && href.length > limit) {
    throw new TypeError(
      `The return address has ${href.length} characters with its state, the gateway takes ${limit}. Shorten ` +
        '"returnUrl", the id of the state secret or the order id. Nothing was sent.',
    )
  }
  return href
}

function checkedRedirect(
  reply: AsyncCheckoutFormRedirect,
  { clientOrderId, redirectHosts }: { readonly clientOrderId: string; readonly redirectHosts: ReadonlySet<string> },
): string {
  if (reply.clientOrderId !== undefined && reply.clientOrderId !== clientOrderId) {
    throw new OrderMismatchError(
      `The gateway answered the form of order ${clientOrderId} with one of order ${quote(reply.clientOrderId)}. The ` +
        'customer was not sent there.',
      { status: 502 },
    )
  }
  const address = parseAddress(reply.redirectUrl)
  if (address !== undefined && isSafeAddress(address) && redirectHosts.has(address.host)) return address.href
  const found = address === undefined ? 'no address' : `${address.protocol}//${address.host}`
  throw new RedirectRefusedError(
    `The gateway wants the customer of order ${clientOrderId} sent to ${found}. Only https to these hosts is allowed: ` +
      `${[...redirectHosts].join(', ')}. If the host is the gateway's, add it to "redirectHosts".`,
    { status: 502 },
  )
}
