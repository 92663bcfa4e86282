import {
  checkCount,
  checkKey,
  checkPostpone,
  checkTake,
  checkWrite,
  type Store,
  type Stored,
  StoreError,
} from './store.js'

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /** Milliseconds since the epoch. The store's clock stands still where this one goes back. Default: the system clock. */
  readonly clock?: () => number
}

interface Row extends Stored {
  readonly due: number | null
  readonly list: string | null
  /** When it entered its list; a number that orders those that entered in one millisecond follows it. */
  readonly since: number
  readonly entered: number
}

/**
 * A store in the memory of this process, for tests and for trying things out: it forgets everything when the process ends, and
 * what was sent before could then be sent again.
 */
export function memoryStore({ clock = Date.now }: MemoryStoreOptions = {}): Store {
  const rows = new Map<string, Row>()
  let latest = 0
  let entries = 0
  let isClosed = false

  const now = (): number => {
    if (isClosed) throw new StoreError('ERR_STORE_CLOSED', 'The store in memory was closed, and is used again.')
    latest = Math.max(latest, Math.floor(clock()))
    return latest
  }
  const stored = ({ key, version, writeId, body }: Row): Stored => ({ key, version, writeId, body })
  const storedAt = (key: string): Stored | undefined => {
    const row = rows.get(key)
    return row === undefined ? undefined : stored(row)
  }
  const place = (before: Row | undefined, list: string | null, at: number) => {
    if (before !== undefined && before.list === list) return { list, since: before.since, entered: before.entered }
    entries += 1
    return { list, since: at, entered: entries }
  }

  return {
    async read(key) {
      const at = now()
      checkKey(key)
      return { at, stored: storedAt(key) }
    },
    async write(key, entry, { after, id }) {
      const at = now()
      checkWrite(key, entry, { after, id })
      const row = rows.get(key)
      if (row?.writeId === id) return { kind: 'written', version: row.version, at }
      if (row?.writeId !== after) return { kind: 'conflict', current: storedAt(key), at }
      const version = (row?.version ?? 0) + 1
      const { body, due, list } = entry
      rows.set(key, { key, version, body, due, writeId: id, ...place(row, list, at) })
      return { kind: 'written', version, at }
    },
    async postpone(key, after, due) {
      now()
      checkPostpone(key, after, due)
      const row = rows.get(key)
      if (row?.writeId === after) rows.set(key, { ...row, due })
    },
    async take(options) {
      const at = now()
      checkTake(options)
      const { limit, hold, prefixes, latest = false } = options
      const isWanted = ({ key }: Row) => prefixes === undefined || prefixes.some(prefix => key.startsWith(prefix))
      const due = [...rows.values()].filter(row => row.due !== null && row.due <= at && isWanted(row))
      const inOrder = due.sort((a, b) => (a.due ?? 0) - (b.due ?? 0))
      const taken = (latest ? inOrder.reverse() : inOrder).slice(0, limit)
      for (const row of taken) rows.set(row.key, { ...row, due: at + hold })
      return { at, items: taken.map(stored) }
    },
    async list({ list, after, limit }) {
      now()
      checkCount('limit', limit, 1, 1000)
      const all = [...rows.values()]
      const cursor = list === undefined ? byKey : byEntry
      const on = all
        .filter(row => list === undefined || row.list === list)
        .sort((a, b) => compare(cursor(a), cursor(b)))
      const rest = after === undefined ? on : on.filter(row => compare(cursor(row), after) > 0)
      const items = rest.slice(0, limit)
      const last = items.at(-1)
      return {
        items: items.map(stored),
        total: on.length,
        next: last === undefined || items.length === rest.length ? undefined : cursor(last),
      }
    },
    async close() {
      isClosed = true
    },
  }
}

const byKey = ({ key }: Row): string => key

const byEntry = ({ since, entered }: Row): string =>
  `${String(since).padStart(16, '0')}.${String(entered).padStart(16, '0')}`

/** As bytes, like every other engine: not by the language of the machine. */
const compare = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))
