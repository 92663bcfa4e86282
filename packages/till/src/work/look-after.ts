import {
  causeText,
  createOrderQueue,
  handlerFailure,
  type VerifiedCallback,
  withDeadline,
} from '@tillkit/express-middleware/core'
import { quote, type WireProfile } from '@tillkit/protocol'
import { type CallbackResult, type LookedAfter, notShown } from '../intents/callback.js'
import type { Accounts } from '../payment/accounts.js'
import type { Deliveries } from '../payment/deliveries.js'
import { isAwaited } from '../rules/orders/expected.js'
import { isGivenUp } from '../rules/orders/reserve.js'
import { type ReportedResult, reportedResult } from '../rules/reported.js'
import { findOrder } from '../state/document.js'

/** An order that callbacks came for, or that the work in the background looks after. */
export interface OrderToLookAfter {
  /** The login of one of the till's accounts. */
  readonly login: string
  readonly clientOrderId: string
  /** The gateway's order id; empty where it is not known. */
  readonly orderId: string
  /** The callbacks that this process still has to answer. Absent: there is none. */
  readonly callbacks?: readonly VerifiedCallback[]
}

/** Asks about an order and delivers what was not told. It never rejects: what goes wrong is in the result. */
export type LookAfter = (order: OrderToLookAfter) => Promise<ReportedResult>

/** Everything that looking after orders needs. */
export interface LookAfterContext {
  readonly accounts: Accounts
  readonly deliveries: Pick<Deliveries, 'lookAfter' | 'handlerTimeout'>
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

/**
 * The least pause between two questions about one order, and what it grows to while its callbacks do not pause and say nothing new, in
 * milliseconds.
 */
const [interval, longestInterval] = [1_000, 60_000]

/** Most orders that are looked after at once. */
const concurrency = 100

/** Makes what looks after orders. Callbacks of one order that come together are taken together, and not too often. */
export function createLookingAfter({ accounts, deliveries, clock, wait }: LookAfterContext): LookAfter {
  const isNews = (looked: CallbackResult) => looked.kind === 'asked' && looked.delivered.kind === 'told'
  const queue = createOrderQueue<CallbackResult>({ interval, longestInterval, isNews, concurrency, clock, wait })
  const together = new Map<string, VerifiedCallback[]>()
  const milliseconds = 2 * deliveries.handlerTimeout
  // Work that never ends must hold up no other.
  const late = (): never => {
    throw new Error(`It was not over within ${milliseconds} ms. Does status or the store ever answer?`)
  }
  return async order => {
    const { login, clientOrderId, orderId, callbacks = [] } = order
    const key = JSON.stringify([login, clientOrderId, orderId])
    together.set(key, [...(together.get(key) ?? []), ...callbacks])
    const profile = (accounts.ofLogin(login) ?? accounts.all[0]).profile
    try {
      const looked = await queue.run(key, () => {
        const waiting = together.get(key)
        together.delete(key)
        return withDeadline(deliveries.lookAfter({ ...order, callbacks: waiting ?? [] }), { milliseconds, wait, late })
      })
      return cameTo(looked, { ...order, callbacks, profile })
    } catch (cause) {
      const explanation = `Order ${quote(clientOrderId)} could not be looked after: ${causeText(cause)}.`
      return reportedResult('failed', explanation, { cause })
    }
  }
}

type Called = Required<OrderToLookAfter> & { readonly profile: WireProfile }

/** Says for people how asking and delivering ended. */
function cameTo(looked: CallbackResult, called: Called): ReportedResult {
  const { clientOrderId, orderId } = called
  const named = `Order ${quote(clientOrderId)}`
  switch (looked.kind) {
    case 'no-order':
      return reportedResult('unmatched', `${named} (orderid ${quote(orderId)}) has no request in the store.`)
    case 'other-order': {
      const explanation = `${named} is orderid ${quote(looked.order.orderId)}; the callback says ${quote(orderId)}.`
      const why = looked.isShown ? 'Its payment has no room for that one.' : 'Status does not show that one.'
      return reportedResult('other-order', `${explanation} ${why}`)
    }
    case 'asked':
      return deliveredTo(looked, called) ?? askedTo(looked, called)
  }
}

/** The result where delivering was not brought to its end. @throws Why it is not known whether something was told. */
function deliveredTo({ delivered, order }: LookedAfter, { clientOrderId }: Called): ReportedResult | undefined {
  switch (delivered.kind) {
    case 'unknown':
      throw delivered.cause
    case 'busy': {
      const explanation = `An outcome of order ${quote(clientOrderId)} is being handled, here or elsewhere, or this was closed before.`
      return reportedResult('busy', explanation)
    }
    case 'failed': {
      const { payment } = delivered
      const reference = payment?.reference ?? order.clientOrderId ?? clientOrderId
      const { explanation, cause } = handlerFailure(reference, delivered.cause)
      return reportedResult('handler-failed', explanation, { cause })
    }
    default:
      return undefined
  }
}

function askedTo(looked: LookedAfter, { clientOrderId, callbacks, profile }: Called): ReportedResult {
  const { order, failure, isWhole, delivered } = looked
  const named = `order ${quote(order.clientOrderId ?? clientOrderId)}`
  if (failure !== undefined) {
    const isRefused = Object(failure.cause).code === 'ERR_REQUEST_REFUSED'
    // A person gave the order up, since the gateway does not know it. That it still does not is no news.
    if (callbacks.length === 0 && isRefused && isGivenUp(order))
      return reportedResult('not-final', `Status does not know ${named}, as a person said. It is asked about again.`)
    const explanation = `Status of ${named} could not be read; nothing is concluded from that.`
    return reportedResult('no-answer', explanation, failure)
  }
  if (!isWhole) {
    const about = `Asked for ${named}, orderid ${quote(order.orderId)}, status answered about another one.`
    return reportedResult('other-order', `${about} Nothing was concluded from it.`)
  }
  const { payment } = delivered
  const now = payment === undefined ? undefined : findOrder(payment, order)
  if (now !== undefined && isAwaited(now)) return reportedResult('not-final', `Status does not say how ${named} ended.`)
  if (notShown({ callbacks, profile }, looked) !== undefined)
    return reportedResult('not-shown', `Status does not show yet what the callback of ${named} says.`)
  return delivered.kind === 'told'
    ? reportedResult('told', `Every outcome of ${named} has been told.`)
    : reportedResult('known', 'Status says nothing that was not told before.')
}
