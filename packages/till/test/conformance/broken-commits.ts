/**
 * Stores whose `commit` goes wrong, each with the check that has to find it.
 *
 * @module
 */
import { type Store, type Stored, StoreError, type Written } from '../../src/store/store.js'
import { type Broken, broken } from './broken-writes.js'
import { type Memory, type Pending, storeOn, type TransactionalStore } from './transactional-store.js'

type CommitOf = NonNullable<Store<Pending>['commit']>

function insertAll({ rows }: Memory, pending: Pending): void {
  for (const [id, value] of pending) rows.set(id, value)
}

/** One transaction that every caller uses: its writes are gone when any of them rolls back. */
function sharedTransaction(store: Store<Pending>, shared: Memory): Partial<Store<Pending>> {
  const held = new Map<string, Stored>()
  let open = 0
  return {
    read: async key => {
      const { at, stored } = await store.read(key)
      return { at, stored: held.get(key) ?? stored }
    },
    write: async (key, { body, ...rest }, options): Promise<Written> => {
      if (open === 0) return store.write(key, { body, ...rest }, options)
      const { at, stored } = await store.read(key)
      const current = held.get(key) ?? stored
      if (current?.writeId !== options.after) return { kind: 'conflict', current, at }
      const version = (current?.version ?? 0) + 1
      held.set(key, { key, version, writeId: options.id, body })
      return { kind: 'written', version, at }
    },
    commit: async (key, work, finish) => {
      const pending: Pending = new Map()
      open += 1
      try {
        await work(pending)
        for (const { key: its, writeId: id, body } of held.values()) {
          const after = (await store.read(its)).stored?.writeId
          await store.write(its, { body, due: null, list: null }, { after, id })
        }
      } finally {
        held.clear()
        open -= 1
      }
      insertAll(shared, pending)
      return store.commit?.(key, async () => {}, finish) as Promise<Written>
    },
  }
}

/** Memories with a handler that is open. */
const open = new WeakSet<Memory>()

const pendings = new WeakMap<Memory, Pending>()

/** One transaction for every commit on a memory: what any of them inserted is gone when one fails. */
function onePending(store: TransactionalStore, shared: Memory): Partial<Store<Pending>> {
  const pending = pendings.get(shared) ?? new Map()
  pendings.set(shared, pending)
  return {
    commit: async (key, work, finish) => {
      try {
        await work(pending)
      } catch (error) {
        for (const id of pending.keys()) shared.rows.delete(id)
        throw error
      }
      insertAll(shared, pending)
      return store.commit(key, async () => {}, finish)
    },
  }
}

/** `commit` without a transaction: rows first, then the document. */
const rowsFirst =
  (store: Store<Pending>, shared: Memory): CommitOf =>
  async (key, work, finish) => {
    const pending: Pending = new Map()
    await work(pending)
    insertAll(shared, pending)
    return store.commit?.(key, async () => {}, finish) as Promise<Written>
  }

/** `commit` without a transaction: the document first, then the rows. */
const rowsLast =
  (store: Store<Pending>, shared: Memory): CommitOf =>
  async (key, work, finish) => {
    const written = await store.commit?.(key, async () => {}, finish)
    const pending: Pending = new Map()
    await work(pending)
    insertAll(shared, pending)
    return written as Written
  }

