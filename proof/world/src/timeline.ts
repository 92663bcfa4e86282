/** The virtual clock, and everything that is to happen on it. */
export interface Timeline {
  /** Milliseconds since the epoch. */
  now(): number
  /** Lets something happen at a moment, or at once if that is over. */
  at(moment: number, act: () => void): void
  /** The moment of what happens next; never, where there is nothing. */
  next(): number
  /** Lets everything happen, in the order of its moments; of one moment in the order in which it was asked for. */
  run(): void
}

interface Due {
  readonly moment: number
  readonly nth: number
  readonly act: () => void
}

const isBefore = (one: Due, other: Due): boolean =>
  one.moment < other.moment || (one.moment === other.moment && one.nth < other.nth)

/** Makes a clock that stands at a moment. Everything that is due stands in a binary heap. */
export function createTimeline(start: number): Timeline {
  const heap: Due[] = []
  let now = start
  let count = 0

  const raise = (due: Due): void => {
    let place = heap.length
    heap.push(due)
    while (place > 0) {
      const above = (place - 1) >> 1
      const other = heap[above]
      if (other === undefined || !isBefore(due, other)) break
      heap[place] = other
      place = above
    }
    heap[place] = due
  }

  const takeFirst = (): Due | undefined => {
    const first = heap[0]
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return first
    let place = 0
    for (;;) {
      const left = 2 * place + 1
      const [one, two] = [heap[left], heap[left + 1]]
      if (one === undefined) break
      const [below, other] = two !== undefined && isBefore(two, one) ? [left + 1, two] : [left, one]
      if (!isBefore(other, last)) break
      heap[place] = other
      place = below
    }
    heap[place] = last
    return first
  }

  return {
    now: () => now,
    at(moment, act) {
      count += 1
      raise({ moment: Math.max(moment, now), nth: count, act })
    },
    next: () => heap[0]?.moment ?? Number.POSITIVE_INFINITY,
    run() {
      for (let due = takeFirst(); due !== undefined; due = takeFirst()) {
        now = due.moment
        due.act()
      }
    },
  }
}
