/**
 * The deadline of a call: one timer, and the caller's own signal.
 *
 * @module
 */

/** A signal that fires at the deadline or when the caller's does. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Stops the timer. */
  clear(): void
}

/** Starts a deadline `timeout` milliseconds from now. */
export function startDeadline(timeout: number, callersSignal: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${timeout} ms`)), timeout)
  const signals = callersSignal === undefined ? [controller.signal] : [controller.signal, callersSignal]
  return { signal: AbortSignal.any(signals), clear: () => clearTimeout(timer) }
}
