/**
 * A customer who comes to an address with a state in it: which order it is about, what status says, and where to go next.
 *
 * The browser is believed in nothing. What both the return from a hosted form and the pages of 3DS have in common.
 *
 * @module
 */
import {
  type AskedSettlement,
  type Expectation,
  mayRepeat,
  type Order,
  type StatusAsker,
  type WireProfile,
} from '@tillkit/protocol'
import type { ControlKeys } from '@tillkit/signing'
import { checkCallback } from '../callbacks/check.js'
import type { CallbackIds } from '../callbacks/settle.js'
import { OrderMismatchError, quote, RedirectRefusedError, type Rejection } from '../config/errors.js'
import {
  checkControlKeys,
  checkFunction,
  checkOptionalFunction,
  checkOptionalProfile,
  checkPolling,
} from '../config/options.js'
import { sameOriginPath } from '../http/addresses.js'
import type { ReadParameters } from '../http/parameters.js'
import { type AwaitedOrder, checkAwaitedOrder, orderIds } from '../outcomes/ask.js'
import type { Polling } from '../outcomes/poll.js'
import type { OutcomeView } from '../outcomes/received.js'
import { checkOptionalOutcomes, tellWhileCustomerWaits, type VisitOutcomes } from '../outcomes/tell.js'
import { checkOptionalReferences } from '../state/references.js'
import { checkStateSecrets } from '../state/secrets.js'
import type { StateKeeping } from '../state/state.js'

/** What a visit is about: an order, and what is waited for of it. */
export interface VisitedOrder {
  readonly order: Order
  readonly expected: Expectation
}

/** Options of whatever customers come back to. `Context` is what comes with each of them, such as the request of Express. */
export interface VisitOptions<Context> extends StateKeeping {
  /** For the control value of the browser's parameters, which is only ever reported on. */
  readonly controlKeys: ControlKeys
  /** Asks status. It is handed in, so that any client will do. */
  readonly client: StatusAsker
  /**
   * Finds an order, and may be the function that `receiveCallbacks` has. Undefined where you know nothing of it: the customer is
   * sent on with `checking`, as where nothing is waited for, and `onRejected` is told.
   */
  readonly order: (
    ids: Pick<CallbackIds, 'clientOrderId'>,
  ) => AwaitedOrder | undefined | Promise<AwaitedOrder | undefined>
  /**
   * Told of every outcome once, whoever learns of it first: this visit, another one or a callback. Either this or
   * `onSettlement` is needed.
   */
  readonly outcomes?: VisitOutcomes
  /**
   * Told what status said, each time it was asked, and before `outcomes`; visits that come together ask together. Store what
   * `reduceOrder` of `@tillkit/protocol` makes of your current order and `settlement.observation`, so that what a callback
   * brought meanwhile is not lost; fulfil where it settled. Customers reload, and a callback may have brought the same
   * before: what must run once belongs into `outcomes`.
   */
  readonly onSettlement?: (
    settlement: AskedSettlement,
    context: { readonly clientOrderId: string },
  ) => void | Promise<void>
  /** Path of a GET page of this very site. Anything that leads elsewhere is refused. */
  readonly redirectTo: (result: { readonly clientOrderId: string; readonly view: OutcomeView }) => string
  /** How often status is asked while the customer waits. */
  readonly polling?: Polling
  /** Milliseconds since the epoch. Default: the system clock. */
  readonly clock?: () => number
  /** Default: `defaultProfile`. */
  readonly profile?: WireProfile
  /**
   * Told why a state or the browser's parameters were refused, or that `order` knows nothing of an order, and what came with
   * them. The sender is not told. What it throws is dropped. Default: the process is warned, once a minute for each reason.
   */
  readonly onRejected?: (rejection: Rejection, context: Context) => void
}

/** Names of those options. */
export const visitOptionNames = {
  stateSecrets: true,
  references: true,
  controlKeys: true,
  client: true,
  order: true,
  outcomes: true,
  onSettlement: true,
  redirectTo: true,
  polling: true,
  clock: true,
  profile: true,
  onRejected: true,
} as const

/** @throws {TypeError} when an option is wrong. */
export function checkVisitOptions<Context>(options: VisitOptions<Context>): void {
  checkStateSecrets(options.stateSecrets)
  checkOptionalReferences(options.references)
  checkControlKeys(options.controlKeys)
  checkOptionalProfile(options.profile, 'browserReturnItems')
  checkSeparateSecrets(options)
  if (typeof options.client?.status !== 'function') {
    throw new TypeError('Option "client" must have a method "status", as createClient of @tillkit/client makes it.')
  }
  checkFunction('order', options.order)
  checkOptionalOutcomes(options.outcomes)
  checkOptionalFunction('onSettlement', options.onSettlement)
  if (options.outcomes === undefined && options.onSettlement === undefined) {
    throw new TypeError('Option "outcomes" or "onSettlement" is needed: nobody would learn how the order ended.')
  }
  checkFunction('redirectTo', options.redirectTo)
  checkPolling(options.polling)
  checkOptionalFunction('clock', options.clock)
  checkOptionalFunction('onRejected', options.onRejected)
}

