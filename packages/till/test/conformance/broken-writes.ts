/**
 * Stores that write wrongly, each with the check that has to find it.
 *
 * @module
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { StoreGround } from '../../src/conformance.js'
import type { Store } from '../../src/store/store.js'
import { groundOn, type Memory, type Pending, storeOn, type TransactionalStore } from './transactional-store.js'

/** A broken store, its fault, and the check that is meant to find it. */
export interface Broken {
  readonly wrong: string
  readonly check: string
  readonly ground: (shared: Memory) => StoreGround<Pending>
  /** In milliseconds, for a store that never answers. Default: that of the suite. */
  readonly patience?: number
}

type Change = (store: TransactionalStore, shared: Memory) => Partial<Store<Pending>>

/** A correct store, of which some methods are replaced. */
export const broken = (wrong: string, check: string, change: Change): Broken => ({
  wrong,
  check,
  ground: shared =>
    groundOn(shared, () => {
      const store = storeOn(shared)
      return { ...store, ...change(store, shared) }
    }),
})

type Write = Store['write']

/** Writes on top of whatever is there. */
async function force(store: Store<Pending>, ...[key, entry, { id }]: Parameters<Write>): ReturnType<Write> {
  const { at, stored } = await store.read(key)
  await store.write(key, entry, { after: stored?.writeId, id: `${id}.forced` })
  return { kind: 'written', version: (stored?.version ?? 0) + 1, at }
}

