import {
  documentKey,
  isAwaited,
  isUntold,
  type KeptPayments,
  type KnownOrder,
  nextPause,
  notify,
  type Pace,
  readDocument,
  type Stored,
  startPace,
} from '@tillkit/protocol'
import type { ReceiverSettings, ReportedResult } from './options.js'
import { callbackResult } from './settle.js'

/** One order that this process works on, or will after a pause. */
interface Plan {
  /** Another callback came since the last try began. */
  hasNews: boolean
  pausing: AbortController | undefined
}

/** An order that there is work on. */
export interface OrderWork {
  /** Of its payment's document. */
  readonly key: string
  readonly login: string
  readonly clientOrderId: string
  readonly orderId: string
}

/**
 * Makes what works on callbacks that are answered before, and on what a crash left behind: until they have brought their outcome, at
 * growing intervals.
 */
export function createStoredCallbacks<Context, Transaction>(
  settings: ReceiverSettings<Context, Transaction>,
  work: (order: OrderWork) => Promise<ReportedResult>,
) {
  const { store, retry: schedule, clock, wait, onReport, lease } = settings
  const closed = new AbortController()
  const underWay = new Set<Promise<void>>()
  const plans = new Map<string, Plan>()
  const planKey = ({ login, clientOrderId }: OrderWork) => JSON.stringify([login, clientOrderId])

  /** One try. @returns Whether nothing is left to do. */
  const attempt = async (order: OrderWork): Promise<boolean> => {
    const result = await work(order).catch(cause =>
      callbackResult('failed', `Order ${order.clientOrderId} could not be worked on.`, { cause }),
    )
    notify(() => onReport(result, undefined))
    return result.status === 200
  }

  const workOn = async (order: OrderWork, plan: Plan): Promise<void> => {
    let pace: Pace = startPace(clock())
    while (!closed.signal.aborted) {
      plan.hasNews = false
      const isDone = await attempt(order)
      if (plan.hasNews) {
        pace = startPace(clock())
        continue
      }
      const next = isDone ? undefined : nextPause(pace, { schedule, now: clock(), random: () => 0 })
      if (next === undefined) {
        // Now, not a turn later: what comes from here on begins anew.
        plans.delete(planKey(order))
        return
      }
      pace = next.pace
      plan.pausing = new AbortController()
      await wait(next.pause, AbortSignal.any([closed.signal, plan.pausing.signal]))
    }
  }

  const begin = (order: OrderWork): void => {
    const plan: Plan = { hasNews: false, pausing: undefined }
    plans.set(planKey(order), plan)
    const working = workOn(order, plan).finally(() => underWay.delete(working))
    underWay.add(working)
  }

  return {
    /** Begins to work on an order that a callback came for. */
    begin(order: OrderWork): void {
      const plan = plans.get(planKey(order))
      if (plan === undefined) begin(order)
      else {
        plan.hasNews = true
        plan.pausing?.abort()
      }
    },
    async resume(): Promise<number> {
      const { items } = await store.take({ limit: 100, hold: 2 * lease })
      const orders = items.flatMap(stored => {
        try {
          return ordersOf(stored)
        } catch (cause) {
          notify(() =>
            onReport(callbackResult('failed', 'What the store has left to do cannot be read.', { cause }), undefined),
          )
          return []
        }
      })
      for (const order of orders) if (!plans.has(planKey(order))) begin(order)
      return orders.length
    },
    async close(): Promise<void> {
      closed.abort()
      await Promise.all(underWay)
    },
  }
}

/** The orders of a document that there is work on. What is kept of anything else than payments has none. */
function ordersOf(stored: Stored): readonly OrderWork[] {
  const { key } = stored
  if (!key.startsWith('payment/')) return []
  const hasWork = (order: KnownOrder) =>
    order.callbackAt !== undefined || isAwaited(order) || order.stages.some(isUntold)
  return readDocument(stored).orders.flatMap(order => {
    const { login, clientOrderId, orderId = '' } = order
    return clientOrderId === undefined || !hasWork(order) ? [] : [{ key, login, clientOrderId, orderId }]
  })
}

/** Whether an order of a document is one of this merchant's, under the name that its client has. */
export const isIn = (payments: KeptPayments, order: OrderWork): boolean =>
  payments.login === order.login && documentKey(order, payments) === order.key
