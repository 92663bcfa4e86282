import {
  type Inbox,
  type InboxEntry,
  nextPause,
  notify,
  type Pace,
  type PollSchedule,
  startPace,
} from '@tillkit/protocol'
import type { Wait } from '../config/time.js'
import type { ReportedResult } from './options.js'
import type { UnverifiedIds } from './read.js'
import { callbackResult } from './settle.js'

/** What stored callbacks are worked on with. */
export interface StoredCallbacksOptions {
  readonly inbox: Inbox
  /** Milliseconds that work on one may take before another process takes over. */
  readonly lease: number
  readonly retry: PollSchedule
  readonly clock: () => number
  readonly wait: Wait
  readonly work: (signed: UnverifiedIds, login: string) => Promise<ReportedResult>
  readonly onReport: (result: ReportedResult) => void
}

/** Stored callbacks. */
export interface StoredCallbacks {
  /** Keeps a callback, and begins to work on it once it is kept. */
  put(signed: UnverifiedIds, login: string): Promise<void>
  resume(): Promise<number>
  close(): Promise<void>
}

/** As long as the gateway itself would repeat it: a minute often, an hour now and then, two weeks hourly. */
export const defaultRetry: PollSchedule = [
  { atLeast: 5_000, atMost: 5_000, times: 12 },
  { atLeast: 60_000, atMost: 60_000, times: 59 },
  { atLeast: 3_600_000, atMost: 3_600_000, times: 335 },
]

/** Most entries that one `resume` works on. */
const mostAtOnce = 100

/** An entry that this process works on, or will after a pause. */
interface Plan {
  /** Something was put in under its key since the last try began. */
  hasNews: boolean
  pausing: AbortController | undefined
}

/** Makes the keeper of stored callbacks. */
export function createStoredCallbacks(options: StoredCallbacksOptions): StoredCallbacks {
  const { inbox, lease, retry: schedule, clock, wait, work, onReport } = options
  const closed = new AbortController()
  const underWay = new Set<Promise<void>>()
  const plans = new Map<string, Plan>()

  /** One try. @returns Whether nothing is left to do. */
  const attempt = async ({ key, payload }: InboxEntry, pause: number): Promise<boolean> => {
    try {
      const claiming = await inbox.claim(key, { lease })
      if (claiming.kind !== 'claimed') return claiming.kind === 'completed'
      const { login = '', status = '', orderId = '', clientOrderId = '' } = payload
      const result = await work({ status, orderId, clientOrderId }, login)
      const isDone = result.status === 200 && (await inbox.complete(claiming.claim))
      if (!isDone) await inbox.release(claiming.claim, { delay: pause })
      notify(() => onReport(result))
      return isDone
    } catch (cause) {
      notify(() => onReport(callbackResult('failed', `A stored callback (${key}) could not be worked on.`, { cause })))
      return false
    }
  }

  const workOn = async (entry: InboxEntry, plan: Plan): Promise<void> => {
    let pace: Pace = startPace(clock())
    while (!closed.signal.aborted) {
      plan.hasNews = false
      const next = nextPause(pace, { schedule, now: clock(), random: () => 0 })
      const isDone = await attempt(entry, next?.pause ?? 0)
      if (plan.hasNews) {
        pace = startPace(clock())
        continue
      }
      if (isDone || next === undefined) {
        // Now, not a turn later: what is put in from here on begins anew.
        plans.delete(entry.key)
        return
      }
      pace = next.pace
      plan.pausing = new AbortController()
      await wait(next.pause, AbortSignal.any([closed.signal, plan.pausing.signal]))
    }
  }

  const begin = (entry: InboxEntry): void => {
    const plan: Plan = { hasNews: false, pausing: undefined }
    plans.set(entry.key, plan)
    const working = workOn(entry, plan).finally(() => underWay.delete(working))
    underWay.add(working)
  }

  return {
    async put(signed, login) {
      const key = ['callback', login, signed.clientOrderId, signed.orderId].map(encodeURIComponent).join('/')
      const entry = { key, payload: { login, ...signed } }
      await inbox.put(entry)
      const plan = plans.get(key)
      if (plan === undefined) return begin(entry)
      plan.hasNews = true
      plan.pausing?.abort()
    },
    async resume() {
      const entries = await inbox.waiting({ limit: mostAtOnce })
      for (const entry of entries) if (!plans.has(entry.key)) begin(entry)
      return entries.length
    },
    async close() {
      closed.abort()
      await Promise.all(underWay)
    },
  }
}
