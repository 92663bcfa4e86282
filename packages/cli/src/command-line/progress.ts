import type { Surroundings } from './surroundings.js'

/** What a terminal empties its line for. */
export const clearLine = '\r\u001B[2K'

/** Pause between two looks at the clock, in milliseconds. */
const pause = 250

/**
 * Shows in one line of a terminal what is waited for, and for how long, while `work` goes on. Where no person looks nothing is written.
 *
 * @param what Called at each redraw, so its text may change.
 */
export async function withProgress<Result>(
  { terminal, complain, clock }: Pick<Surroundings, 'terminal' | 'complain' | 'clock'>,
  what: () => string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (terminal?.progress !== true) return work()
  const begun = clock()
  let isShown = false
  const show = (): void => {
    const seconds = Math.floor((clock() - begun) / 1_000)
    // What is over at once needs no line.
    if (seconds === 0) return
    isShown = true
    complain(`${clearLine}${what()} … ${seconds} s`)
  }
  const timer = setInterval(show, pause)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    if (isShown) complain(clearLine)
  }
}

/** Ctrl+C ended a wait. The message says what may have become of what was waited for. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
}

/** A request had left when something failed. The message says what may have become of it. */
export class MayHaveHappenedError extends Error {
  override readonly name = 'MayHaveHappenedError'
}

/**
 * Waits for work that cannot be broken off, and no longer than until the command has to stop.
 *
 * @param left What may have become of the work then, in sentences.
 * @throws {@link InterruptedError}
 */
export function unlessStopped<Result>(
  { stopped }: Pick<Surroundings, 'stopped'>,
  work: () => Promise<Result>,
  left: () => string,
): Promise<Result> {
  const interrupted = stopped.then((): never => {
    throw new InterruptedError(left())
  })
  return Promise.race([work(), interrupted])
}

/** Aborts when the command has to stop. */
export function stopSignal({ stopped }: Pick<Surroundings, 'stopped'>): AbortSignal {
  const aborted = new AbortController()
  void stopped.then(() => aborted.abort())
  return aborted.signal
}
