import { type AsyncCheckoutFormRedirect, defaultProfile, isNoId } from '@tillkit/protocol'
import { checkCall } from '../config/options.js'
import { systemClock } from '../config/time.js'
import { addressesFor, allowedHosts, merchantAddress, redirectTarget, returnAddress } from '../http/addresses.js'
import { type Answer, failureAnswer, seeOther } from '../http/answer.js'
import { type ExpectedPayment, signState } from '../state/token.js'
import {
  checkHostedFormOperation,
  formOptions,
  type HostedFormOperation,
  type HostedFormOptions,
  type HostedFormOrder,
  type HostedFormRequests,
  type OpenForm,
} from './options.js'

/** Options of {@link hostedFormOpener}. */
export interface HostedFormOpenerOptions<Operation extends HostedFormOperation = 'saleForm'>
  extends HostedFormOptions<Operation> {
  /** Default: `saleForm`. */
  readonly operation?: Operation
  /** Address that customers come back to, without the state: that is appended as one path segment. https, or loopback. */
  readonly returnUrl: URL | string
}

/** Opens hosted forms. */
export interface HostedFormOpener<Operation extends HostedFormOperation = 'saleForm'> {
  /**
   * Creates the form of an order, or takes the one that you hand back in `form`, and says how to answer: 303 to it.
   *
   * Store the order first: after a crash its `clientOrderId` is all there is. Called again without `form`, it opens a second form.
   * Never throws: what failed is in `error` of the answer, for your log and your page, and the status is 502 unless the error has
   * its own. The customer was sent to no form then; a form that was opened before may still be open.
   */
  open(order: HostedFormOrder<Operation>): Promise<Answer>
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
  checkCall('hostedFormOpener', options, formOptions)
  const open = formOpening<Operation, undefined>(options)
  return { open: order => open(order, undefined).catch(error => failureAnswer(error, 502)) }
}

/** Values are checked once, results of functions for each form. `Context` is what comes with an order, such as the request of Express. */
interface OpeningOptions<Operation extends HostedFormOperation, Context> extends HostedFormOptions<Operation> {
  readonly operation?: Operation | ((context: Context) => Operation)
  readonly returnUrl: URL | string | ((context: Context) => URL | string)
}

/** Makes a function that opens a form. It throws what `client` and `onCreated` throw, and for an answer that must not be followed. */
export function formOpening<Operation extends HostedFormOperation, Context>(
  options: OpeningOptions<Operation, Context>,
): (order: HostedFormOrder<Operation>, context: Context) => Promise<Answer> {
  const { client, stateSecrets, stateLifetime = 86_400, clock = systemClock, profile = defaultProfile } = options
  const targets = { hosts: allowedHosts(client, options.redirectHosts), addresses: addressesFor(client) }
  const { operation: chosen = 'saleForm' as Operation, returnUrl } = options
  if (typeof chosen !== 'function') checkHostedFormOperation(client, chosen)
  if (typeof returnUrl !== 'function') merchantAddress('returnUrl', returnUrl, targets.addresses)

  return async (given, context) => {
    const clientOrderId = orderIdOf(given)
    const { form, ...order } = given
    if (form !== undefined && form !== null) {
      return seeOther(redirectTarget(readForm(form), clientOrderId, targets))
    }
    const operation = typeof chosen === 'function' ? chosen(context) : chosen
    checkHostedFormOperation(client, operation)
    const base = typeof returnUrl === 'function' ? returnUrl(context) : returnUrl
    const address = merchantAddress('returnUrl', base, targets.addresses)
    const state = signState({
      clientOrderId,
      expected: expectedOf(operation, order),
      purpose: 'hosted-form',
      secrets: stateSecrets,
      lifetime: stateLifetime,
      now: clock(),
    })
    const redirectUrl = returnAddress(address, { state, profile, operation })
    const request = { ...order, redirectUrl } as unknown as HostedFormRequests[Operation]
    // The name and the record go together, which the compiler does not see.
    const create = client[operation] as (request: object) => Promise<AsyncCheckoutFormRedirect>
    const reply = await create.call(client, request)
    await options.onCreated?.({ operation, clientOrderId, form: formOf(reply), request, reply })
    return seeOther(redirectTarget(reply, clientOrderId, targets))
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
    throw new TypeError(
      'Option "order" returned a "redirectUrl"; leave it to "returnUrl". The address of a form that is open goes into "form". ' +
        'Nothing was sent.',
    )
  }
  return clientOrderId
}

/** Reads the form that the merchant hands back. @throws {TypeError} for anything else: a second form would be opened in its place. */
function readForm(form: OpenForm): AsyncCheckoutFormRedirect {
  const { redirectUrl, orderId } = form
  if (typeof redirectUrl !== 'string') {
    throw new TypeError(
      'Option "order" returned a "form" without a "redirectUrl". Hand back what "onCreated" was given. Nothing was sent.',
    )
  }
  return { redirectUrl, ...(orderId === undefined ? {} : { orderId }), raw: {} }
}

const formOf = ({ redirectUrl, orderId }: AsyncCheckoutFormRedirect): OpenForm => ({
  redirectUrl,
  ...(orderId === undefined ? {} : { orderId }),
})

function expectedOf(
  operation: HostedFormOperation,
  { amount, currency }: { readonly amount?: unknown; readonly currency?: unknown },
): ExpectedPayment {
  if (typeof amount !== 'string' || typeof currency !== 'string') return { operation }
  return { operation, amount: amount.trim(), currency: currency.trim() }
}
