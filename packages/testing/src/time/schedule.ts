import type { FakeClock, Scheduled } from './clock.js'

/** What one gateway has to do on a clock that it may share with others. */
export interface Schedule {
  /** Runs `task` once the clock reaches `at`, in milliseconds since the epoch. */
  add(at: number, task: () => void | Promise<void>): Scheduled
  /** Resolves after `milliseconds` on the clock, or at once when the schedule is cleared. */
  wait(milliseconds: number): Promise<void>
  /** Calls everything off. What others have on the clock stays. */
  clear(): void
}

export function createSchedule(clock: FakeClock): Schedule {
  const entries = new Set<Scheduled>()
  let waits = new AbortController()
  return {
    add(at, task) {
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
    wait: milliseconds => clock.wait(milliseconds, waits.signal),
    clear() {
      waits.abort()
      waits = new AbortController()
      for (const entry of entries) entry.cancel()
    },
  }
}
