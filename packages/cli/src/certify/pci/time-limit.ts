/** The time in which one place is searched. */
export interface TimeLimit {
  readonly over: Promise<unknown>
  /** Why a place is searched no further, which is a problem of the place; undefined as long as it is searched. */
  ended(): string | undefined
}

/** Longest time that the search of one place may take, in milliseconds. */
const longestSearch = 15 * 60_000

const [tookTooLong, wasStopped] = [
  'It was not searched to its end within 15 minutes.',
  'You stopped it before it was searched to its end.',
]

/** Searches within the longest time that one place may take, or until everything has to stop. */
export async function inTime<Result>(
  search: (limit: TimeLimit) => Promise<Result>,
  wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown>,
  stopped: Promise<unknown>,
): Promise<Result> {
  const ended = new AbortController()
  let problem: string | undefined
  const over = new Promise<void>(resolve => {
    const end = (why: string): void => {
      if (ended.signal.aborted) return
      problem ??= why
      resolve()
    }
    void wait(longestSearch, ended.signal).then(
      () => end(tookTooLong),
      () => undefined,
    )
    void stopped.then(() => end(wasStopped))
  })
  try {
    return await search({ over, ended: () => problem })
  } finally {
    ended.abort()
  }
}

/** Takes each piece of what comes, and no more once the time is over. */
export async function takeInTime(
  pieces: AsyncIterable<Buffer>,
  take: (piece: Buffer) => Promise<void>,
  { over, ended }: TimeLimit,
): Promise<void> {
  const taking = (async () => {
    for await (const piece of pieces) {
      if (ended() !== undefined) return
      await take(piece)
    }
  })()
  // One that waits for its next piece may wait for ever.
  await Promise.race([taking, over])
}
