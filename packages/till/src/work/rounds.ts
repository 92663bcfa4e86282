import { nextPause, type Pace as Pauses, type PollSchedule, startPace } from '@tillkit/protocol'
import type { Accounts } from '../payment/accounts.js'
import type { Unmatched } from '../people/unmatched.js'
import { lookAgainAt } from '../rules/kept/entry.js'
import { type ReportedResult, reportedResult } from '../rules/reported.js'
import type { PaymentDocument } from '../state/document.js'
import type { Store, Stored } from '../store/store.js'
import { type Left, leftIn, type OrderWork } from './left.js'
import type { LookAfter, LookAfterContext } from './look-after.js'
import type { Pace } from './pace.js'

/** Everything that the rounds of work need. */
export interface RoundsContext extends Pick<LookAfterContext, 'clock' | 'wait'> {
  readonly store: Pick<Store, 'take' | 'postpone'>
  readonly accounts: Pick<Accounts, 'ofLogin'>
  readonly pace: Pick<Pace, 'prefixes' | 'most' | 'turn' | 'busyFor'>
  readonly lookAfter: LookAfter
  /** Carries out what handlers wanted done about a payment. */
  readonly carryOut: (payment: { readonly key: string; readonly reference: string }) => Promise<End>
  readonly unmatched: Pick<Unmatched, 'offer' | 'isOwn'>
  readonly report: (result: ReportedResult) => void
  /** How long a handler has, in milliseconds. What a round takes is held for twice as long. */
  readonly handlerTimeout: number
}

/** Most payments that one round takes. */
const mostTaken = 100

/** When an order that has news is tried again in this process: for as long as the gateway itself would repeat a callback. */
const tries: PollSchedule = [
  { atLeast: 5_000, atMost: 5_000, times: 12 },
  { atLeast: 60_000, atMost: 60_000, times: 59 },
  { atLeast: 3_600_000, atMost: 3_600_000, times: 335 },
]

/**
 * How work on an order ended: nothing is left to do, it has not come to its end, it is of an account that is not there,
 * or the gateway is too busy.
 */
type End = 'done' | 'open' | 'foreign' | 'busy'

