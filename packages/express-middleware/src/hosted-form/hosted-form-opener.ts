/**
 * Opens hosted forms, in whatever framework: an order in, an answer out that sends the customer there.
 *
 * @see Interface specification, section 4, the -form operations
 * @module
 */
import { defaultProfile, isNoId } from '@tillkit/protocol'
import { checkCall, type OptionNames } from '../config/options.js'
import { systemClock } from '../config/time.js'
import { addressesFor, returnAddress } from '../http/addresses.js'
import { type Answer, failureAnswer, seeOtherAnswer } from '../http/answer.js'
import { allowedHosts, redirectTarget } from '../http/redirect-target.js'
import { pollingOf } from '../outcomes/poll-status.js'
import { issueState } from '../state/state.js'
import { checkFormOptions, formKeepingNames, type HostedFormKeeping } from './hosted-form-keeping.js'
import type { HostedFormOperation, HostedFormOrder, HostedFormRequests } from './hosted-form-operation.js'
import { openForm } from './open-form.js'

/** Options of {@link hostedFormOpener}. */
export interface HostedFormOpenerOptions<Operation extends HostedFormOperation = 'saleForm'>
  extends HostedFormKeeping<Operation> {
  /** Default: `saleForm`. */
  readonly operation?: Operation
  /** Where customers come back to, without the state: that is appended as one path segment. https, or loopback. */
  readonly returnUrl: URL | string
}

const optionNames: OptionNames<HostedFormOpenerOptions> = {
  ...formKeepingNames,
  operation: true,
  returnUrl: true,
}

/** Opens hosted forms. */
export interface HostedFormOpener<Operation extends HostedFormOperation = 'saleForm'> {
  /**
   * Creates the form of an order, or finds the one that a first click has created, and says how to answer: 303 to it.
   *
   * Store the order first: after a crash its `clientOrderId` is all there is. A second click must give the same order.
   * Never throws: what failed is in `error` of the answer, for your log and your page. The customer was sent to no form then; that
   * says nothing about one that was opened before. The status is then 502 unless the error has its own.
   */
  open(order: HostedFormOrder<Operation>): Promise<Answer>
}

/**
 * Makes an opener of hosted forms for any framework. `redirectToHostedForm` is the one for Express.
 *
 * @throws {TypeError} when an option is wrong.
 */
export function hostedFormOpener<Operation extends HostedFormOperation = 'saleForm'>(
  options: HostedFormOpenerOptions<Operation>,
): HostedFormOpener<Operation> {
  checkCall('hostedFormOpener', options, optionNames)
  checkFormOptions(options)
  const { operation = 'saleForm' as Operation, returnUrl } = options
  const redirect = formRedirect<Operation>(options)
  return {
    async open(order) {
      try {
        return await redirect({ ...checkedOrder(order), operation, order, returnUrl })
      } catch (error) {
        return failureAnswer(error, 502)
      }
    },
  }
}

/** What differs from form to form. */
interface WantedForm<Operation extends HostedFormOperation> {
  readonly clientOrderId: string
  readonly operation: Operation
  readonly order: HostedFormOrder<Operation>
  readonly returnUrl: URL | string
}

/** Makes what opens a form; that throws what `client` and `onCreated` throw, and where the answer must not be followed. */
export function formRedirect<Operation extends HostedFormOperation>(
  options: HostedFormKeeping<Operation>,
): (wanted: WantedForm<Operation>) => Promise<Answer> {
  const { client, stateLifetime = 86_400, clock = systemClock, profile = defaultProfile } = options
  const hosts = allowedHosts(client, options.redirectHosts)
  const addresses = addressesFor(client)
  const polling = pollingOf({ attempts: 40, interval: 250, ...options.polling })

  return async ({ clientOrderId, operation, order, returnUrl }) => {
    const subject = { clientOrderId, purpose: 'hosted-form', lifetime: stateLifetime, now: clock() } as const
    const state = await issueState(subject, options)
    const redirectUrl = returnAddress(returnUrl, { state, profile, operation, addresses })
    const form = { ...order, redirectUrl } as HostedFormRequests[Operation]
    const { reply, again } = await openForm(client, { operation, form, polling })
    await options.onCreated?.({ operation, clientOrderId, request: form, reply, again })
    return seeOtherAnswer(redirectTarget(reply, { clientOrderId, hosts, addresses }))
  }
}

/** @throws {TypeError} when it is no order that a form can be opened for. */
export function checkedOrder(order: { readonly clientOrderId?: unknown; readonly redirectUrl?: unknown } | undefined): {
  readonly clientOrderId: string
} {
  const { clientOrderId, redirectUrl } = order ?? {}
  if (typeof clientOrderId !== 'string' || isNoId(clientOrderId)) {
    throw new TypeError(
      'Option "order" must return an order with a "clientOrderId", or answer the request itself; nothing was sent.',
    )
  }
  if (redirectUrl !== undefined) {
    throw new TypeError('Option "order" returned a "redirectUrl"; leave it to "returnUrl". Nothing was sent.')
  }
  return { clientOrderId }
}
