import type { Settings } from '../config/settings.js'

/** One wait for the outcome of an order. */
export interface Wait {
  /** Fires when the wait is over: stopped, or its client closed. */
  readonly stopped: AbortSignal
  wake(): void
  /** Whether it was woken since {@link Wait.takeWake} was last called. */
  isWoken(): boolean
  /** Whether it was woken, which is then forgotten. */
  takeWake(): boolean
  /** Pauses that many milliseconds; less when it is woken or stopped, not at all when that happened before. */
  pause(milliseconds: number, wait: Settings['wait']): Promise<void>
  stop(): void
  /** Forgets the wait. */
  end(): void
}

/** The waits of one client. */
export interface Waits {
  begin(clientOrderId: string): Wait
  /** Wakes every wait for this order. @returns How many. */
  wake(clientOrderId: string): number
  /** Stops every wait, and those that begin later at once. */
  close(): void
}

/** Makes an empty list of waits. */
export function createWaits(): Waits {
  const orders = new Map<Wait, string>()
  let isClosed = false
  return {
    begin(clientOrderId) {
      const wait = createWait(() => void orders.delete(wait))
      orders.set(wait, clientOrderId)
      if (isClosed) wait.stop()
      return wait
    },
    wake(clientOrderId) {
      const id = clientOrderId.trim()
      const woken = [...orders].filter(([, each]) => each === id)
      for (const [wait] of woken) wait.wake()
      return woken.length
    },
    close() {
      isClosed = true
      for (const wait of orders.keys()) wait.stop()
    },
  }
}

function createWait(end: () => void): Wait {
  const stopping = new AbortController()
  let isWoken = false
  let interrupt = (): void => {}
  return {
    stopped: stopping.signal,
    wake() {
      isWoken = true
      interrupt()
    },
    isWoken: () => isWoken,
    takeWake() {
      const was = isWoken
      isWoken = false
      return was
    },
    async pause(milliseconds, wait) {
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
    stop() {
      stopping.abort()
      interrupt()
    },
    end,
  }
}
