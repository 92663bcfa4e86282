import type { Wait } from './time.js'

/** How fast work on orders goes. */
export interface OrderQueueOptions<Result> {
  /** Least milliseconds between two beginnings of work on one order. */
  readonly interval: number
  /**
   * Longest interval, in milliseconds, while work on an order goes on being asked for: twice as much each time it begins
   * again in less than twice its pause. One genuine callback can be sent again without end. Default: `interval`.
   */
  readonly longestInterval?: number
  /** Whether work has brought something new. The interval is the least one again after it. Default: none has. */
  readonly isNews?: (result: Result) => boolean
  /** Most orders that are worked on at once. */
  readonly concurrency: number
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly wait: Wait
}

/** The work on one order that runs, and the work that waits for its turn. */
interface Slot<Result> {
  running?: Promise<unknown>
  waiting?: Promise<Result> | undefined
}

/** Makes a queue of work on orders: one at a time for each, what comes meanwhile together, and not too often. */
export function createOrderQueue<Result>({
  interval,
  longestInterval = interval,
  isNews = () => false,
  concurrency,
  clock,
  wait,
}: OrderQueueOptions<Result>) {
  const slots = new Map<string, Slot<Result>>()
  /** When work on an order last began, earliest first, and how long after it the next may. */
  const begun = new Map<string, { readonly at: number; readonly pause: number }>()
  const turns: (() => void)[] = []
  let free = concurrency

  const turn = (): Promise<void> | undefined => {
    if (free > 0) {
      free -= 1
      return undefined
    }
    return new Promise(resolve => turns.push(resolve))
  }
  const endTurn = (): void => {
    const next = turns.shift()
    if (next === undefined) free += 1
    else next()
  }
  const noteBegin = (key: string): void => {
    const now = clock()
    const before = begun.get(key)
    const isPressed = before !== undefined && now - before.at < 2 * before.pause
    begun.delete(key)
    begun.set(key, { at: now, pause: isPressed ? Math.min(2 * before.pause, longestInterval) : interval })
    for (const [each, { at, pause }] of begun) {
      // Times that lie ahead were noted before the clock was set back.
      if (at <= now && at + 2 * pause > now) break
      begun.delete(each)
    }
  }

  const start = async (key: string, slot: Slot<Result>, work: () => Promise<Result>): Promise<Result> => {
    try {
      if (slot.running !== undefined) await slot.running
      const { at, pause } = begun.get(key) ?? { at: Number.NEGATIVE_INFINITY, pause: 0 }
      const left = at + pause - clock()
      // No longer than the whole of it, should the clock be set back.
      if (left > 0) await wait(Math.min(left, pause))
      await turn()
    } catch (error) {
      slots.delete(key)
      throw error
    }
    const running = Promise.resolve().then(work)
    slot.waiting = undefined
    slot.running = running.catch(() => undefined)
    if (interval > 0) noteBegin(key)
    try {
      const result = await running
      const last = begun.get(key)
      if (last !== undefined && isNews(result)) begun.set(key, { ...last, pause: interval })
      return result
    } finally {
      endTurn()
      if (slot.waiting === undefined) slots.delete(key)
    }
  }

  return {
    /**
     * Does the work, or joins work on the same order that has not begun. Work that has begun is not joined: it may have asked
     * before the news came.
     */
    run(key: string, work: () => Promise<Result>): Promise<Result> {
      const slot = slots.get(key) ?? {}
      slots.set(key, slot)
      slot.waiting ??= start(key, slot, work)
      return slot.waiting
    },
  }
}
