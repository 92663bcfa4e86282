/**
 * What is taken from the environment where the caller hands in nothing: the only ambient state of this package.
 *
 * @module
 */
import { randomBytes } from 'node:crypto'

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
