import {
  type KnownAttempt,
  type MemoryStoreOptions,
  memoryStore,
  readDocument,
  type Store,
  type Stored,
} from '@tillkit/protocol'

/** A store in memory that shows the attempts it has, in the order in which they were first written. */
export interface WatchedStore extends Store {
  attempts(): readonly KnownAttempt[]
}

export function watchedStore(options: MemoryStoreOptions = {}): WatchedStore {
  const store = memoryStore(options)
  const latest = new Map<string, Stored>()
  const places = new Map<string, number>()
  const attempts = () =>
    [...latest.values()]
      .filter(({ key }) => !key.startsWith('learnt/'))
      .flatMap(stored => readDocument(stored).orders.flatMap(each => each.attempts))
      .sort((a, b) => (places.get(a.reservation) ?? 0) - (places.get(b.reservation) ?? 0))
  return {
    ...store,
    async write(key, entry, write) {
      const written = await store.write(key, entry, write)
      if (written.kind === 'written')
        latest.set(key, { key, version: written.version, writeId: write.id, body: entry.body })
      for (const { reservation } of attempts()) if (!places.has(reservation)) places.set(reservation, places.size)
      return written
    },
    attempts,
  }
}

/** The store of a process that dies once it has reserved an attempt: what it writes of the end of one never arrives. */
export function dyingStore<Kept extends Store>(store: Kept): Kept {
  const reserved = new Set<string>()
  return {
    ...store,
    write(key, entry, write) {
      const { orders } = readDocument({ key, version: 1, writeId: write.id, body: entry.body })
      const attempts = orders.flatMap(each => each.attempts)
      if (attempts.some(({ reservation, end }) => end !== undefined && reserved.has(reservation)))
        return new Promise(() => {})
      for (const { reservation, end } of attempts) if (end === undefined) reserved.add(reservation)
      return store.write(key, entry, write)
    },
  }
}

/** A pause that lasts one turn of the event loop, however long it should be. */
export const oneTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
