/**
 * A limit on how long something is waited for. What takes longer goes on; nobody waits for it.
 *
 * @module
 */
import type { Wait } from './order-queue.js'

/** Time that runs from when it was made. */
export interface TimeLimit {
  /** What `work` comes to, or what `late` says, or throws, once the time is over. */
  race<Result>(work: Promise<Result>, late: () => Result): Promise<Result>
  /** Stops the clock: nothing is late any more. */
  end(): void
}

/** Starts the clock. */
export function timeLimit(milliseconds: number, wait: Wait): TimeLimit {
  const ended = new AbortController()
  const never = new Promise<never>(() => undefined)
  const over = wait(milliseconds, ended.signal).then(() => (ended.signal.aborted ? never : undefined))
  return {
    race: (work, late) => Promise.race([work, over.then(late)]),
    // A reason of our own spares a DOMException for every limit.
    end: () => ended.abort('ended'),
  }
}
