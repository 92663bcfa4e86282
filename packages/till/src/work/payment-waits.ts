import type { AskedOrder } from '../intents/ask.js'
import type { Account, Accounts } from '../payment/accounts.js'
import type { PaymentBook, ReadDocument } from '../payment/book.js'
import type { Payment } from '../rules/pay/payment.js'
import type { KnownOrder } from '../state/known.js'
import { aborted, type Pace } from './pace.js'

/** Everything that waiting needs of the till. */
export interface PaymentWaitsContext {
  readonly accounts: Accounts
  readonly payments: PaymentBook
  ask(order: KnownOrder, account: Account): Promise<AskedOrder>
  readonly pace: Pick<Pace, 'poll'>
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** How long somebody waits. */
export interface WaitOptions {
  /** In milliseconds. Default: 60000. */
  readonly timeout?: number
  readonly signal?: AbortSignal
}

/** Pauses between two questions to the gateway, in milliseconds: the first, which doubles, and the longest. */
const [firstPause, longestPause] = [250, 5_000]

/** Longest pause between two looks into the store, where another process may have written, in milliseconds. */
const longestLook = 1_000

/** All who wait for one payment here. */
interface Desk {
  waiting: number
  /** The payment once it is over; undefined: nobody waited any more. */
  readonly over: Promise<Payment | undefined>
  close(): void
}

/**
 * Makes the waits for payments that have not come to an end. However many wait for one payment in this process, the store is read and
 * status is asked once for all of them, and a telling that is committed here wakes them at once. However many payments are waited for, so
 * many questions a second are asked about each account as its pace says. A wait that gets none hears what others commit.
 */
export function createPaymentWaits({ accounts, payments, ask, pace, wait }: PaymentWaitsContext) {
  /** Each ends one wait: a signal for all of them would warn of its many listeners. */
  const ends = new Set<() => void>()
  let isClosed = false
  const desks = new Map<string, Desk>()

  /** @param left Fires when nobody waits any more. Absent: it is asked about at once. */
  const askAbout = async ({ document }: ReadDocument, left?: AbortSignal): Promise<void> => {
    for (const order of document?.orders ?? []) {
      const account = accounts.ofLogin(order.login)
      if (account === undefined || order.attempts.length === 0) continue
      if (left !== undefined) await pace.poll(order.login, left)
      if (left?.aborted !== true) await ask(order, account)
    }
  }

  const openDesk = (reference: string): Desk => {
    const key = payments.keyOf(reference)
    const listening = accounts.engine.news.listen(key)
    const left = new AbortController()
    const work = async (): Promise<Payment | undefined> => {
      let untilAsked = 0
      let isAsking = false
      for (let pause = firstPause; desk.waiting > 0; ) {
        const read = await payments.read(reference)
        const payment = payments.view(reference, read)
        if (isOver(payment)) return payment
        if (untilAsked <= 0 && !isAsking) {
          isAsking = true
          untilAsked = pause
          pause = Math.min(2 * pause, longestPause)
          const answered = () => {
            isAsking = false
            listening.wake()
          }
          askAbout(read, left.signal).then(answered, answered)
        }
        // A gateway that does not answer holds up no look into the store.
        const look = isAsking ? longestLook : Math.min(untilAsked, longestLook)
        const isWoken = await listening.pause(look, { signal: left.signal, wait })
        if (!isWoken && !isAsking) untilAsked -= look
      }
      return undefined
    }
    const desk: Desk = {
      waiting: 0,
      // The first waiter has joined the desk when the work begins.
      over: Promise.resolve().then(work),
      close() {
        left.abort()
        listening.end()
        if (desks.get(key) === desk) desks.delete(key)
      },
    }
    desks.set(key, desk)
    desk.over.then(desk.close, desk.close)
    return desk
  }

  /** @returns Once it is over, or the signal fires. */
  const waitAtDesk = async (reference: string, limit: AbortSignal): Promise<Payment | undefined> => {
    const desk = desks.get(payments.keyOf(reference)) ?? openDesk(reference)
    desk.waiting += 1
    try {
      return await Promise.race([desk.over, aborted(limit)])
    } finally {
      desk.waiting -= 1
      if (desk.waiting === 0) desk.close()
    }
  }

  return {
    /** Waits until a payment has come to an end, or the time is over. */
    async untilOver(reference: string, { timeout = 60_000, signal }: WaitOptions = {}): Promise<Payment> {
      const now = async () => payments.view(reference, await payments.read(reference))
      const first = await now()
      if (isOver(first)) return first
      const limit = new AbortController()
      const end = () => limit.abort()
      if (isClosed || signal?.aborted === true) end()
      ends.add(end)
      signal?.addEventListener('abort', end)
      try {
        wait(timeout, limit.signal).then(end, end)
        return (await waitAtDesk(reference, limit.signal)) ?? (await now())
      } finally {
        end()
        ends.delete(end)
        signal?.removeEventListener('abort', end)
      }
    },
    /** Asks status about a payment once. @returns The payment as it is then. */
    async askOnce(reference: string): Promise<Payment> {
      await askAbout(await payments.read(reference))
      return payments.view(reference, await payments.read(reference))
    },
    /** Ends every wait. */
    close(): void {
      isClosed = true
      for (const end of ends) end()
    },
  }
}

const isOver = ({ state }: Payment): boolean => state !== 'open' && state !== 'unknown'
