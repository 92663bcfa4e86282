import type { Settings } from '../config/settings.js'

/** One wait for the outcome of an order. */
export interface Wait {
  /** Fires when the wait is over: stopped, or its client closed. */
  readonly stopped: AbortSignal
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

interface Sleeper {
  wake(): void
  stop(): void
}

/** Makes an empty list of waits. */
export function createWaits(): Waits {
  const byOrder = new Map<string, ReadonlySet<Sleeper>>()
  let isClosed = false
  const keep = (id: string, sleepers: ReadonlySet<Sleeper>) =>
    void (sleepers.size === 0 ? byOrder.delete(id) : byOrder.set(id, sleepers))
  const of = (id: string): ReadonlySet<Sleeper> => byOrder.get(id) ?? new Set()

  return {
    begin(id) {
      const { wait, sleeper } = createWait(ended => keep(id, new Set([...of(id)].filter(each => each !== ended))))
      keep(id, new Set([...of(id), sleeper]))
      if (isClosed) sleeper.stop()
      return wait
    },
    wake(id) {
      const sleepers = of(id.trim())
      for (const sleeper of sleepers) sleeper.wake()
      return sleepers.size
    },
    close() {
      isClosed = true
      for (const sleeper of [...byOrder.values()].flatMap(sleepers => [...sleepers])) sleeper.stop()
    },
  }
}

function createWait(forget: (sleeper: Sleeper) => void): { readonly wait: Wait; readonly sleeper: Sleeper } {
  const stopping = new AbortController()
  let isWoken = false
  let interrupt = (): void => {}

  const sleeper: Sleeper = {
    wake() {
      isWoken = true
      interrupt()
    },
    stop() {
      stopping.abort()
      interrupt()
    },
  }
  const pause: Wait['pause'] = async (milliseconds, wait) => {
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
  }
  const wait: Wait = {
    stopped: stopping.signal,
    isWoken: () => isWoken,
    takeWake() {
      const was = isWoken
      isWoken = false
      return was
    },
    pause,
    stop: sleeper.stop,
    end: () => forget(sleeper),
  }
  return { wait, sleeper }
}
