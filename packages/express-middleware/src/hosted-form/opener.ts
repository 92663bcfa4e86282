import { type AsyncCheckoutFormRedirect, defaultProfile, isNoId, type RememberedAttempt } from '@tillkit/protocol'
import { checkCall, type Polling, pollingOf } from '../config/options.js'
import { systemClock } from '../config/time.js'
import { addressesFor, allowedHosts, merchantAddress, redirectTarget, returnAddress } from '../http/addresses.js'
import { type Answer, failureAnswer, seeOther } from '../http/answer.js'
import { checkStateKeeping, issueState } from '../state/state.js'
import {
  type CreatedForm,
  checkHostedFormOperation,
  formKeepingOptions,
  type HostedFormClient,
  type HostedFormKeeping,
  type HostedFormOperation,
  type HostedFormOrder,
  type HostedFormRequests,
} from './options.js'

/** Options of {@link hostedFormOpener}. */
export interface HostedFormOpenerOptions<Operation extends HostedFormOperation = 'saleForm'>
  extends HostedFormKeeping<Operation> {
  /** Default: `saleForm`. */
  readonly operation?: Operation
  /** Where customers come back to, without the state: that is appended as one path segment. https, or loopback. */
  readonly returnUrl: URL | string
}

/** Opens hosted forms. */
export interface HostedFormOpener<Operation extends HostedFormOperation = 'saleForm'> {
  /**
   * Creates the form of an order, or finds the one that a first click has created, and says how to answer: 303 to it.
   *
   * Store the order first: after a crash its `clientOrderId` is all there is. A second click must give the same order.
   * Never throws: what failed is in `error` of the answer, for your log and your page, and the status is 502 unless the error has
   * its own. The customer was sent to no form then; a form that was opened before may still be open.
   */
  open(order: HostedFormOrder<Operation>): Promise<Answer>
  /**
   * The address of a form that was opened before, as the store has it.
   *
   * @throws {RedirectRefusedError} where it is none of the gateway's.
   */
  checkedAddress(form: { readonly clientOrderId: string; readonly redirectUrl: string }): string
}

/**
 * Makes an opener of hosted forms for any framework: an order in, an answer out. `redirectToHostedForm` is the one for Express.
 *
 * @see Interface specification, section 4, the -form operations
 * @throws {TypeError} when an option is wrong.
 */
export function hostedFormOpener<Operation extends HostedFormOperation = 'saleForm'>(
  options: HostedFormOpenerOptions<Operation>,
): HostedFormOpener<Operation> {
  checkCall('hostedFormOpener', options, formKeepingOptions)
  const open = formOpening<Operation, undefined>(options)
  const targets = {
    hosts: allowedHosts(options.client, options.redirectHosts),
    addresses: addressesFor(options.client),
  }
  return {
    open: order => open(order, undefined).catch(error => failureAnswer(error, 502)),
    checkedAddress: ({ clientOrderId, redirectUrl }) =>
      redirectTarget({ redirectUrl, raw: {} }, clientOrderId, targets),
  }
}

/** Values are checked once, results of functions for each form. `Context` is what comes with an order, such as the request of Express. */
interface OpeningOptions<Operation extends HostedFormOperation, Context> extends HostedFormKeeping<Operation> {
  readonly operation?: Operation | ((context: Context) => Operation)
  readonly returnUrl: URL | string | ((context: Context) => URL | string)
}