export const brokenWrites: readonly Broken[] = [
  broken('reads null where there is nothing', 'reads nothing under a key that was never written', store => ({
    read: async key => {
      const { at, stored } = await store.read(key)
      return { at, stored: stored ?? (null as never) }
    },
  })),
  broken(
    'reads versions as text',
    'writes a document after the write before, and its version grows by one with each',
    store => ({
      read: async key => {
        const { at, stored } = await store.read(key)
        return { at, stored: stored && { ...stored, version: String(stored.version) as never } }
      },
    }),
  ),
  broken(
    'loses a write: looks at the id, and writes later',
    'loses no write of many who count on one document',
    store => ({
      write: async (key, entry, options) => {
        const { stored } = await store.read(key)
        if (stored?.writeId !== options.after) return store.write(key, entry, options)
        await turn()
        return force(store, key, entry, options)
      },
    }),
  ),
  broken('lets two win', 'lets one of many writers after one write win, and shows the others its document', store => ({
    write: async (key, entry, options) => {
      const { stored } = await store.read(key)
      const answer = await store.write(key, entry, options)
      return answer.kind === 'conflict' && stored?.writeId === options.after && answer.current !== undefined
        ? { kind: 'written', version: answer.current.version, at: answer.at }
        : answer
    },
  })),
  broken(
    'ignores the write before',
    'writes nothing after a write that is not the last one, and brings the document as it is',
    store => ({
      write: (...parameters) => force(store, ...parameters),
    }),
  ),
  broken(
    'brings the document of before in a conflict',
    'writes nothing after a write that is not the last one, and brings the document as it is',
    store => ({
      write: async (key, entry, options) => {
        const answer = await store.write(key, entry, options)
        return answer.kind === 'conflict' ? { ...answer, current: undefined } : answer
      },
    }),
  ),
  broken(
    'ignores the id of a repeated write',
    'answers a repeated write as the first time, and changes nothing',
    store => ({
      write: async (key, entry, options) => {
        const { at, stored } = await store.read(key)
        return stored?.writeId === options.id
          ? { kind: 'conflict', current: stored, at }
          : store.write(key, entry, options)
      },
    }),
  ),
  broken(
    'sets the date again when a write is repeated',
    'answers a repeated write as the first time, and changes nothing',
    store => ({
      write: async (key, entry, options) => {
        const answer = await store.write(key, entry, options)
        if (answer.kind === 'written' && entry.due !== null) await store.postpone(key, options.id, entry.due)
        return answer
      },
    }),
  ),
  broken(
    'takes equal writes at once for two',
    'answers one write that arrives several times at once as one write',
    store => ({
      write: async (key, entry, options) => {
        const before = (await store.read(key)).stored
        await turn()
        const { at, stored } = await store.read(key)
        return stored?.writeId === options.id && before?.writeId !== options.id
          ? { kind: 'conflict', current: stored, at }
          : store.write(key, entry, options)
      },
    }),
  ),
  broken('remembers ids for ever', 'does not repeat a write once another one was written on top', (store, shared) => ({
    write: async (key, entry, options) => {
      const answer = await store.write(key, entry, options)
      const known = shared.rows.get(`id ${key} ${options.id}`)
      if (answer.kind === 'written') shared.rows.set(`id ${key} ${options.id}`, `${answer.version}`)
      return known === undefined ? answer : { kind: 'written', version: Number(known), at: answer.at }
    },
  })),
  broken('answers from what it read before', 'shows what was written to every later read, in every store', store => {
    const known = new Map<string, Awaited<ReturnType<Store['read']>>>()
    return {
      read: async key => {
        const answer = known.get(key) ?? (await store.read(key))
        if (answer.stored !== undefined) known.set(key, answer)
        return answer
      },
    }
  }),
  broken('fails a batch as a whole', 'answers each of many writes at once for itself', store => {
    let batch: Promise<unknown>[] = []
    return {
      write: async (key, entry, options) => {
        const answer = store.write(key, entry, options)
        batch.push(answer)
        const mine = batch
        await Promise.resolve()
        batch = []
        await Promise.all(mine)
        return answer
      },
    }
  }),
  broken(
    'swallows the error of COMMIT',
    'leaves the old or the new where a write rejects, and tells which when it is repeated',
    store => ({
      write: async (key, entry, options) => {
        const { at, stored } = await store.read(key)
        return store.write(key, entry, options).catch(error => {
          if (error.code !== 'ERR_STORE_UNKNOWN') throw error
          return { kind: 'written', version: (stored?.version ?? 0) + 1, at }
        })
      },
    }),
  ),
  broken(
    'says that nothing was written where it may have been',
    'leaves the old or the new where a write rejects, and tells which when it is repeated',
    store => ({
      write: (key, entry, options) =>
        store.write(key, entry, options).catch(error => {
          throw Object.assign(error, { code: 'ERR_STORE_REFUSED' })
        }),
    }),
  ),
  broken(
    'repeats a write by itself, under another id',
    'loses no write of many who count on one document while the store is disturbed',
    store => ({
      write: async (key, entry, options) => {
        try {
          return await store.write(key, entry, options)
        } catch {
          return force(store, key, entry, options)
        }
      },
    }),
  ),
  broken('cuts blanks at the end of a key', 'keeps keys apart, and every character of them', store => ({
    read: key => store.read(key.trimEnd()),
    write: (key, entry, options) => store.write(key.trimEnd(), entry, options),
  })),
  broken('writes JSON anew', 'keeps bodies byte for byte', store => ({
    write: (key, entry, options) =>
      store.write(key, { ...entry, body: JSON.stringify(JSON.parse(entry.body)) }, options),
  })),
  broken('cuts bodies', 'keeps a body of 262144 bytes, and refuses one more', store => ({
    write: (key, entry, options) => store.write(key, { ...entry, body: entry.body.slice(0, 65_536) }, options),
  })),
  broken('cuts a body at NUL', 'refuses entries that cannot be kept, and writes nothing', store => ({
    write: (key, entry, options) => store.write(key, { ...entry, body: entry.body.split('\0')[0] ?? '' }, options),
  })),
  broken('cuts a key at NUL', 'refuses keys that cannot be kept, in every method', store => ({
    read: key => store.read(key.split('\0')[0] || 'none'),
  })),
]
