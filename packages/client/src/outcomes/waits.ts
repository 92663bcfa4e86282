import type { Settings } from '../config/settings.js'

/** The waits of one client for outcomes of orders. */
export type Waits = ReturnType<typeof createWaits>

export function createWaits() {
  const orders = new Map<Wait, string>()
  let isClosed = false
  return {
    begin(clientOrderId: string): Wait {
      const wait = new Wait()
      orders.set(wait, clientOrderId)
      if (isClosed) wait.stop()
      return wait
    },
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

/** One wait for the outcome of an order. */
export class Wait {
  private readonly stopping = new AbortController()
  /** Fires when the wait is over: stopped, or its client closed. */
  readonly stopped: AbortSignal = this.stopping.signal
  private hasWake = false
  private interrupt = (): void => {}

  wake(): void {
    this.hasWake = true
    this.interrupt()
  }

  isWoken(): boolean {
    return this.hasWake
  }

  /** Whether it was woken, which is then forgotten. */
  takeWake(): boolean {
    const was = this.hasWake
    this.hasWake = false
    return was
  }

  /** Pauses that many milliseconds; less when it is woken or stopped, not at all when that happened before. */
  async pause(milliseconds: number, wait: Settings['wait']): Promise<void> {
    if (this.hasWake || this.stopped.aborted) return
    const cut = new AbortController()
    const interrupted = new Promise<void>(resolve => {
      this.interrupt = () => {
        // First, for a wait of the caller's may reject when it is cut short.
        resolve()
        cut.abort()
      }
    })
    await Promise.race([wait(milliseconds, cut.signal), interrupted])
  }

  stop(): void {
    this.stopping.abort()
    this.interrupt()
  }
}
