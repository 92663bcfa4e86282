/**
 * Waiting for something that somebody else's code promises, and not for ever.
 *
 * @module
 */

/** What was promised, or that it did not come in time. */
export type Sooner<Value> = { readonly isLate: false; readonly value: Value } | { readonly isLate: true }

/**
 * Waits for a promise until a signal fires, or a limit passes that is started only for a promise that does not keep its
 * word at once.
 *
 * @throws What the promise rejects with, if it does so in time.
 */
export async function soonerThan<Value>(
  promise: Promise<Value>,
  limit: AbortSignal | (() => Promise<void>),
): Promise<Sooner<Value>> {
  let isDone = false
  const kept = Promise.resolve(promise).then(
    value => {
      isDone = true
      return { isLate: false, value } as const
    },
    (cause: unknown) => {
      isDone = true
      throw cause
    },
  )
  await Promise.race([kept, nextTurns()])
  if (isDone) return kept
  if (typeof limit === 'function') return Promise.race([kept, limit().then(() => late)])
  let stop = (): void => {}
  const fired = new Promise<typeof late>(resolve => {
    stop = () => resolve(late)
    if (limit.aborted) stop()
    limit.addEventListener('abort', stop, { once: true })
  })
  return Promise.race([kept, fired]).finally(() => limit.removeEventListener('abort', stop))
}

const late = { isLate: true } as const

/** A few turns of the queue, within which memory answers. */
async function nextTurns(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await Promise.resolve()
}
