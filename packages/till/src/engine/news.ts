/** How somebody waits for news. */
export interface Pausing {
  /** Ends the pause. */
  readonly signal?: AbortSignal | undefined
  /** Resolves after so many milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Listens for news of one payment. It misses none that came since it began, or since the last pause. */
export interface Listening {
  /**
   * Resolves after so many milliseconds, and at once where there is news, or the signal fires.
   *
   * @returns Whether there was news.
   */
  pause(milliseconds: number, pausing: Pausing): Promise<boolean>
  /** As if there were news. */
  wake(): void
  /** As if there had been none. */
  forget(): void
  end(): void
}

/** News of payments within this process: each commit is one. */
export interface News {
  tell(key: string): void
  listen(key: string): Listening
}

/** Makes what wakes those who wait for a payment here, without a question to the store or the gateway. */
export function createNews(): News {
  const listeners = new Map<string, Set<() => void>>()
  return {
    tell(key) {
      for (const wake of listeners.get(key) ?? []) wake()
    },
    listen(key) {
      let isNews = false
      let pausing: AbortController | undefined
      const wake = () => {
        isNews = true
        pausing?.abort()
      }
      const all = listeners.get(key) ?? new Set()
      listeners.set(key, all.add(wake))
      return {
        async pause(milliseconds, { signal, wait }) {
          pausing = new AbortController()
          const { signal: over } = pausing
          const end = () => pausing?.abort()
          if (isNews || signal?.aborted === true) end()
          signal?.addEventListener('abort', end)
          await wait(milliseconds, over)
          signal?.removeEventListener('abort', end)
          const wasNews = isNews
          isNews = false
          return wasNews
        },
        wake,
        forget() {
          isNews = false
        },
        end() {
          all.delete(wake)
          if (all.size === 0 && listeners.get(key) === all) listeners.delete(key)
        },
      }
    },
  }
}
