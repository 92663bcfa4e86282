import {
  documentKey,
  isAwaited,
  isUntold,
  type KeptPayments,
  type KnownOrder,
  lookAgainAt,
  nextPause,
  notify,
  type Pace,
  type PaymentDocument,
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
  /** Whether there is news of it: a callback, or an outcome that was not told. What is only awaited is asked about once. */
  readonly hasNews: boolean
}

/** What one try at an order came to. */
export interface Worked {
  /** Absent where there is nothing to say. */
  readonly result?: ReportedResult
  /** Whether it is an order of the merchant who is at work: any other is left to whoever has it. */
  readonly isOwn: boolean
}

/** How work on an order ended: nothing is left to do, it has not come to its end, or somebody else has it. */
type End = 'done' | 'open' | 'foreign'

/**
 * Makes what works on callbacks that are answered before, and on what a crash left behind: until they have brought their outcome, at
 * growing intervals.
 */
export function createStoredCallbacks<Context, Transaction>(
  settings: ReceiverSettings<Context, Transaction>,
  work: (order: OrderWork) => Promise<Worked>,
) {
  const { store, retry: schedule, clock, wait, onReport, lease } = settings
  const closed = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  const plans = new Map<string, Plan>()
  const planKey = ({ key, login, clientOrderId }: OrderWork) => JSON.stringify([key, login, clientOrderId])

  const report = (result: ReportedResult) => notify(() => onReport(result, undefined))
  const track = <Result>(working: Promise<Result>): Promise<Result> => {
    underWay.add(working)
    const over = () => underWay.delete(working)
    working.then(over, over)
    return working
  }

  /** One try. */
  const attempt = async (order: OrderWork): Promise<End> => {
    const { result, isOwn }: Worked = await work(order).catch(cause => ({
      result: callbackResult('failed', `Order ${order.clientOrderId} could not be worked on.`, { cause }),
      isOwn: true,
    }))
    if (result !== undefined) report(result)
    if (!isOwn) return 'foreign'
    return result?.status === 200 ? 'done' : 'open'
  }

  const workOn = async (order: OrderWork, plan: Plan): Promise<End> => {
    let pace: Pace = startPace(clock())
    let end: End = 'open'
    let { hasNews } = order
    while (!closed.signal.aborted) {
      plan.hasNews = false
      end = await attempt(order)
      if (plan.hasNews) {
        hasNews = true
        pace = startPace(clock())
        continue
      }
      const isLeft = end === 'open' && hasNews
      const next = isLeft ? nextPause(pace, { schedule, now: clock(), random: () => 0 }) : undefined
      if (next === undefined) {
        // Now, not a turn later: what comes from here on begins anew.
        plans.delete(planKey(order))
        break
      }
      pace = next.pace
      plan.pausing = new AbortController()
      await wait(next.pause, AbortSignal.any([closed.signal, plan.pausing.signal]))
    }
    return end
  }

  const begin = (order: OrderWork): Promise<End> => {
    const plan: Plan = { hasNews: false, pausing: undefined }
    plans.set(planKey(order), plan)
    return track(workOn(order, plan))
  }

  /**
   * Works on what one document has left to do, and dates it anew if that brought nothing: it must take no turn from others. What
   * belongs to somebody else is given back at once.
   */
  const takeUp = async (stored: Stored, { document, orders }: Left, at: number): Promise<void> => {
    // What is worked on here is handed out soon again, should this process die.
    if (orders.some(each => plans.has(planKey(each)))) return
    const ends = await Promise.all(orders.map(begin))
    const isGivenBack = closed.signal.aborted || ends.includes('foreign')
    await store.postpone(stored.key, stored.version, isGivenBack ? at : lookAgainAt(document, at))
  }

  return {
    /** Begins to work on an order that a callback came for. */
    begin(order: OrderWork): void {
      const plan = plans.get(planKey(order))
      if (plan === undefined) void begin(order)
      else {
        plan.hasNews = true
        plan.pausing?.abort()
      }
    },
    async resume(): Promise<number> {
      const { items, at } = await store.take({ limit: 100, hold: 2 * lease })
      let count = 0
      for (const stored of items) {
        const left = leftIn(stored)
        if (left.kind === 'left') {
          count += left.orders.length
          // Where its date stays, it is handed out again.
          void track(takeUp(stored, left, at).catch(() => undefined))
          continue
        }
        if (left.kind === 'unreadable') {
          const { cause } = left
          report(callbackResult('failed', 'What the store has left to do cannot be read.', { cause }))
        }
        await store.postpone(stored.key, stored.version, at).catch(() => undefined)
      }
      return count
    },
    async close(): Promise<void> {
      closed.abort()
      await Promise.all(underWay)
    },
  }
}

/** What a document has left to do. */
interface Left {
  readonly document: PaymentDocument
  readonly orders: readonly OrderWork[]
}

/** What there is to do about a document; none of ours where another program wrote it. */
function leftIn(
  stored: Stored,
): ({ readonly kind: 'left' } & Left) | { readonly kind: 'unreadable'; readonly cause: unknown } | { kind: 'none' } {
  const { key } = stored
  if (!/^(?:payment|order|attempt)\//.test(key)) return { kind: 'none' }
  try {
    const document = readDocument(stored)
    return { kind: 'left', document, orders: key.startsWith('payment/') ? ordersOf(document, key) : [] }
  } catch (cause) {
    return { kind: 'unreadable', cause }
  }
}

/** The orders of a payment that there is work on. */
function ordersOf({ orders }: PaymentDocument, key: string): readonly OrderWork[] {
  const hasNews = (order: KnownOrder) => order.callbackAt !== undefined || order.stages.some(isUntold)
  return orders.flatMap(order => {
    const { login, clientOrderId, orderId = '' } = order
    if (clientOrderId === undefined || !(hasNews(order) || isAwaited(order))) return []
    return [{ key, login, clientOrderId, orderId, hasNews: hasNews(order) }]
  })
}

/** Whether a document is one of the name that a merchant's client has. */
export const isOfName = (payments: KeptPayments, order: OrderWork): boolean =>
  documentKey(order, payments) === order.key
