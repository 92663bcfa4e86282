/**
 * Stores that go by something else than the id of the write before, or tell another one, each with the check that has to find it.
 *
 * @module
 */
import type { Store, Stored } from '../../src/store/store.js'
import { type Broken, broken } from './broken-writes.js'
import { idsFrom, type Pending, storeOn, type TransactionalStore } from './transactional-store.js'

/** The check of writes after another one. */
const notTheLast = 'writes nothing after a write that is not the last one, and brings the document as it is'

/** Writes where the number of writes is the one that this store saw last, whatever the write was decided on. */
function byVersions(store: TransactionalStore): Partial<Store<Pending>> {
  const seen = new Map<string, number>()
  const read: Store['read'] = async key => {
    const answer = await store.read(key)
    seen.set(key, answer.stored?.version ?? 0)
    return answer
  }
  return {
    read,
    write: async (key, entry, { after, id }) => {
      const { stored } = await store.read(key)
      const isSame = (stored?.version ?? 0) === (after === undefined ? 0 : seen.get(key))
      const answer = await store.write(key, entry, { after: isSame ? stored?.writeId : after, id })
      if (answer.kind === 'written') seen.set(key, answer.version)
      return answer
    },
  }
}

/** Documents with an id that left none of them. */
const forged = <Found extends Stored | undefined>(stored: Found): Found =>
  stored === undefined ? stored : { ...stored, writeId: `${stored.key}.${stored.version}` }

/** The check of the ids in answers. */
const tellsIds = 'tells the id of the write that left a document so in every answer'

/** `commit` that leaves the id of the write before. */
function keepsId(store: TransactionalStore): Partial<Store<Pending>> {
  const kept = new Map<string, string>()
  return {
    read: async key => {
      const { at, stored } = await store.read(key)
      const writeId = kept.get(key)
      return { at, stored: stored && writeId !== undefined ? { ...stored, writeId } : stored }
    },
    commit: async (key, work, finish) => {
      const { stored } = await store.read(key)
      if (stored !== undefined) kept.set(key, stored.writeId)
      return store.commit(key, work, finish)
    },
  }
}

/** The check of the ids that commits make. */
const newIds = 'leaves a document with a new id after each "commit", and others write after that one'

export const brokenIds: readonly Broken[] = [
  broken('takes one id for another one in capitals', notTheLast, store => ({
    write: async (key, entry, options) => {
      const last = (await store.read(key)).stored?.writeId
      const isTaken = last !== undefined && last === options.after?.toLowerCase()
      return store.write(key, entry, isTaken ? { ...options, after: last } : options)
    },
  })),
  broken('takes no id for any id', notTheLast, store => ({
    write: async (key, entry, { after, id }) =>
      store.write(key, entry, { after: after ?? (await store.read(key)).stored?.writeId, id }),
  })),
  broken(
    'goes by the number of writes',
    'writes nothing after a write that never was, where the number of writes would fit',
    byVersions,
  ),
  broken('reads another id', tellsIds, store => ({
    read: async key => {
      const { at, stored } = await store.read(key)
      return { at, stored: forged(stored) }
    },
  })),
  broken('takes with another id', tellsIds, store => ({
    take: async options => {
      const { at, items } = await store.take(options)
      return { at, items: items.map(forged) }
    },
  })),
  broken('lists with another id', tellsIds, store => ({
    list: async options => {
      const page = await store.list(options)
      return { ...page, items: page.items.map(forged) }
    },
  })),
  broken('brings another id in a conflict', tellsIds, store => ({
    write: async (key, entry, options) => {
      const answer = await store.write(key, entry, options)
      return answer.kind === 'conflict' ? { ...answer, current: forged(answer.current) } : answer
    },
  })),
  broken('cuts ids', tellsIds, store => ({
    write: (key, entry, { after, id }) => store.write(key, entry, { after: after?.slice(0, 64), id: id.slice(0, 64) }),
  })),
  broken(
    'gives "finish" an id of its own',
    'gives "finish" the id of the write that left the document so',
    (store, { newId }) => ({
      commit: (key, work, finish) =>
        store.commit(key, work, current => finish(current && { ...current, writeId: newId() })),
    }),
  ),
  broken('keeps the id of the write before in a commit', newIds, keepsId),
  broken('numbers its commits from 1 in each store', newIds, (_, shared) => ({
    commit: storeOn(shared, idsFrom()).commit,
  })),
  broken('gives every commit one id', newIds, (_, shared) => ({ commit: storeOn(shared, () => 'commit').commit })),
]
