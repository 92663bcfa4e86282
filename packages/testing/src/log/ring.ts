/** The latest entries. */
export interface Ring<Entry> {
  add(entry: Entry): void
  /** Oldest first. */
  list(): readonly Entry[]
  clear(): void
}

/** Makes a ring of at most `size` entries. Adding costs the same whatever the size. */
export function createRing<Entry>(size: number): Ring<Entry> {
  let entries: Entry[] = []
  let oldest = 0
  return {
    add(entry) {
      if (entries.length < size) entries.push(entry)
      else if (size > 0) {
        entries[oldest] = entry
        oldest = (oldest + 1) % size
      }
    },
    list: () => [...entries.slice(oldest), ...entries.slice(0, oldest)],
    clear() {
      entries = []
      oldest = 0
    },
  }
}
