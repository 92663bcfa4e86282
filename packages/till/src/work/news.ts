/** Listens for news of one document. What came since it began, or since the last pause, is not missed. */
export interface Listening {
  /**
   * Resolves after so many milliseconds, and at once where there is news, or the signal fires.
   *
   * @returns Whether there was news.
   */
  pause(milliseconds: number, signal: AbortSignal): Promise<boolean>
  /** As if there were news. */
  wake(): void
  end(): void
}

/** News of documents within this process. */
export interface News {
  tell(key: string): void
  listen(key: string): Listening
}

/** Makes what wakes those who wait for a payment here, without a question to the store or the gateway. */
export function createNews(wait: (milliseconds: number, signal: AbortSignal) => Promise<void>): News {
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
        async pause(milliseconds, signal) {
          pausing = new AbortController()
          const { signal: over } = pausing
          const end = () => pausing?.abort()
          if (isNews || signal.aborted) end()
          signal.addEventListener('abort', end)
          await wait(milliseconds, over)
          signal.removeEventListener('abort', end)
          const wasNews = isNews
          isNews = false
          return wasNews
        },
        wake,
        end() {
          all.delete(wake)
          if (all.size === 0 && listeners.get(key) === all) listeners.delete(key)
        },
      }
    },
  }
}
