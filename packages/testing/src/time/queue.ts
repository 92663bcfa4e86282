export interface Timed {
  /** Milliseconds since the epoch. */
  readonly at: number
}

interface Item<Entry> {
  readonly at: number
  readonly order: number
  /** Undefined once it was removed; the item stays until it comes up. */
  entry: Entry | undefined
}

/** Makes an empty queue: a binary heap, so that adding and taking cost little even with a hundred thousand entries. */
export function createQueue<Entry extends Timed>() {
  const heap: Item<Entry>[] = []
  const items = new Map<Entry, Item<Entry>>()
  let count = 0

  const isBefore = (a: number, b: number): boolean => {
    const [left, right] = [heap[a], heap[b]]
    if (left === undefined || right === undefined) return false
    return left.at < right.at || (left.at === right.at && left.order < right.order)
  }
  const swap = (a: number, b: number): void => {
    const [left, right] = [heap[a], heap[b]]
    if (left === undefined || right === undefined) return
    heap[a] = right
    heap[b] = left
  }
  const rise = (from: number): void => {
    for (let at = from, above = (at - 1) >> 1; at > 0 && isBefore(at, above); at = above, above = (at - 1) >> 1) {
      swap(at, above)
    }
  }
  const dropFirst = (): void => {
    swap(0, heap.length - 1)
    heap.pop()
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const below = isBefore(right, left) ? right : left
      if (!isBefore(below, at)) return
      swap(below, at)
      at = below
    }
  }

  return {
    add(entry: Entry): void {
      count += 1
      const item = { at: entry.at, order: count, entry }
      items.set(entry, item)
      heap.push(item)
      rise(heap.length - 1)
    },
    first(): Entry | undefined {
      while (heap[0] !== undefined && heap[0].entry === undefined) dropFirst()
      return heap[0]?.entry
    },
    remove(entry: Entry): void {
      const item = items.get(entry)
      if (item !== undefined) item.entry = undefined
      items.delete(entry)
    },
    clear(): void {
      heap.length = 0
      items.clear()
    },
  }
}
