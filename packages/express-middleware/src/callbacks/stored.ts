import { type KnownOrder, lookAgainAt, notify, type PaymentDocument, quote, type Stored } from '@tillkit/protocol'
import type { Offered } from '../outcomes/unmatched.js'
import { type Left, leftIn, type OrderWork } from './left.js'
import type { ReceiverSettings, ReportedResult } from './options.js'
import { createPlans, type End, type Worked } from './plans.js'
import { callbackResult } from './settle.js'

/** What does the work. */
interface Working {
  work(order: OrderWork): Promise<Worked>
  /** Offers what came of an order that nobody here sent. */
  offer(key: string): Promise<Offered>
  isOwnUnmatched(key: string, order: KnownOrder): Promise<boolean>
}

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
  const { store, onReport, onUnmatched, lease, afterwards, pace: speed, warn } = settings
  let isClosed = false
  const underWay = new Set<Promise<unknown>>()

  const report = (result: ReportedResult) => notify(() => onReport(result, undefined))
  const track = <Result>(working: Promise<Result>): Promise<Result> => {
    underWay.add(working)
    const over = () => underWay.delete(working)
    working.then(over, over)
    return working
  }
  /** Whether all that is taken here is of one till. */
  const isAlone = speed !== undefined
  /** Other programs get their documents back at once. Within one till a document that cannot be worked on comes back after a pause. */
  const givenBackAt = (at: number): number => (isAlone ? at + 2 * lease : at)
  const plans = createPlans({ ...settings, work, report, track, isClosed: () => isClosed })

  /**
   * Works on what one document has left to do, and dates it anew if that brought nothing: it must take no turn from others. What
   * belongs to somebody else is given back.
   */
  const takeUp = (stored: Stored, { document, orders }: Left, at: number): readonly Promise<void>[] => {
    // What is worked on here is handed out soon again, should this process die.
    if (orders.some(plans.has)) return []
    const begun = orders.map(plans.begin)
    const firstTries = begun.map(({ firstTry }) => firstTry)
    const carried = Promise.all(firstTries).then(() => carryOut(stored.key, document))
    const over = Promise.all([carried, ...begun.map(({ end }) => end)]).then(ends => {
      const next = isClosed ? at : ends.includes('foreign') ? givenBackAt(at) : lookAgainAt(document, at)
      return store.postpone(stored.key, stored.writeId, next)
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
  const takeUpUnmatched = async ({ key, writeId }: Stored, document: PaymentDocument, at: number): Promise<void> => {
    const [order] = document.orders
    const isOwn = order !== undefined && (await isOwnUnmatched(key, order).catch(() => false))
    if (isOwn && onUnmatched !== undefined) return offerNow(key)
    await store.postpone(key, writeId, isOwn ? lookAgainAt(document, at) : givenBackAt(at)).catch(() => undefined)
  }

  let rounds = 0
  /**
   * Takes what is due: half of it the earliest, so that nothing waits for ever, and half the latest. Behind ten thousand forms that nobody
   * paid, a payment whose callback was lost would wait for all of them.
   */
  const takeDue = async (limit: number) => {
    const options = { hold: 2 * lease, prefixes: speed?.prefixes }
    rounds += 1
    const latest = rounds % 2 === 0
    const [half, rest] = [Math.ceil(limit / 2), Math.floor(limit / 2)]
    const first = await store.take({ ...options, limit: half, latest })
    // Fewer than asked for: no more is due.
    if (first.items.length < half || rest === 0) return first
    // What the first has taken is worked on all the same.
    const second = await store.take({ ...options, limit: rest, latest: !latest }).catch(() => undefined)
    return second === undefined ? first : { at: second.at, items: [...first.items, ...second.items] }
  }

  return {
    /** Begins to offer what came of an order that nobody here sent. */
    offer(key: string): void {
      if (onUnmatched !== undefined) void track(offerNow(key))
    },
    /** Begins to work on an order that a callback came for. */
    begin: plans.call,
    async resume({ untilTried = false }: { readonly untilTried?: boolean } = {}): Promise<number> {
      const limit = Math.min(mostTaken, speed?.most() ?? mostTaken)
      if (limit < 1) return 0
      const { items, at } = await takeDue(limit).catch(cause => {
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
        if (isAlone) count += 1
        await store.postpone(stored.key, stored.writeId, givenBackAt(at)).catch(() => undefined)
      }
      if (untilTried) await Promise.all(tries)
      return count
    },
    async close(): Promise<void> {
      isClosed = true
      plans.wake()
      await Promise.all(underWay)
    },
  }
}
