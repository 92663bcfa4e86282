import type { Settings } from '../config/settings.js'

/** The waits of one client for outcomes of orders. */
export type Waits = ReturnType<typeof createWaits>

/** One wait for the outcome of an order. */
export type Wait = ReturnType<typeof createWait>

export function createWaits() {
  const orders = new Map<Wait, string>()
  let isClosed = false
  return {
    begin(clientOrderId: string): Wait {
      const wait = createWait()
      orders.set(wait, clientOrderId)
      if (isClosed) wait.stop()
      return wait
    },
    /** Forgets a wait. */
    end: (wait: Wait): void => void orders.delete(wait),
    /** Wakes every wait for this order. @returns How many. */
    wake(clientOrderId: string): number {
      const id = clientOrderId.trim()
      const woken = [...orders].filter(([, each]) => each === id)
      for (const [wait] of woken) wait.wake()
      return woken.length
    },
    /** Stops every wait, and those that begin later at once. */
    close(): void {
      isClosed = true
      for (const wait of orders.keys()) wait.stop()
    },
  }
}

function createWait() {
  const stopping = new AbortController()
  let isWoken = false
  let interrupt = (): void => {}
  return {
    /** Fires when the wait is over: stopped, or its client closed. */
    stopped: stopping.signal,
    wake(): void {
      isWoken = true
      interrupt()
    },
    /** Whether it was woken since `takeWake` was last called. */
    isWoken: (): boolean => isWoken,
    /** Whether it was woken, which is then forgotten. */
    takeWake(): boolean {
      const was = isWoken
      isWoken = false
      return was
    },
    /** Pauses that many milliseconds; less when it is woken or stopped, not at all when that happened before. */
    async pause(milliseconds: number, wait: Settings['wait']): Promise<void> {
      if (isWoken || stopping.signal.aborted) return
      const cut = new AbortController()
      const interrupted = new Promise<void>(resolve => {
        interrupt = () => {
          // First, for a wait of the caller's may reject when it is cut short.
          resolve()
          cut.abort()
        }
      })
      await Promise.race([wait(milliseconds, cut.signal), interrupted])
    },
    stop(): void {
      stopping.abort()
      interrupt()
    },
  }
}
