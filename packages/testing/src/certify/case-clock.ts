/**
 * The clock of one case. It goes on while a callback is being answered: a merchant may wait for the clock in its handler.
 *
 * @module
 */
import type { FakeClock } from '../time/clock.js'
import { defaultClock } from '../time/default-clock.js'

/**
 * Makes one. What is scheduled is begun at its time, and not waited for.
 *
 * @param base Milliseconds since the epoch. Default: the system clock.
 */
export function createCaseClock(base: (() => number) | undefined): FakeClock {
  const clock = defaultClock(base)
  return {
    ...clock,
    schedule: (at, task) =>
      clock.schedule(at, () => {
        void Promise.resolve()
          .then(task)
          .catch(() => undefined)
      }),
  }
}
