import type { Settings } from '../config/settings.js'
import type { Deadline, DeadlineListener } from './types.js'

/** Starts a deadline `timeout` milliseconds from now, which the caller's signal may bring forward. */
export function startDeadline(timeout: number, callersSignal: AbortSignal | undefined): Deadline {
  const listeners = new Set<DeadlineListener>()
  let over: { readonly reason: unknown } | undefined
  let ownSignal: AbortSignal | undefined
  const end = (reason: unknown): void => {
    if (over !== undefined) return
    over = { reason }
    const told = [...listeners]
    listeners.clear()
    for (const listener of told) listener.deadlineCame()
  }
  const onAbort = (): void => end(callersSignal?.reason)
  const timer = setTimeout(() => end(new Error(`no answer within ${timeout} ms`)), timeout)
  if (callersSignal?.aborted === true) onAbort()
  callersSignal?.addEventListener('abort', onAbort, { once: true })
  return {
    isOver: () => over !== undefined,
    reason: () => over?.reason,
    addListener: listener => void listeners.add(listener),
    removeListener: listener => void listeners.delete(listener),
    signal() {
      if (ownSignal !== undefined) return ownSignal
      const controller = new AbortController()
      ownSignal = controller.signal
      if (over === undefined) listeners.add({ deadlineCame: () => controller.abort(over?.reason) })
      else controller.abort(over.reason)
      return ownSignal
    },
    clear() {
      clearTimeout(timer)
      callersSignal?.removeEventListener('abort', onAbort)
    },
  }
}

/** What a promise was kept with, or that it was not kept in time. */
export type InTime<Value> = { readonly kind: 'kept'; readonly value: Value } | { readonly kind: 'late' }

/**
 * Waits for a promise until a deadline comes.
 *
 * @throws What the promise rejects with, if it does so in time.
 */
export function withDeadline<Value>(promise: Promise<Value>, deadline: Deadline): Promise<InTime<Value>> {
  return new Promise((resolve, reject) => {
    const listener = { deadlineCame: () => resolve({ kind: 'late' }) }
    if (deadline.isOver()) listener.deadlineCame()
    else deadline.addListener(listener)
    Promise.resolve(promise)
      .then(value => resolve({ kind: 'kept', value }), reject)
      .finally(() => deadline.removeListener(listener))
  })
}

/**
 * Waits for a promise for `most` milliseconds. The time is measured only where the promise is not kept at once, as memory
 * keeps it.
 *
 * @throws What the promise rejects with, if it does so in time.
 */
export async function withTimeLimit<Value>(
  promise: Promise<Value>,
  { most, wait }: { readonly most: number; readonly wait: Settings['wait'] },
): Promise<InTime<Value>> {
  const kept = Promise.resolve(promise).then(value => ({ kind: 'kept', value }) as const)
  const atOnce = await Promise.race([kept, soon()])
  if (atOnce !== undefined) return atOnce
  const limit = new AbortController()
  try {
    return await Promise.race([kept, wait(most, limit.signal).then(() => ({ kind: 'late' }) as const)])
  } finally {
    limit.abort()
  }
}

/** A few turns of the queue of promises. */
async function soon(): Promise<undefined> {
  for (let turn = 0; turn < 4; turn += 1) await undefined
}
