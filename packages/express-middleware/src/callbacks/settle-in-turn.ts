/**
 * Settling orders in turn: what comes together about one together, not too often, not too many at once, and none for ever.
 *
 * @module
 */
import type { WireProfile } from '@tillkit/protocol'
import { timeLimit } from '../config/time.js'
import { orderIds } from '../customer-return/order-ids.js'
import { createOrderQueue } from '../outcomes/order-queue.js'
import type { CallbackReceiverOptions } from './callback-receiver.js'
import { type CallbackReport, report } from './callback-report.js'
import { foreignChanges } from './foreign-changes.js'
import { type CallbackIds, type CallbackMerchant, settleCallback } from './settle-callback.js'

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
