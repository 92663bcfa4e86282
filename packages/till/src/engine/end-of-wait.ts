/** Within so many turns of the queue a store in memory has answered. */
const mostTurns = 32

/** How long somebody waits. */
export interface WaitLimit {
  /** Milliseconds. */
  readonly most: number
  /** Resolves after so many milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Ends the waiting at once. */
  readonly signal: AbortSignal | undefined
}

/**
 * Waits for something, but no longer than the limit. The time is measured only where it does not come at once, as it does from memory.
 *
 * @returns What ended the wait before it came: the signal, or its time; undefined: it has come.
 */
export async function endOfWait(
  awaited: Promise<unknown>,
  { most, wait, signal }: WaitLimit,
): Promise<'signal' | 'time' | undefined> {
  let isOver = false
  const over = awaited.then(() => {
    isOver = true
    return undefined
  })
  for (let turn = 0; turn < mostTurns && !isOver; turn += 1) await undefined
  if (isOver) return undefined
  if (signal?.aborted === true) return 'signal'
  const limit = new AbortController()
  // A reason of our own: Node.js would make an error for each wait.
  const end = (): void => limit.abort('It was not waited for any longer.')
  signal?.addEventListener('abort', end)
  try {
    const late = wait(Math.max(0, most), limit.signal).then(() => (signal?.aborted === true ? 'signal' : 'time'))
    return await Promise.race([over, late])
  } finally {
    signal?.removeEventListener('abort', end)
    end()
  }
}
