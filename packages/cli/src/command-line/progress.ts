import type { Surroundings } from './surroundings.js'

/** What a terminal empties its line for. */
export const clearLine = '\r\u001B[2K'

/** Pause between two looks at the clock, in milliseconds. */
const pause = 250

/**
 * Shows in one line of a terminal what is waited for, and for how long, while `asked` goes on. Where no person looks nothing is written.
 *
 * @param what A function is called at each redraw, so its text may change.
 * @param left Ends the wait when the command has to stop, see {@link unlessStopped}. Default: the work ends by itself then.
 */
export async function withProgress<Result>(
  surroundings: Pick<Surroundings, 'terminal' | 'complain' | 'clock' | 'stopped'>,
  what: string | (() => string),
  asked: () => Promise<Result>,
  left?: () => string,
): Promise<Result> {
  const { terminal, complain, clock } = surroundings
  const work = left === undefined ? asked : () => unlessStopped(surroundings, asked, left)
  if (terminal?.progress !== true) return work()
  const begun = clock()
  let isShown = false
  const show = (): void => {
    const seconds = Math.floor((clock() - begun) / 1_000)
    // What is over at once needs no line.
    if (seconds === 0) return
    isShown = true
    complain(`${clearLine}${typeof what === 'string' ? what : what()} … ${seconds} s`)
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
