/**
 * What is taken from the environment where the caller hands in nothing: the only ambient state of this package.
 *
 * @module
 */
import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers'
import type { Wait } from '../outcomes/order-queue.js'

/** The system clock, in milliseconds since the epoch. */
export const systemClock = (): number => Date.now()

/** Waits, without keeping the process alive. @param milliseconds How long, at most: an aborted `signal` ends it. */
export const systemWait = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds).unref()
    if (signal?.aborted === true) end()
    else signal?.addEventListener('abort', end)
  })

/** Calls back, without keeping the process alive. @param milliseconds After how long. @returns What stops it. */
export const systemTimer = (milliseconds: number, over: () => void): (() => void) => {
  const timer = setTimeout(over, milliseconds).unref()
  return () => clearTimeout(timer)
}

/** Most bytes of a form body, and of a query, that are read. */
export const defaultMaxBodyBytes = 65_536

/** A value that nobody can guess, for one response. */
export const systemNonce = (): string => randomBytes(16).toString('base64url')

/** Warns the process, as Node.js itself does. */
export const systemWarn = (message: string, code: string): void =>
  process.emitWarning(message, { type: 'TillkitWarning', code })

/** That of when this was loaded: a test may replace timers later and never let them come. */
const atEndOfTurn = setImmediate

let ending: Promise<void> | undefined

/** Comes at the end of this turn, for everybody who waits for it. */
export function endOfTurn(): Promise<void> {
  ending ??= new Promise(resolve => {
    atEndOfTurn(() => {
      ending = undefined
      resolve()
    })
  })
  return ending
}

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

/** The same wait, which resolves when it is aborted. Any other failure stays one. */
export const resolvingWait =
  (wait: Wait): Wait =>
  async (milliseconds, signal) => {
    try {
      await wait(milliseconds, signal)
    } catch (error) {
      if (signal?.aborted !== true) throw error
    }
  }
