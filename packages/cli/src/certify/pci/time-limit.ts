/** The time in which one place is searched. */
export interface TimeLimit {
  /** Resolves when the time is over. */
  readonly over: Promise<unknown>
  isOver(): boolean
}

/** Longest time that the search of one place may take, in milliseconds. */
const longestSearch = 15 * 60_000

/** The problem of a place that was not searched to its end in time. */
export const tookTooLong = 'It was not searched to its end within 15 minutes.'

/** Searches within the longest time that one place may take, or until everything has to stop. */
export async function inTime<Result>(
  search: (limit: TimeLimit) => Promise<Result>,
  wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown>,
  stopped: Promise<unknown>,
): Promise<Result> {
  const ended = new AbortController()
  let isOver = false
  const over = new Promise<void>(resolve => {
    const end = (): void => {
      if (ended.signal.aborted) return
      isOver = true
      resolve()
    }
    void wait(longestSearch, ended.signal).then(end, () => undefined)
    void stopped.then(end)
  })
  try {
    return await search({ over, isOver: () => isOver })
  } finally {
    ended.abort()
  }
}

/** Takes each piece of what comes, and no more once the time is over. */
export async function takeInTime(
  pieces: AsyncIterable<Buffer>,
  take: (piece: Buffer) => Promise<void>,
  { over, isOver }: TimeLimit,
): Promise<void> {
  const taking = (async () => {
    for await (const piece of pieces) {
      if (isOver()) return
      await take(piece)
    }
  })()
  // One that waits for its next piece may wait for ever.
  await Promise.race([taking, over])
}
