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
  private waking = new AbortController()
  /** Fires when the wait is over: stopped, or its client closed. */
  readonly stopped: AbortSignal = this.stopping.signal

  wake(): void {
    this.waking.abort()
  }

  isWoken(): boolean {
    return this.waking.signal.aborted
  }

  /** Whether it was woken, which is then forgotten. */
  takeWake(): boolean {
    const was = this.isWoken()
    if (was) this.waking = new AbortController()
    return was
  }

  /** Pauses that many milliseconds; less when it is woken or stopped, not at all when that happened before. */
  async pause(milliseconds: number, wait: Settings['wait']): Promise<void> {
    const cut = AbortSignal.any([this.stopped, this.waking.signal])
    await unlessStopped(() => wait(milliseconds, cut), cut)
  }

  stop(): void {
    this.stopping.abort()
  }
}

/** Waits for work, and no longer than until the signal fires: nothing is begun where that has happened. */
export async function unlessStopped<Value>(
  work: () => Promise<Value>,
  stopped: AbortSignal,
): Promise<Value | undefined> {
  if (stopped.aborted) return undefined
  let stop = (): void => {}
  // It hears of the signal before the work does, which may reject when it is cut short.
  const over = new Promise<undefined>(resolve => {
    stop = () => resolve(undefined)
    stopped.addEventListener('abort', stop)
  })
  return Promise.race([work(), over]).finally(() => stopped.removeEventListener('abort', stop))
}
