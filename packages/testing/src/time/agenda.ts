import type { FakeClock, Scheduled } from './clock.js'

/** Things to do at their time. */
export interface Agenda {
  /** Runs `task` once the clock reaches `at`, in milliseconds since the epoch. */
  schedule(at: number, task: () => void | Promise<void>): Scheduled
  /** Resolves after `milliseconds` on the clock, or at once when the agenda is cleared. */
  wait(milliseconds: number): Promise<void>
  /** Calls everything off. What others have on the clock stays. */
  clear(): void
}

/** Makes an empty agenda on a clock. */
export function createAgenda(clock: FakeClock): Agenda {
  const entries = new Set<Scheduled>()
  const waits = new Set<() => void>()
  const schedule: Agenda['schedule'] = (at, task) => {
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
    schedule,
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
