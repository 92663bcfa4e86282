/** Makes a ring of at most `size` entries. Adding takes equally long for every size; `list` has the oldest first. */
export function createRing<Entry>(size: number) {
  let entries: Entry[] = []
  let oldest = 0
  return {
    add(entry: Entry): void {
      if (entries.length < size) entries.push(entry)
      else if (size > 0) {
        entries[oldest] = entry
        oldest = (oldest + 1) % size
      }
    },
    list: (): readonly Entry[] => [...entries.slice(oldest), ...entries.slice(0, oldest)],
    clear(): void {
      entries = []
      oldest = 0
    },
  }
}