export const brokenCommits: readonly Broken[] = [
  broken('forgets the row', 'commits a row with the document, new or there', store => ({
    commit: (key, work, finish) => store.commit(key, () => work(new Map()), finish),
  })),
  broken(
    'commits the row first',
    'rolls both back where "finish" gives undefined, and brings the document',
    (store, shared) => ({
      commit: rowsFirst(store, shared),
    }),
  ),
  broken(
    'commits the document first',
    'rolls both back where the work throws, and passes the error on',
    (store, shared) => ({
      commit: rowsLast(store, shared),
    }),
  ),
  broken('hides what the merchant threw', 'rolls both back where the work throws, and passes the error on', store => ({
    commit: (key, work, finish) =>
      store.commit(key, work, finish).catch(() => {
        throw new Error('The transaction was rolled back.')
      }),
  })),
  broken(
    'commits the row where "finish" throws',
    'rolls both back where "finish" throws, and passes the error on',
    (store, shared) => ({
      commit: rowsFirst(store, shared),
    }),
  ),
  broken(
    'commits the row of a document that is refused',
    'rolls both back where the document is refused',
    (store, shared) => ({
      commit: rowsFirst(store, shared),
    }),
  ),
  broken(
    'goes on without the row that the database refused',
    'commits neither where the database refuses a row, also when the work does not say so',
    store => ({
      commit: async (key, work, finish) => {
        const pending: Pending = new Map()
        await work(pending).catch(() => pending.clear())
        const workAgain = async (own: Pending): Promise<void> => {
          for (const [id, value] of pending) own.set(id, value)
        }
        return store.commit(key, workAgain, finish)
      },
    }),
  ),
  broken(
    'gives "finish" the document of before',
    'gives "finish" the document as it is by then, and runs the work once',
    store => ({
      commit: async (key, work, finish) => {
        const { stored } = await store.read(key)
        return store.commit(key, work, () => finish(stored))
      },
    }),
  ),
  broken('runs the work again', 'gives "finish" the document as it is by then, and runs the work once', store => ({
    commit: async (key, work, finish) => {
      const { stored } = await store.read(key)
      const isLate = { value: false }
      const answer = await store.commit(key, work, current => {
        isLate.value = current?.version !== stored?.version
        return isLate.value ? undefined : finish(current)
      })
      return isLate.value ? store.commit(key, work, finish) : answer
    },
  })),
  broken(
    'writes over what came while "finish" ran',
    'never writes over a write that comes while "finish" runs',
    store => ({
      commit: async (key, work, finish) => {
        const { stored } = await store.read(key)
        const entry = finish(stored)
        return store.commit(key, work, () => entry)
      },
    }),
  ),
  broken('believes its caller', 'goes by what is kept, whatever its caller knows of the document', store => ({
    commit: (key, work, finish, known) => store.commit(key, work, current => finish(known ?? current)),
  })),
  broken('gives up where others write', 'loses nothing where commits and writes of one document meet', store => ({
    commit: async (key, work, finish) => {
      const { stored } = await store.read(key)
      return store.commit(key, work, current => (current?.version === stored?.version ? finish(current) : undefined))
    },
  })),
  {
    ...broken('lets writers wait for the work', 'holds no other call up while the work runs', (store, shared) => {
      const locked = shared as Memory & { open?: Promise<unknown> | undefined }
      return {
        commit: async (key, work, finish) => {
          const answer = store.commit(key, work, finish)
          locked.open = answer.catch(() => {})
          await locked.open
          return answer
        },
        write: async (key, entry, options) => {
          await locked.open
          return store.write(key, entry, options)
        },
      }
    }),
    patience: 50,
  },
  broken(
    'blocks the event loop where another handler is open, and gives up',
    'holds no other call up while the work runs',
    (store, shared) => ({
      commit: async (key, work, finish) => {
        open.add(shared)
        return store.commit(key, work, finish).finally(() => open.delete(shared))
      },
      write: async (key, entry, options) => {
        if (!open.has(shared)) return store.write(key, entry, options)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
        throw new StoreError('ERR_STORE_REFUSED', 'The file is locked.')
      },
    }),
  ),
  broken('shares its transaction with other writers', 'keeps what others write when it rolls back', sharedTransaction),
  broken(
    'shares its transaction with other commits',
    'keeps a commit of its own when the one around it rolls back',
    onePending,
  ),
  broken(
    'shares its transaction with other stores',
    'keeps a commit of another store when the one around it rolls back',
    onePending,
  ),
  broken(
    'takes a commit whose answer was lost for one that was written',
    'commits row and document together, or neither, where "commit" rejects',
    store => ({
      commit: (key, work, finish) =>
        store.commit(key, work, finish).catch(() => ({ kind: 'written', version: 1, at: 0 })),
    }),
  ),
  broken(
    'commits the row where the document is lost',
    'commits row and document together, or neither, where "commit" rejects',
    (store, shared) => ({
      commit: rowsFirst(storeOn(shared), shared),
      close: () => store.close(),
    }),
  ),
]
