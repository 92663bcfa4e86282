import {
  documentKey,
  isAwaited,
  isUntold,
  isWatched,
  type KeptPayments,
  type KnownOrder,
  lookAgainAt,
  nextPause,
  notify,
  type Pace,
  type PaymentDocument,
  quote,
  readDocument,
  type Stored,
  siblingKey,
  startPace,
} from '@tillkit/protocol'
import type { Offered } from '../outcomes/unmatched.js'
import type { ReceiverSettings, ReportedResult } from './options.js'
import { callbackResult } from './settle.js'

/** One order that this process works on, or will after a pause. */
interface Plan {
  /** Another callback came since the last try began. */
  hasNews: boolean
  pausing: AbortController | undefined
  /** Called once it was tried. */
  readonly tried: () => void
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

/** Work that has begun. */
interface Begun {
  /** Resolves once the order was tried. */
  readonly firstTry: Promise<void>
  readonly end: Promise<End>
}

/** What does the work. */
interface Working {
  work(order: OrderWork): Promise<Worked>
  /** Offers what came of an order that nobody here sent. */
  offer(key: string): Promise<Offered>
  isOwnUnmatched(key: string, order: KnownOrder): Promise<boolean>
}

/** How work on an order ended: nothing is left to do, it has not come to its end, or somebody else has it. */
type End = 'done' | 'open' | 'foreign'

/** Most payments that are taken out of the store at once. */
const mostTaken = 100

/**
 * Makes what works on callbacks that are answered before, and on what a crash left behind: until they have brought their outcome, at
 * growing intervals.
 */
export function createStoredCallbacks<Context, Transaction>(
  settings: ReceiverSettings<Context, Transaction>,
  { work, offer, isOwnUnmatched }: Working,
) {
  const { store, retry: schedule, clock, wait, onReport, onUnmatched, lease, afterwards, pace: speed, warn } = settings
  let isClosed = false
  const underWay = new Set<Promise<unknown>>()
  const plans = new Map<string, Plan>()
  const planKey = ({ key, login, clientOrderId }: OrderWork) => JSON.stringify([key, login, clientOrderId])

  /** A signal that ends a pause: news end it, and closing does. */
  const pausing = (plan: Plan): AbortSignal => {
    // A signal made of one that lives as long as the process would be kept as long, in Node.js 20.
    plan.pausing = new AbortController()
    if (isClosed) plan.pausing.abort()
    return plan.pausing.signal
  }

  const report = (result: ReportedResult) => notify(() => onReport(result, undefined))
  const track = <Result>(working: Promise<Result>): Promise<Result> => {
    underWay.add(working)
    const over = () => underWay.delete(working)
    working.then(over, over)
    return working
  }

  /** One try, once it is its turn. What a callback came for goes first. */
  const attempt = async (order: OrderWork, plan: Plan): Promise<End> => {
    const inTurn = async (): Promise<Worked> => {
      if (!plan.hasNews && speed !== undefined) await speed.turn(order.login, pausing(plan))
      plan.hasNews = false
      return isClosed ? { isOwn: true } : work(order)
    }
    const { result, isOwn }: Worked = await inTurn().catch(cause => ({
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
    while (!isClosed) {
      end = await attempt(order, plan)
      plan.tried()
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
      await wait(next.pause, pausing(plan))
    }
    return end
  }

  const begin = (order: OrderWork, isCalled: boolean): Begun => {
    let tried = () => {}
    const firstTry = new Promise<void>(resolve => {
      tried = resolve
    })
    const plan: Plan = { hasNews: isCalled, pausing: undefined, tried }
    plans.set(planKey(order), plan)
    return { firstTry, end: track(workOn(order, plan).finally(tried)) }
  }

  /**
   * Works on what one document has left to do, and dates it anew if that brought nothing: it must take no turn from others. What
   * belongs to somebody else is given back at once.
   */
  const takeUp = (stored: Stored, { document, orders }: Left, at: number): readonly Promise<void>[] => {
    // What is worked on here is handed out soon again, should this process die.
    if (orders.some(each => plans.has(planKey(each)))) return []
    const begun = orders.map(order => begin(order, false))
    const firstTries = begun.map(({ firstTry }) => firstTry)
    const carried = Promise.all(firstTries).then(() => carryOut(stored.key, document))
    const over = Promise.all([carried, ...begun.map(({ end }) => end)]).then(ends => {
      const isGivenBack = isClosed || ends.includes('foreign')
      return store.postpone(stored.key, stored.version, isGivenBack ? at : lookAgainAt(document, at))
    })
    // Where its date stays, it is handed out again.
    void track(over.catch(() => undefined))
    return [...firstTries, carried.then(() => undefined)]
  }

  /** Does what handlers wanted. It never throws: what is left of it is done the next time. */
  const carryOut = async (key: string, { wishes = [], reference }: PaymentDocument): Promise<End> => {
    if (wishes.length === 0) return 'done'
    return (await afterwards?.carryOut({ key, reference }).catch(() => 'open' as const)) ?? 'foreign'
  }

  /** Offers what came of an order that nobody here sent. It never throws: what is left is offered the next time. */
  const offerNow = async (key: string): Promise<void> => {
    const offered = await offer(key).catch(() => undefined)
    if (offered === undefined || !('cause' in offered)) return
    const { kind, cause, callback } = offered
    const next = kind === 'failed' ? 'It is offered again later.' : 'It was offered ten times, and stays on its list.'
    const named = `order ${quote(callback.clientOrderId)} (orderid ${quote(callback.orderId)})`
    const reason = kind === 'failed' ? 'not-taken' : kind
    warn('WARN_UNMATCHED_FAILED', { reason, explanation: `${named}. ${next}`, cause })
  }

  /** Offers what a document has left to offer, where it is ours and there is somebody to offer it to. */
  const takeUpUnmatched = async ({ key, version }: Stored, document: PaymentDocument, at: number): Promise<void> => {
    const [order] = document.orders
    const isOwn = order !== undefined && (await isOwnUnmatched(key, order).catch(() => false))
    if (isOwn && onUnmatched !== undefined) return offerNow(key)
    await store.postpone(key, version, isOwn ? lookAgainAt(document, at) : at).catch(() => undefined)
  }

  return {
    /** Begins to offer what came of an order that nobody here sent. */
    offer(key: string): void {
      if (onUnmatched !== undefined) void track(offerNow(key))
    },
    /** Begins to work on an order that a callback came for. */
    begin(order: OrderWork): void {
      const plan = plans.get(planKey(order))
      if (plan === undefined) void begin(order, true)
      else {
        plan.hasNews = true
        plan.pausing?.abort()
      }
    },
    async resume({ untilTried = false }: { readonly untilTried?: boolean } = {}): Promise<number> {
      const limit = Math.min(mostTaken, speed?.most() ?? mostTaken)
      if (limit < 1) return 0
      const { items, at } = await store.take({ limit, hold: 2 * lease }).catch(cause => {
        // Who calls this from a timer may not look at what it rejects with.
        report(callbackResult('failed', 'The store does not hand out what is left to do.', { cause }))
        throw cause
      })
      let count = 0
      const tries: Promise<void>[] = []
      for (const stored of items) {
        const left = leftIn(stored, at)
        if (left.kind === 'left') {
          count += left.orders.length + (left.document.wishes?.length ?? 0)
          // Where its date stays, it is handed out again.
          tries.push(...takeUp(stored, left, at))
          continue
        }
        if (left.kind === 'unmatched') {
          tries.push(track(takeUpUnmatched(stored, left.document, at)))
          continue
        }
        if (left.kind === 'unreadable') {
          const { cause } = left
          report(callbackResult('failed', 'What the store has left to do cannot be read.', { cause }))
        }
        await store.postpone(stored.key, stored.version, at).catch(() => undefined)
      }
      if (untilTried) await Promise.all(tries)
      return count
    },
    async close(): Promise<void> {
      isClosed = true
      for (const { pausing: pause } of plans.values()) pause?.abort()
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
  at: number,
):
  | { readonly kind: 'unmatched'; readonly document: PaymentDocument }
  | ({ readonly kind: 'left' } & Left)
  | { readonly kind: 'unreadable'; readonly cause: unknown }
  | { kind: 'none' } {
  const { key } = stored
  if (!/^(?:payment|order|attempt|unmatched)\//.test(key)) return { kind: 'none' }
  try {
    const document = readDocument(stored)
    if (key.startsWith('unmatched/')) return { kind: 'unmatched', document }
    return { kind: 'left', document, orders: key.startsWith('payment/') ? ordersOf(document, key, at) : [] }
  } catch (cause) {
    return { kind: 'unreadable', cause }
  }
}

/** The orders of a payment that there is work on. */
function ordersOf({ orders }: PaymentDocument, key: string, at: number): readonly OrderWork[] {
  const hasNews = (order: KnownOrder) => order.callbackAt !== undefined || order.stages.some(isUntold)
  return orders.flatMap(order => {
    const { login, clientOrderId, orderId = '' } = order
    if (clientOrderId === undefined || !(hasNews(order) || isAwaited(order) || isWatched(order, at))) return []
    return [{ key, login, clientOrderId, orderId, hasNews: hasNews(order) }]
  })
}

/** Whether a document is one of the name that a merchant's client has. */
export const isOfName = (payments: KeptPayments, order: OrderWork): boolean =>
  // An order that was adopted is in the document of another id.
  siblingKey(documentKey(order, payments), '') === siblingKey(order.key, '')
