import { type InboxEntry, nextPause, notify, type Pace, startPace } from '@tillkit/protocol'
import type { UnverifiedIds } from './check.js'
import type { ReceiverSettings, ReportedResult } from './options.js'
import { callbackResult } from './settle.js'

/** An entry that this process works on, or will after a pause. */
interface Plan {
  /** Something was put in under its key since the last try began. */
  hasNews: boolean
  pausing: AbortController | undefined
}

/**
 * Makes the keeper of callbacks that are answered before they are worked on: they are kept in the inbox, and worked on until
 * they have brought their outcome.
 */
export function createStoredCallbacks<Context>(
  settings: ReceiverSettings<Context>,
  work: (signed: UnverifiedIds, login: string) => Promise<ReportedResult>,
) {
  const { inbox, retry: schedule, clock, wait, onReport } = settings
  // Settling may wait for another delivery to let go of the outcome.
  const lease = 2 * settings.lease
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
      notify(() => onReport(result, undefined))
      return isDone
    } catch (cause) {
      const result = callbackResult('failed', `A stored callback (${key}) could not be worked on.`, { cause })
      notify(() => onReport(result, undefined))
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
    /** Keeps a callback, and begins to work on it once it is kept. */
    async put(signed: UnverifiedIds, login: string): Promise<void> {
      const key = ['callback', login, signed.clientOrderId, signed.orderId].map(encodeURIComponent).join('/')
      const entry = { key, payload: { login, ...signed } }
      await inbox.put(entry)
      const plan = plans.get(key)
      if (plan === undefined) return begin(entry)
      plan.hasNews = true
      plan.pausing?.abort()
    },
    async resume(): Promise<number> {
      const entries = await inbox.waiting({ limit: 100 })
      for (const entry of entries) if (!plans.has(entry.key)) begin(entry)
      return entries.length
    },
    async close(): Promise<void> {
      closed.abort()
      await Promise.all(underWay)
    },
  }
}
