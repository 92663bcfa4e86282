/** Pause between two rounds of work, in milliseconds: after one that found nothing, and after one that did. */
const [idlePause, busyPause] = [1_000, 100]

/** About how many orders one round of a cron takes up. */
const mostInRound = 100

/** Works on everything that the store has left to do. */
export interface BackgroundContext {
  /** @param options `untilTried`: wait until each was tried once. @returns How many orders there were. */
  round(options?: { readonly untilTried?: boolean }): Promise<number>
  /** Resolves once no change that a handler wanted is under way here. */
  idle(): Promise<void>
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Makes the work in the background: in rounds until it is closed, or one round for a cron. */
export function createBackground({ round, idle, wait }: BackgroundContext) {
  const closed = new AbortController()
  let working: Promise<void> | undefined
  const work = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      const count = await round().catch(() => 0)
      await wait(count === 0 ? idlePause : busyPause, closed.signal)
    }
  }
  return {
    start(): void {
      working ??= work()
    },
    /** @returns How many orders there were. */
    async round(): Promise<number> {
      let count = 0
      for (let more = 1; more > 0 && count < mostInRound; count += more) more = await round({ untilTried: true })
      await idle()
      return count
    },
    /** Begins no more rounds. Resolves once the last one is over. */
    async close(): Promise<void> {
      closed.abort()
      await working
    },
  }
}
