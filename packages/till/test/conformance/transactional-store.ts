/**
 * A correct store in memory with `commit`, and a table of the merchant: the ground that broken stores are made from.
 *
 * @module
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { StoreGround } from '../../src/conformance.js'
import { memoryStore } from '../../src/store/memory-store.js'
import { type Entry, type Store, type Stored, StoreError, type Written } from '../../src/store/store.js'

/** Rows that one `commit` inserted, and that are not there yet. */
export type Pending = Map<string, string>

/** The memory that all stores on it share. */
export interface Memory {
  readonly store: Store
  readonly rows: Map<string, string>
  /** Makes the id of a commit, which no other one has. */
  readonly newId: () => string
  /** The next calls of `write` and `commit` lose their answer: before they are carried out, or after. */
  lost: ('before' | 'after')[]
}

export type TransactionalStore = Required<Omit<Store<Pending>, 'risks'>>

/** A new memory. @param clock Default: the system clock. */
export const memory = (clock: () => number = Date.now): Memory => ({
  store: memoryStore({ clock }),
  rows: new Map(),
  newId: idsFrom(),
  lost: [],
})

/** Numbers commits. */
export function idsFrom(): () => string {
  let commits = 0
  return () => {
    commits += 1
    return `commit.${commits}`
  }
}

/** A store on a memory, as one process has it. @param newId Makes the id of a commit. Default: that of the memory. */
export function storeOn(shared: Memory, newId: () => string = shared.newId): TransactionalStore {
  const { store, rows } = shared
  let isClosed = false
  const open = (): void => {
    if (isClosed) throw new StoreError('ERR_STORE_CLOSED', 'The store of the test was closed, and is used again.')
  }

  async function commitOnce(key: string, id: string, pending: Pending, finish: Finish): Promise<Written | undefined> {
    const { at, stored } = await store.read(key)
    const entry = finish(stored)
    if (entry === undefined) return { kind: 'conflict', current: stored, at }
    for (const row of pending.keys()) if (rows.has(row)) throw new Error(`duplicate row ${row}`)
    const written = await losing(shared, async () => {
      const answer = await store.write(key, entry, { after: stored?.writeId, id })
      if (answer.kind === 'written') for (const [row, value] of pending) rows.set(row, value)
      return answer
    })
    return written.kind === 'written' ? written : undefined
  }

  return {
    read: async key => {
      open()
      return store.read(key)
    },
    write: async (key, entry, options) => {
      open()
      return losing(shared, () => store.write(key, entry, options))
    },
    postpone: async (key, after, due) => {
      open()
      return store.postpone(key, after, due)
    },
    take: async options => {
      open()
      return store.take(options)
    },
    list: async options => {
      open()
      return store.list(options)
    },
    commit: async (key, work, finish) => {
      open()
      await store.read(key)
      const pending: Pending = new Map()
      await work(pending)
      const id = newId()
      for (;;) {
        const written = await commitOnce(key, id, pending, finish)
        if (written !== undefined) return written
      }
    },
    close: async () => {
      isClosed = true
    },
  }
}

type Finish = (current: Stored | undefined) => Entry | undefined

/** Loses the answer of a call, as a connection that breaks does. */
async function losing<Result>({ lost }: Memory, call: () => Promise<Result>): Promise<Result> {
  const where = lost.shift()
  if (where === 'before') throw gone()
  const result = await call()
  if (where === 'after') throw gone()
  return result
}

const gone = (): StoreError => new StoreError('ERR_STORE_UNKNOWN', 'The connection of the test was lost.')

/** The ground of a memory, with stores as `make` gives them. */
export function groundOn(shared: Memory, make: (shared: Memory) => Store<Pending>): StoreGround<Pending> {
  return {
    store: make(shared),
    again: async () => make(shared),
    rows: {
      insert: async (pending, id, value) => {
        if (shared.rows.has(id) || pending.has(id)) throw new Error(`duplicate row ${id}`)
        pending.set(id, value)
      },
      read: async id => shared.rows.get(id),
    },
    disturb: async () => {
      shared.lost = ['before', 'after', 'before', 'after', 'after', 'before']
    },
  }
}

/** A clock that the suite moves, so that no check waits. */
export function ownTime() {
  let now = 1_767_605_400_000
  const pass = async (milliseconds: number) => {
    now += milliseconds
    await turn()
  }
  return { clock: () => now, pass }
}