/** Whoever leaks one of the two must not have leaked the other. */
function checkSeparateSecrets({
  stateSecrets,
  controlKeys,
}: Pick<VisitOptions<never>, 'stateSecrets' | 'controlKeys'>): void {
  const keys = (Array.isArray(controlKeys) ? controlKeys : [controlKeys]).map(entry =>
    typeof entry === 'string' ? entry : entry.key,
  )
  if (stateSecrets.some(({ secret }) => typeof secret === 'string' && keys.includes(secret))) {
    throw new TypeError('Option "stateSecrets" holds a control key. Make a secret of its own.')
  }
}

/** What to report where the merchant knows nothing of an order that a state of its own names. */
export const unknownOrder = (clientOrderId: string): Rejection => ({
  reason: 'unknown-order',
  explanation: `Nothing is known of order ${quote(clientOrderId)}, for which a customer came back.`,
})

/**
 * What the merchant knows of an order.
 *
 * @param onUnknown Called where that is nothing.
 * @throws {@link OrderMismatchError} when it is another one.
 */
export async function knownOrder(
  { order }: Pick<VisitOptions<never>, 'order'>,
  { clientOrderId, onUnknown }: { readonly clientOrderId: string; readonly onUnknown: () => void },
): Promise<VisitedOrder | undefined> {
  const returned = await order(orderIds({ clientOrderId }))
  if (returned === undefined || returned === null) {
    onUnknown()
    return undefined
  }
  const known = checkAwaitedOrder(returned)
  if (known.order.clientOrderId === clientOrderId) {
    const list: readonly Expectation[] = Array.isArray(known.expected) ? known.expected : [known.expected]
    return list.length === 0 ? undefined : { order: known.order, expected: madeBy(list) }
  }
  throw new OrderMismatchError(
    `Option "order" was asked for order ${clientOrderId} and returned order ${known.order.clientOrderId}. Status was not asked.`,
    { status: 500 },
  )
}

/** What made the order: a customer comes back for nothing else. */
function madeBy(list: readonly Expectation[]): Expectation {
  // What is no expectation at all is refused when status is to be asked.
  return list.find(each => each?.stages?.some(stage => !mayRepeat(stage))) ?? (list[0] as Expectation)
}

/** Tells the merchant what status said in a visit. */
export async function tellSettlement(
  { onSettlement, outcomes }: Pick<VisitOptions<never>, 'onSettlement' | 'outcomes'>,
  { settlement, clientOrderId }: { readonly settlement: AskedSettlement; readonly clientOrderId: string },
): Promise<void> {
  await onSettlement?.(settlement, { clientOrderId })
  if (outcomes !== undefined) await tellWhileCustomerWaits(settlement, outcomes)
}

/** The merchant's page. @throws {@link RedirectRefusedError} when it is none of this site. */
export function pageFor(
  { redirectTo }: Pick<VisitOptions<never>, 'redirectTo'>,
  result: { readonly clientOrderId: string; readonly view: OutcomeView },
): string {
  const path = redirectTo(result)
  const location = sameOriginPath(path)
  if (location !== undefined) return location
  throw new RedirectRefusedError(
    `Option "redirectTo" returned ${quote(String(path))} for order ${result.clientOrderId}. It must be a path of this ` +
      'site, starting with one "/".',
    { status: 500 },
  )
}

/** What is wrong with what a browser brought. One that reloads the page brings nothing at all; that is no rejection. */
export function browserRejection(
  read: ReadParameters,
  {
    clientOrderId,
    options,
  }: {
    readonly clientOrderId: string
    readonly options: Pick<VisitOptions<never>, 'controlKeys' | 'profile'>
  },
): Rejection | undefined {
  if (!read.read) return { reason: read.reason, explanation: read.explanation }
  if (read.parameters.length === 0) return undefined
  const { controlKeys, profile } = options
  const verdict = checkCallback({ parameters: read.parameters, controlKeys, profile, kind: 'browser-return' })
  if (!verdict.verified) return { reason: verdict.reason, explanation: verdict.explanation }
  const named = verdict.callback.signed.clientOrderId
  if (named === clientOrderId) return undefined
  return {
    reason: 'other-order',
    explanation: `The browser returned for order ${quote(named)} with the state of order ${quote(clientOrderId)}.`,
  }
}