/** Makes a function that opens a form. It throws what `client` and `onCreated` throw, and for an answer that must not be followed. */
export function formOpening<Operation extends HostedFormOperation, Context>(
  options: OpeningOptions<Operation, Context>,
): (order: HostedFormOrder<Operation>, context: Context) => Promise<Answer> {
  const { client, stateLifetime = 86_400, clock = systemClock, profile = defaultProfile } = options
  const hosts = allowedHosts(client, options.redirectHosts)
  const addresses = addressesFor(client)
  const polling = pollingOf({ attempts: 40, interval: 250, ...options.polling })
  checkStateKeeping({ ...options, payments: client.payments })
  const { operation: chosen = 'saleForm' as Operation, returnUrl } = options
  if (typeof chosen !== 'function') checkHostedFormOperation(client, chosen)
  if (typeof returnUrl !== 'function') merchantAddress('returnUrl', returnUrl, addresses)

  return async (order, context) => {
    const clientOrderId = orderIdOf(order)
    const operation = typeof chosen === 'function' ? chosen(context) : chosen
    checkHostedFormOperation(client, operation)
    const base = typeof returnUrl === 'function' ? returnUrl(context) : returnUrl
    const address = merchantAddress('returnUrl', base, addresses)
    const subject = { clientOrderId, purpose: 'hosted-form', lifetime: stateLifetime, now: clock() } as const
    const state = await issueState(subject, { ...options, payments: client.payments })
    const redirectUrl = returnAddress(address, { state, profile, operation })
    const request = { ...order, redirectUrl } as HostedFormRequests[Operation]
    const { reply, again } = await openForm(client, { operation, request }, polling)
    await options.onCreated?.({ operation, clientOrderId, request, reply, again })
    return seeOther(redirectTarget(reply, clientOrderId, { hosts, addresses }))
  }
}

/** @throws {TypeError} when it is no order that a form can be opened for. */
export function orderIdOf(
  order: { readonly clientOrderId?: unknown; readonly redirectUrl?: unknown } | undefined,
): string {
  const { clientOrderId, redirectUrl } = order ?? {}
  if (typeof clientOrderId !== 'string' || isNoId(clientOrderId)) {
    throw new TypeError(
      'Option "order" must return an order with a "clientOrderId", or answer the request itself; nothing was sent.',
    )
  }
  if (redirectUrl !== undefined) {
    throw new TypeError('Option "order" returned a "redirectUrl"; leave it to "returnUrl". Nothing was sent.')
  }
  return clientOrderId
}

/** Creates the form, or finds the first one. Asking again sends nothing: the store refuses it. */
async function openForm<Operation extends HostedFormOperation>(
  client: HostedFormClient<NoInfer<Operation>>,
  { operation, request }: Pick<CreatedForm<Operation>, 'operation' | 'request'>,
  polling: Required<Polling>,
): Promise<Pick<CreatedForm, 'reply' | 'again'>> {
  // The name and the record go together, which the compiler does not see.
  const create = client[operation] as (request: object) => Promise<AsyncCheckoutFormRedirect>
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { reply: await create.call(client, request), again: false }
    } catch (error) {
      const earlier = earlierForm(error, { operation, ...request })
      if (typeof earlier === 'object') return { reply: earlier, again: true }
      if (earlier === undefined || attempt === polling.attempts) throw error
      await polling.wait(polling.interval)
    }
  }
}

/**
 * Reads what an error says of an earlier request for the same form. Errors are read by their code, for the client is handed in.
 * Another amount under the same order id is no double click: the customer must not pay what was asked for before.
 *
 * @returns The reply to that request, `under-way` while it is not answered, or undefined where there is no form to give.
 */
function earlierForm(
  error: unknown,
  wanted: Pick<RememberedAttempt, 'operation' | 'amount' | 'currency'>,
): AsyncCheckoutFormRedirect | 'under-way' | undefined {
  const { code, earlier } = (error ?? {}) as { readonly code?: unknown; readonly earlier?: RememberedAttempt }
  if (code !== 'ERR_ALREADY_SENT' || earlier === undefined) return undefined
  const isSame = (['operation', 'amount', 'currency'] as const).every(field => earlier[field] === wanted[field])
  if (!isSame) return undefined
  if (earlier.end === undefined) return 'under-way'
  const { kind, redirectUrl, orderId } = earlier.end
  if (kind !== 'accepted' || redirectUrl === undefined) return undefined
  return { redirectUrl, ...(orderId === undefined ? {} : { orderId }), raw: {} }
}