/** Makes the rounds that take from the store what is due, and look after it. */
export function createRounds(context: RoundsContext) {
  const { store, accounts, pace, lookAfter, unmatched, report, handlerTimeout, clock, wait } = context
  let isClosed = false
  const pauses = new Set<AbortController>()
  const underWay = new Set<Promise<unknown>>()
  /** The payments that are worked on here. */
  const working = new Set<string>()

  const track = <Result>(work: Promise<Result>): Promise<Result> => {
    underWay.add(work)
    const over = () => underWay.delete(work)
    work.then(over, over)
    return work
  }

  /** Pauses until it is closed, by a signal of its own: one for all pauses would be kept by all that ever waited. */
  const pausing = async (pause: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    const ending = new AbortController()
    if (isClosed) ending.abort()
    pauses.add(ending)
    await pause(ending.signal).finally(() => pauses.delete(ending))
  }

  /** A document that cannot be worked on comes back after a pause. */
  const givenBackAt = (at: number): number => at + 2 * handlerTimeout

  /** One try, once it is its turn. */
  const attempt = async (order: OrderWork): Promise<End> => {
    const { login, clientOrderId } = order
    if (accounts.ofLogin(login) === undefined) {
      const explanation =
        `There is no account ${JSON.stringify(login)}, and order ${JSON.stringify(clientOrderId)} is of it. ` +
        'Put it back into "accounts".'
      report(reportedResult('failed', explanation))
      return 'foreign'
    }
    await pausing(signal => pace.turn(login, signal))
    if (isClosed) return 'open'
    const isBusy = (): boolean => pace.busyFor(login) > 0
    if (isBusy()) return 'busy'
    const result = await lookAfter(order)
    // Its payment was purged meanwhile.
    if (result.kind === 'unmatched') return 'done'
    report(result)
    return result.status === 200 ? 'done' : isBusy() ? 'busy' : 'open'
  }

  /** Tries until the order has brought its outcome, at growing pauses. @param tried Called after the first try. */
  const workOn = async (order: OrderWork, tried: () => void): Promise<End> => {
    let trying: Pauses = startPace(clock())
    for (;;) {
      const end = await attempt(order).catch((cause): End => {
        const explanation = `Order ${JSON.stringify(order.clientOrderId)} could not be worked on.`
        report(reportedResult('failed', explanation, { cause }))
        return 'open'
      })
      tried()
      const isLeft = end === 'open' && order.hasNews && !isClosed
      const next = isLeft ? nextPause(trying, { schedule: tries, now: clock(), random: () => 0 }) : undefined
      if (next === undefined) return end
      trying = next.pace
      await pausing(signal => wait(next.pause, signal))
      if (isClosed) return end
    }
  }

  const begin = (order: OrderWork) => {
    let tried = () => {}
    const firstTry = new Promise<void>(resolve => {
      tried = resolve
    })
    return { firstTry, end: track(workOn(order, tried).finally(tried)) }
  }

  /** Carries out what handlers wanted. It never throws: what is left of it is done the next time. */
  const carryOut = async (key: string, { wishes = [], reference }: PaymentDocument): Promise<End> =>
    wishes.length === 0 ? 'done' : context.carryOut({ key, reference }).catch(() => 'open' as const)

  /**
   * Works on what a payment has left to do, and dates it anew where that brought nothing: it must take no turn from others.
   * Should this process die, it is handed out again.
   *
   * @returns Once each order was tried.
   */
  const takeUp = (
    stored: Stored,
    { document, orders }: Left & { readonly kind: 'payment' },
    at: number,
  ): Promise<unknown> => {
    const { key, writeId } = stored
    if (working.has(key)) return Promise.resolve()
    working.add(key)
    const begun = orders.map(begin)
    const nextAt = (ends: readonly End[]): number => {
      if (isClosed) return at
      if (ends.includes('foreign')) return givenBackAt(at)
      // It has not been asked about: its turn is not over.
      if (ends.includes('busy')) return at + Math.max(...orders.map(({ login }) => pace.busyFor(login)))
      return lookAgainAt(document, at)
    }
    const carried = Promise.all(begun.map(({ firstTry }) => firstTry)).then(() => carryOut(key, document))
    const over = Promise.all([carried, ...begun.map(({ end }) => end)]).then(ends => {
      // The process that takes it from here on works on it anew.
      working.delete(key)
      return store.postpone(key, writeId, nextAt(ends))
    })
    // A document whose date stays is handed out again.
    void track(over.catch(() => undefined))
    return carried
  }

  /** Offers what a document has left to offer, where it is of this till and there is somebody to offer it to. */
  const takeUpUnmatched = async ({ key, writeId }: Stored, document: PaymentDocument, at: number): Promise<void> => {
    const isOwn = unmatched.isOwn(key, document)
    if (isOwn && (await unmatched.offer(key))) return
    await store.postpone(key, writeId, isOwn ? lookAgainAt(document, at) : givenBackAt(at)).catch(() => undefined)
  }

  let rounds = 0
  /**
   * Takes what is due: half of it the earliest, so that nothing waits for ever, and half the latest. Behind ten thousand forms that nobody
   * paid, a payment whose callback was lost would wait for all of them.
   */
  const takeDue = async (limit: number) => {
    const options = { hold: 2 * handlerTimeout, prefixes: pace.prefixes }
    rounds += 1
    const latest = rounds % 2 === 0
    const [half, rest] = [Math.ceil(limit / 2), Math.floor(limit / 2)]
    const first = await store.take({ ...options, limit: half, latest })
    // Fewer than asked for: no more is due.
    if (first.items.length < half || rest === 0) return first
    // The documents that the first has taken are worked on all the same.
    const second = await store.take({ ...options, limit: rest, latest: !latest }).catch(() => undefined)
    return second === undefined ? first : { at: second.at, items: [...first.items, ...second.items] }
  }

  return {
    /**
     * Works on what the store has left to do: callbacks and outcomes that a crash left behind, and requests whose end status has not shown.
     * An order that brings no news is asked about ever less often: a quarter of its age later, and a decline for thirty days.
     *
     * @param options `untilTried`: wait until each was tried once, as a program wants that ends afterwards. Default: false.
     * @returns How many orders there were; of 100 payments at most.
     */
    async round({ untilTried = false } = {}): Promise<number> {
      const limit = Math.min(mostTaken, pace.most())
      if (limit < 1) return 0
      const { items, at } = await takeDue(limit).catch(cause => {
        // Who calls this from a timer may not look at what it rejects with.
        report(reportedResult('failed', 'The store does not hand out what is left to do.', { cause }))
        throw cause
      })
      let count = 0
      const tried: Promise<unknown>[] = []
      for (const stored of items) {
        const left = leftIn(stored, at)
        switch (left.kind) {
          case 'payment':
            count += left.orders.length + (left.document.wishes?.length ?? 0)
            tried.push(takeUp(stored, left, at))
            continue
          case 'unmatched':
            tried.push(track(takeUpUnmatched(stored, left.document, at)))
            continue
          case 'unreadable':
            report(reportedResult('failed', 'What the store has left to do cannot be read.', { cause: left.cause }))
        }
        count += 1
        await store.postpone(stored.key, stored.writeId, givenBackAt(at)).catch(() => undefined)
      }
      if (untilTried) await Promise.all(tried)
      return count
    },
    /** Begins no more work. Resolves once what is under way has come to an end. */
    async close(): Promise<void> {
      isClosed = true
      for (const each of pauses) each.abort()
      await Promise.all(underWay)
    },
  }
}
