import { setMaxListeners } from 'node:events'
import type { FakeClock, Scheduled } from './clock.js'

/** What one gateway has to do on a clock that it may share with others. */
export type Schedule = ReturnType<typeof createSchedule>

export function createSchedule(clock: FakeClock) {
  const entries = new Set<Scheduled>()
  let waits = newWaits()
  return {
    /** Runs `task` once the clock reaches `at`, in milliseconds since the epoch. */
    add(at: number, task: () => void | Promise<void>): Scheduled {
      const scheduled = clock.schedule(at, () => {
        entries.delete(entry)
        return task()
      })
      const entry: Scheduled = {
        cancel() {
          entries.delete(entry)
          scheduled.cancel()
        },
      }
      entries.add(entry)
      return entry
    },
    /** Resolves after `milliseconds` on the clock, or at once when the schedule is cleared. */
    wait: (milliseconds: number) => clock.wait(milliseconds, waits.signal),
    /** Calls everything off. What others have on the clock stays. */
    clear(): void {
      waits.abort()
      waits = newWaits()
      for (const entry of entries) entry.cancel()
    },
  }
}

/** Ends all waits at once. However many there are is no leak. */
function newWaits(): AbortController {
  const waits = new AbortController()
  setMaxListeners(0, waits.signal)
  return waits
}
