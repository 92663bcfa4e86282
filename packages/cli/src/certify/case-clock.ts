/**
 * The clock of one case. It goes on while a callback is being answered: a merchant may wait for the clock in its handler.
 *
 * @module
 */
import { createFakeClock, type FakeClock } from '@tillkit/testing'

/**
 * Makes one. What is scheduled is begun at its time, and not waited for.
 *
 * @param base Milliseconds since the epoch. Default: the system clock.
 */
export function createCaseClock(base: () => number = Date.now): FakeClock {
  const clock = createFakeClock({ base, realTime: true })
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
