/**
 * A limit on how long something is waited for. What takes longer goes on; nobody waits for it.
 *
 * @module
 */

import type { Wait } from '../outcomes/order-queue.js'
import { systemTimer, systemWait } from './defaults.js'

/** Time that runs from when it was made. */
export interface TimeLimit {
  /** What `work` comes to, or what `late` says, or throws, once the time is over. */
  race<Result>(work: Promise<Result>, late: () => Result): Promise<Result>
  /** Stops the clock: nothing is late any more. */
  end(): void
}

/** Starts the clock. */
export function timeLimit(milliseconds: number, wait: Wait): TimeLimit {
  let expire = (): void => undefined
  const over = new Promise<void>(resolve => {
    expire = resolve
  })
  const end = wait === systemWait ? systemTimer(milliseconds, expire) : timerOf(wait)(milliseconds, expire)
  return { race: (work, late) => Promise.race([work, over.then(late)]), end }
}

/** As `systemTimer`, which does without the signal: it costs more than all the rest of a limit. */
const timerOf =
  (wait: Wait): typeof systemTimer =>
  (milliseconds, over) => {
    const ended = new AbortController()
    // A wait that fails is over at once: that shows, where one that never ends would not.
    const finish = () => {
      if (!ended.signal.aborted) over()
    }
    wait(milliseconds, ended.signal).then(finish, finish)
    // A reason of our own spares a DOMException.
    return () => ended.abort('ended')
  }
