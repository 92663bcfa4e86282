/**
 * One verified callback, taken for the hint that it is: the order is looked up, status is asked, outcomes are told.
 *
 * @module
 */
import type { StatusAsker, WireProfile } from '@tillkit/protocol'
import type { ControlKeys } from '@tillkit/signing'
import { OrderMismatchError, quote } from '../config/errors.js'
import { timeLimit } from '../config/time.js'
import { type AwaitedOrder, askAboutOrder, checkAwaitedOrder, type Finding, orderIds } from '../outcomes/ask.js'
import { createOrderQueue } from '../outcomes/order-queue.js'
import { receivedOutcome } from '../outcomes/received.js'
import { type DeliverOptions, deliverOutcome } from '../outcomes/tell.js'
import { boundedMap } from '../state/bounded-map.js'
import type { CallbackReceiverOptions } from './receiver.js'
import { type CallbackReport, report } from './result.js'

/** A merchant whose callbacks are received. */
export interface CallbackMerchant {
  /** Merchant login. It is part of what identifies an outcome. */
  readonly login: string
  /** Merchant control key, or several while one is being replaced. */
  readonly controlKeys: ControlKeys
  /** Asks status. It is handed in, so that any client will do. */
  readonly client: StatusAsker
}

/** Ids of a verified callback, and whose it is. */
export interface CallbackIds {
  /** Merchant login. */
  readonly login: string
  readonly clientOrderId: string
  /** The gateway's order id. */
  readonly orderId: string
}

/** What settling works with. */
export interface SettleCallbackOptions extends DeliverOptions {
  readonly client: StatusAsker
  readonly clock: () => number
  readonly profile: WireProfile | undefined
  /** Whether something has been there, unexpected, for so long that no request of the merchant's own can be behind it. */
  readonly isForeign: (key: string) => boolean
  readonly findOrder: (ids: CallbackIds) => AwaitedOrder | undefined | Promise<AwaitedOrder | undefined>
}

/** Settles what a verified callback is about. It never throws: what goes wrong is in the report. */
export async function settleCallback(ids: CallbackIds, options: SettleCallbackOptions): Promise<CallbackReport> {
  try {
    const known = (await options.findOrder(ids)) ?? undefined
    if (known === undefined) {
      return report(
        'unknown-order',
        `Nothing is known of order ${quote(ids.clientOrderId)} (orderid ${quote(ids.orderId)}).`,
      )
    }
    const { order } = checkAwaitedOrder(known)
    if (order.clientOrderId !== ids.clientOrderId) {
      throw new OrderMismatchError(
        `Option "order" was asked for order ${ids.clientOrderId} and returned order ${order.clientOrderId}. Status was not asked.`,
        { status: 500 },
      )
    }
    if (order.orderId !== undefined && order.orderId !== ids.orderId) {
      const explanation = `Order ${quote(ids.clientOrderId)} is orderid ${quote(order.orderId)}; the callback says ${quote(ids.orderId)}.`
      return report('other-order', `${explanation} Status was not asked.`)
    }
    return await tellFindings({ ...known, order: { ...order, orderId: ids.orderId } }, { ids, options })
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    return report('failed', `Order ${quote(ids.clientOrderId)} could not be settled: ${message}`, { cause })
  }
}

async function tellFindings(
  known: AwaitedOrder,
  { ids, options }: { readonly ids: CallbackIds; readonly options: SettleCallbackOptions },
): Promise<CallbackReport> {
  const { client, clock, profile } = options
  const findings = await askAboutOrder(known, { client, clock, ...(profile === undefined ? {} : { profile }) })
  for (const finding of findings) {
    if (!finding.conclusive) continue
    const { isExpected, mayBeOwn, settlement } = finding
    const received = receivedOutcome(settlement, { login: ids.login, isExpected })
    if (mayBeOwn && !options.isForeign(received.key)) {
      return report(
        'not-expected',
        `Status speaks of a ${settlement.stage.stage} of order ${quote(ids.clientOrderId)} that is not waited for. It may be one of ` +
          'yours whose answer is not stored yet; if it still is not waited for in a minute, the next callback tells of it.',
      )
    }
    const delivery = await deliverOutcome(received, options)
    if (delivery === 'busy') {
      return report('busy', `An outcome of order ${quote(ids.clientOrderId)} is being handled, here or elsewhere.`)
    }
  }
  const open = findings.filter(isOpen)
  const worst = open.find(({ reason }) => reason !== 'known')
  if (worst !== undefined) {
    return report(worst.reason, worst.explanation, 'cause' in worst ? { cause: worst.cause } : {})
  }
  return open.length === findings.length
    ? report('known', 'Status says what your order says already.')
    : report('told', `Every outcome of order ${quote(ids.clientOrderId)} has been told.`)
}

const isOpen = (finding: Finding): finding is Extract<Finding, { conclusive: false }> => !finding.conclusive

/** What settling works with: the options of the receiver, their defaults filled in. */
export type SettleInTurnOptions<Context> = Pick<CallbackReceiverOptions<Context>, 'order' | 'onOutcome' | 'inbox'> &
  Required<Pick<CallbackReceiverOptions<Context>, 'lease' | 'interval' | 'concurrency' | 'clock' | 'wait'>> & {
    readonly profile: WireProfile | undefined
  }

/** Settles. */
export interface SettleInTurn<Context> {
  /** Settles what a verified callback is about, when it is its turn. */
  settle(
    ids: CallbackIds,
    whose: { readonly merchant: CallbackMerchant; readonly context: Context | undefined },
  ): Promise<CallbackReport>
  /** What `work` comes to, or that it failed once two leases are over: work that never ends must hold up nobody. */
  within(work: Promise<CallbackReport>): Promise<CallbackReport>
}

/** What an interval grows to while an order is asked about without a pause, in milliseconds. */
const minute = 60_000

/** Makes it. */
export function settleInTurn<Context>(options: SettleInTurnOptions<Context>): SettleInTurn<Context> {
  const { order, onOutcome, inbox, profile, lease, interval, concurrency, clock, wait } = options
  const longestInterval = Math.max(interval, minute)
  const queue = createOrderQueue<CallbackReport>({ interval, longestInterval, concurrency, clock, wait })
  const isForeign = foreignChanges({ clock })
  const settling = { clock, profile, inbox, onOutcome, lease, wait, isForeign }

  const within = async (work: Promise<CallbackReport>): Promise<CallbackReport> => {
    const limit = timeLimit(2 * lease, wait)
    try {
      return await limit.race(work, () =>
        report('failed', `It was not settled within ${2 * lease} ms. Does "order", status or the inbox ever answer?`),
      )
    } finally {
      limit.end()
    }
  }

  return {
    within,
    settle: (ids, { merchant: { client }, context }) =>
      queue.run(JSON.stringify([ids.login, ids.clientOrderId, ids.orderId]), () =>
        within(settleCallback(ids, { ...settling, client, findOrder: each => order(orderIds(each), context) })),
      ),
  }
}

/** Longer than any request takes, in milliseconds. */
const patience = 60_000

/** Most changes that are remembered. */
const capacity = 10_000

/**
 * Remembers when each change was first seen unexpected, in this process: the gateway goes on sending its callback.
 *
 * @returns Whether the change with this key was there a minute ago already.
 */
export function foreignChanges({ clock }: { readonly clock: () => number }): (key: string) => boolean {
  const firstSeen = boundedMap<number>(capacity)
  return key => {
    const now = clock()
    const since = firstSeen.get(key) ?? now
    if (since === now) firstSeen.set(key, now)
    return now - since >= patience
  }
}
