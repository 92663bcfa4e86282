import type { FakeClock, Scheduled } from './clock.js'

/** Things to do at their time. */
export interface Schedule {
  /** Runs `task` once the clock reaches `at`, in milliseconds since the epoch. */
  add(at: number, task: () => void | Promise<void>): Scheduled
  /** Resolves after `milliseconds` on the clock, or at once when the schedule is cleared. */
  wait(milliseconds: number): Promise<void>
  /** Calls everything off. What others have on the clock stays. */
  clear(): void
}

/** Makes an empty schedule on a clock. */
export function createSchedule(clock: FakeClock): Schedule {
  const entries = new Set<Scheduled>()
  const waits = new Set<() => void>()
  const schedule: Schedule['add'] = (at, task) => {
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
  }
  return {
    add: schedule,
    wait(milliseconds) {
      if (milliseconds <= 0) return Promise.resolve()
      return new Promise(resolve => {
        const end = (): void => {
          waits.delete(end)
          entry.cancel()
          resolve()
        }
        const entry = schedule(clock.now() + milliseconds, end)
        waits.add(end)
      })
    },
    clear() {
      for (const end of [...waits]) end()
      for (const entry of [...entries]) entry.cancel()
    },
  }
}
