/**
 * The deadline of a call: one timer, and the caller's own signal.
 *
 * @module
 */
import { whenNeeded } from './when-needed.js'

/** The end of a call's time: it comes at the deadline, or when the caller's signal fires. */
export interface Deadline {
  /** Whether it has come. */
  isOver(): boolean
  /** Why it has come. */
  reason(): unknown
  /** Runs `listener` once, when it comes; not where it has come already. */
  addListener(listener: () => void): void
  removeListener(listener: () => void): void
  /** A signal that fires when it comes, for code that takes one. Few calls get that far, and signals are costly. */
  signal(): AbortSignal
  /** Stops the timer and lets go of the caller's signal, which may live as long as the process. */
  clear(): void
}

/** Starts a deadline `timeout` milliseconds from now. */
export function startDeadline(timeout: number, callersSignal: AbortSignal | undefined): Deadline {
  let listeners: (() => void)[] = []
  let over: { readonly reason: unknown } | undefined
  const end = (reason: unknown) => {
    if (over !== undefined) return
    over = { reason }
    const told = listeners
    listeners = []
    for (const listener of told) listener()
  }
  const signal = whenNeeded(() => {
    const controller = new AbortController()
    if (over !== undefined) controller.abort(over.reason)
    else listeners.push(() => controller.abort(over?.reason))
    return controller.signal
  })
  const timer = setTimeout(() => end(new Error(`no answer within ${timeout} ms`)), timeout)
  const onAbort = () => end(callersSignal?.reason)
  if (callersSignal?.aborted === true) onAbort()
  callersSignal?.addEventListener('abort', onAbort, { once: true })
  return {
    isOver: () => over !== undefined,
    reason: () => over?.reason,
    addListener(listener) {
      listeners.push(listener)
    },
    removeListener(listener) {
      listeners = listeners.length === 1 && listeners[0] === listener ? [] : listeners.filter(each => each !== listener)
    },
    signal,
    clear() {
      clearTimeout(timer)
      callersSignal?.removeEventListener('abort', onAbort)
    },
  }
}
