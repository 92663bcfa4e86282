/**
 * The deadline of a call: one timer, and the caller's own signal.
 *
 * @module
 */

/** A signal that fires at the deadline or when the caller's does. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Stops the timer and lets go of the caller's signal, which may live as long as the process. */
  clear(): void
}

/** Starts a deadline `timeout` milliseconds from now. */
export function startDeadline(timeout: number, callersSignal: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${timeout} ms`)), timeout)
  const onAbort = () => controller.abort(callersSignal?.reason)
  if (callersSignal?.aborted === true) onAbort()
  callersSignal?.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      callersSignal?.removeEventListener('abort', onAbort)
    },
  }
}
