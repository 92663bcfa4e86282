export interface Timed {
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Makes an empty queue: a sorted list, for what is added is mostly the latest. */
export function createQueue<Entry extends Timed>() {
  let entries: Entry[] = []
  /** How many entries there are before `at` comes. */
  const before = (isBefore: (entry: Entry) => boolean): number => {
    let [low, high] = [0, entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const entry = entries[middle]
      if (entry !== undefined && isBefore(entry)) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    add(entry: Entry): void {
      entries.splice(
        before(({ at }) => at <= entry.at),
        0,
        entry,
      )
    },
    first: (): Entry | undefined => entries[0],
    remove(entry: Entry): void {
      const at = entries.indexOf(
        entry,
        before(each => each.at < entry.at),
      )
      if (at >= 0) entries.splice(at, 1)
    },
    clear(): void {
      entries = []
    },
  }
}
