/**
 * Opens hosted forms, in whatever framework: an order in, an answer out that sends the customer there.
 *
 * @see Interface specification, section 4, the -form operations
 * @module
 */
import { type AsyncCheckoutFormRedirect, defaultProfile, isNoId, type RememberedAttempt } from '@tillkit/protocol'
import { checkCall, type OptionNames } from '../config/options.js'
import { systemClock } from '../config/time.js'
import { addressesFor, allowedHosts, redirectTarget, returnAddress } from '../http/addresses.js'
import { type Answer, failureAnswer, seeOtherAnswer } from '../http/answer.js'
import { type Polling, pollingOf } from '../outcomes/poll.js'
import { issueState } from '../state/state.js'
import {
  checkFormOptions,
  formKeepingNames,
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

/** What to ask the gateway for. */
export interface FormToOpen {
  readonly operation: HostedFormOperation
  readonly form: object
  readonly polling: Required<Polling>
}

/** A form that is open. */
export interface OpenForm {
  readonly reply: AsyncCheckoutFormRedirect
  /** It was created before; of `reply` only its address and the order id are known. */
  readonly again: boolean
}

/** Creates the form, or finds the first one. Asking again sends nothing: the port refuses it. */
export async function openForm(client: object, { operation, form, polling }: FormToOpen): Promise<OpenForm> {
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

/** What is asked for now. */
export interface SameForm {
  readonly operation: string
  readonly amount?: string | undefined
  readonly currency?: string | undefined
}

/** What the attempts port remembers of the first request for a form. */
export type FormAgain =
  /** The form exists, and this is where. */
  | { readonly form: 'open'; readonly redirectUrl: string; readonly orderId?: string | undefined }
  /** The first request is not answered yet. */
  | { readonly form: 'under-way' }
  /** There is none that could be given: the error stands. */
  | { readonly form: 'none' }

/** Reads what an error says of an earlier request for the same form; `none` for any other error. */
export function formAgain(error: unknown, wanted: SameForm): FormAgain {
  const earlier = earlierAttempt(error)
  // Another amount under the same order id is no double click: the customer must not pay what was asked for before.
  if (earlier === undefined || !isSame(earlier, wanted)) return { form: 'none' }
  const { end } = earlier
  if (end === undefined) return { form: 'under-way' }
  if (end.kind !== 'accepted' || end.redirectUrl === undefined) return { form: 'none' }
  return { form: 'open', redirectUrl: end.redirectUrl, orderId: end.orderId }
}

function earlierAttempt(error: unknown): RememberedAttempt | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, earlier } = error as { readonly code?: unknown; readonly earlier?: RememberedAttempt }
  return code === 'ERR_ALREADY_SENT' ? earlier : undefined
}

const isSame = (earlier: RememberedAttempt, { operation, amount, currency }: SameForm): boolean =>
  earlier.operation === operation && earlier.amount === amount && earlier.currency === currency
