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
  checkPolling,
  type OptionNames,
} from './check-options.js'
import { issueState, type StateKeeping } from './customer-state.js'
import { systemClock } from './defaults.js'
import { formAgain } from './form-again.js'
import {
  type HostedFormClient,
  type HostedFormOperation,
  type HostedFormOrder,
  type HostedFormRequests,
  hostedFormOperations,
} from './hosted-form-operation.js'
import { type Polling, pollingOf } from './poll-status.js'
import { allowedHosts, redirectTarget } from './redirect-target.js'
import { checkOptionalReferences } from './references.js'
import { checkReturnUrl, returnAddress } from './return-address.js'
import { seeOther } from './see-other.js'
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

const optionNames: OptionNames<RedirectToHostedFormOptions> = {
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

/**
 * Creates a hosted form and answers with 303 to its address.
 *
 * @returns A handler that calls `onFailed`, or `next` without one, with what `client` or `order` threw, or with
 * {@link RedirectRefusedError} or {@link OrderMismatchError} (502) when the gateway's answer must not be followed.
 * @throws {TypeError} when an option is wrong.
 */
export function redirectToHostedForm<Operation extends HostedFormOperation = 'saleForm'>(
  options: RedirectToHostedFormOptions<Operation>,
): RequestHandler {
  checkCall('redirectToHostedForm', options, optionNames)
  checkFormOptions(options)
  const { client, returnUrl, stateLifetime = 86_400, clock = systemClock, profile = defaultProfile } = options
  const hosts = allowedHosts(client, options.redirectHosts)
  const polling = pollingOf({ attempts: 40, interval: 250, ...options.polling })

  return async function redirectToHostedFormHandler(request, response, next) {
    let clientOrderId: string | undefined
    try {
      const operation = operationFor(options, request)
      const order = await options.order(request, response)
      if (order === undefined && response.headersSent) return
      clientOrderId = checkedOrder(order).clientOrderId
      const subject = { clientOrderId, purpose: 'hosted-form', lifetime: stateLifetime, now: clock() } as const
      const state = await issueState(subject, options)
      const base = typeof returnUrl === 'function' ? returnUrl(request) : returnUrl
      const redirectUrl = returnAddress(base, { state, profile, operation })
      const form = { ...order, redirectUrl } as HostedFormRequests[Operation]
      const { reply, again } = await openForm(client, { operation, form, polling })
      await options.onCreated?.({ operation, clientOrderId, request: form, reply, again })
      seeOther(response, redirectTarget(reply, { clientOrderId, hosts }))
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

interface FormToOpen {
  readonly operation: HostedFormOperation
  readonly form: object
  readonly polling: Required<Polling>
}

/** Creates the form, or finds the one that a first click has created. Asking again sends nothing: the port refuses it. */
async function openForm(client: object, { operation, form, polling }: FormToOpen) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { reply: await createForm(client, { operation, form }), again: false }
    } catch (error) {
      const earlier = formAgain(error, { ...form, operation })
      if (earlier.form === 'open') {
        const { redirectUrl, orderId } = earlier
        const reply: AsyncCheckoutFormRedirect = { redirectUrl, ...(orderId === undefined ? {} : { orderId }), raw: {} }
        return { reply, again: true }
      }
      if (earlier.form === 'none' || attempt === polling.attempts) throw error
      await polling.wait(polling.interval)
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
  'operation' | 'returnUrl' | 'stateSecrets' | 'stateLifetime' | 'references' | 'polling'
> & {
  readonly client: object
  readonly order: unknown
  readonly clock?: unknown
  readonly onCreated?: unknown
  readonly onFailed?: unknown
}

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
  checkOptionalFunction('onFailed', options.onFailed)
  checkOptionalReferences(options.references)
  checkPolling(options.polling)
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

function checkedOrder(order: { readonly clientOrderId?: unknown; readonly redirectUrl?: unknown } | undefined) {
  const { clientOrderId, redirectUrl } = order ?? {}
  if (typeof clientOrderId !== 'string' || clientOrderId === '') {
    throw new TypeError(
      'Option "order" must return an order with a "clientOrderId", or answer the request itself; nothing was sent.',
    )
  }
  if (redirectUrl !== undefined) {
    throw new TypeError('Option "order" returned a "redirectUrl"; leave it to "returnUrl". Nothing was sent.')
  }
  return { clientOrderId }
}
