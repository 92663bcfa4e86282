import type { EndedRequest } from '@tillkit/client'
import type { AskingPatience } from '../engine/asker.js'

/** Statuses by which a server says that it is too busy. @see RFC 6585 section 4, RFC 9110 section 15.6.4 */
const busy: readonly number[] = [429, 503]

/** Longest time for which `Retry-After` is heeded, in milliseconds. */
const longestAsked = 3_600_000

/** How long nothing is asked where the gateway does not say it: the first time, then twice as long each time, and most. Milliseconds. */
const [firstPause, longestPause] = [1_000, 60_000]

/** How accounts are asked. */
export interface BackOffOptions {
  /** Questions a second about one account, by all processes together. */
  readonly perSecond: number
  /** Milliseconds, by a clock that is never set. */
  readonly clock: () => number
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

/** An account whose gateway was too busy. */
interface Lane {
  /** Until then nothing is asked. */
  readonly until: number
  /** How often in a row the gateway was too busy. */
  readonly times: number
  /** When the next one who waits may ask. */
  readonly next: number
}

/**
 * Makes what asks nothing while the gateway is too busy. Those who waited meanwhile ask one after the other, as many a second as
 * the background does: a gateway that was too busy gets no heap of questions. Who comes later asks at once.
 */
export function createBackOff({ perSecond, clock, wait }: BackOffOptions) {
  const lanes = new Map<string, Lane>()
  const laneOf = (login: string): Lane => lanes.get(login) ?? { until: 0, times: 0, next: 0 }
  return {
    /** A question about an order of an account is over. */
    answered(login: string, { httpStatus, error }: Pick<EndedRequest, 'httpStatus' | 'error'>): void {
      if (httpStatus === undefined) return
      const [lane, now] = [laneOf(login), clock()]
      const isBusy = busy.includes(httpStatus)
      // Requests that were under way together count once.
      const times = now < lane.until ? lane.times : isBusy ? lane.times + 1 : 0
      if (!isBusy) return void lanes.set(login, { ...lane, times })
      const { retryAfter = 0 } = error !== undefined && 'retryAfter' in error ? error : {}
      const own = Math.min(firstPause * 2 ** (times - 1), longestPause)
      const pause = retryAfter > 0 ? Math.min(retryAfter * 1_000, longestAsked) : own
      lanes.set(login, { ...lane, times, until: Math.max(lane.until, now + pause) })
    },
    /** How long the background asks nothing about an account from now on, in milliseconds. */
    busyFor(login: string): number {
      const { until, next } = laneOf(login)
      return Math.max(0, Math.max(until, next) - clock())
    },
    /**
     * Waits until an account may be asked.
     *
     * @returns How long that took, in milliseconds; undefined where it would take longer than somebody waits. Once the signal has
     * fired it is the caller's to look at that.
     */
    async mayAsk(login: string, { most, signal }: AskingPatience): Promise<number | undefined> {
      const began = clock()
      for (;;) {
        const { until, next, times } = laneOf(login)
        const now = clock()
        if (until <= now || signal?.aborted === true) return now - began
        const turn = Math.max(until, next)
        if (turn >= began + most) return undefined
        lanes.set(login, { until, times, next: turn + 1_000 / perSecond })
        await wait(turn - now, signal)
        // It may have said so again meanwhile.
        if (laneOf(login).until <= turn) return clock() - began
      }
    },
  }
}
