/**
 * Stores that go wrong in dates, lists, their clock or their end, each with the check that has to find it.
 *
 * @module
 */
import type { Store, Stored } from '../../src/store/store.js'
import { type Broken, broken } from './broken-writes.js'
import { groundOn, memory, storeOn } from './transactional-store.js'

type Take = Awaited<ReturnType<Store['take']>>

/** Pages that are counted: what enters or leaves before them moves the others. */
const countedPages =
  (store: Pick<Store, 'list'>, order: (one: Stored, other: Stored) => number = () => 0): Store['list'] =>
  async ({ after, limit, ...rest }) => {
    const { items, total } = await store.list({ ...rest, limit: 1000 })
    const from = Number(after ?? 0)
    const next = from + limit < items.length ? String(from + limit) : undefined
    return { items: [...items].sort(order).slice(from, from + limit), total, next }
  }

const takesOwn = 'takes only documents whose keys begin as it was asked, and leaves the others their dates'

export const brokenDates: readonly Broken[] = [
  broken('takes what has no date', 'takes nothing that is not due', store => ({
    write: (key, entry, options) => store.write(key, { ...entry, due: entry.due ?? 0 }, options),
  })),
  broken('forgets what is due later', 'takes what falls due while it waits', store => ({
    write: async (key, entry, options) => {
      const { at } = await store.read(key)
      return store.write(key, { ...entry, due: (entry.due ?? at) > at ? null : entry.due }, options)
    },
  })),
  broken('takes any number for a limit', 'refuses numbers that ask for nothing', store => ({
    take: ({ limit, ...rest }) => store.take({ ...rest, limit: Math.ceil(limit) || 1 }),
  })),
  broken('takes the earliest only', 'takes the latest first where it is asked to', store => ({
    take: ({ latest: _, ...rest }) => store.take(rest),
  })),
  broken('takes every key', takesOwn, store => ({ take: ({ limit, hold }) => store.take({ limit, hold }) })),
  broken('hides what others may take', takesOwn, store => ({
    take: async ({ prefixes, ...rest }) => {
      const { at, items } = await store.take(rest)
      return { at, items: items.filter(({ key }) => prefixes?.some(each => key.startsWith(each)) ?? true) }
    },
  })),
  broken('takes keys in any case', takesOwn, store => ({
    take: ({ prefixes, ...rest }) =>
      store.take({ ...rest, prefixes: prefixes?.flatMap(each => [each, each.replace('b', 'B')]) }),
  })),
  broken('lists every document', 'gives an empty page of a list with nothing on it', store => ({
    list: ({ limit }) => store.list({ limit }),
  })),
  broken('lists by key', 'lists documents by the time of entering the list', store => ({
    list: countedPages(store, (one, other) => (one.key < other.key ? -1 : 1)),
  })),
  broken(
    'counts pages of the whole store',
    'shows each document once of the store while others write, enter and leave',
    store => ({ list: countedPages(store) }),
  ),
  broken(
    'orders a list by the latest write',
    'shows each document once while others write to it at the same moment',
    store => ({ list: countedPages(store, (one, other) => one.version - other.version) }),
  ),
  broken('has a clock that stands still', 'has a clock that goes on', store => ({
    read: async key => ({ ...(await store.read(key)), at: 1 }),
  })),
  broken('closes the other stores', 'leaves other stores open, and the documents where they are', (store, shared) => ({
    close: async () => {
      await store.close()
      await shared.store.close()
    },
  })),
  broken('hands out twice', 'hands each document that is due to one of many who take at once', store => {
    let running: Promise<Take> | undefined
    return {
      take: options => {
        running ??= store.take(options).finally(() => {
          running = undefined
        })
        return running
      },
    }
  }),
  broken('hides nothing', 'hides what it takes until its time is over', store => ({
    take: async ({ limit }) => {
      const taken = await store.take({ limit, hold: 1 })
      for (const { key, writeId } of taken.items) await store.postpone(key, writeId, taken.at)
      return taken
    },
  })),
  broken('hides for ever', 'hides what it takes until its time is over', store => ({
    take: ({ limit }) => store.take({ limit, hold: 1e12 }),
  })),
  broken('takes in the order of keys', 'takes what is due, the earliest first, and no more than asked for', store => ({
    take: async options => {
      const { at, items } = await store.take(options)
      return { at, items: [...items].sort((one, other) => (one.key < other.key ? -1 : 1)).reverse() }
    },
  })),
  broken('gives what it takes a new version', 'leaves the version and the write id of what it takes', store => ({
    take: async options => {
      const { at, items } = await store.take(options)
      for (const { key, writeId: after, version, body } of items)
        await store.write(key, { body, due: null, list: null }, { after, id: `taken.${version}` })
      return { at, items: items.map(each => ({ ...each, version: each.version + 1 })) }
    },
  })),
  broken('takes by a write of its own', 'leaves the version and the write id of what it takes', store => {
    const taken = new Set<string>()
    const marked = <Found extends Stored | undefined>(stored: Found): Found =>
      stored !== undefined && taken.has(stored.writeId) ? { ...stored, writeId: `taken.${stored.writeId}` } : stored
    return {
      take: async options => {
        const { at, items } = await store.take(options)
        for (const { writeId } of items) taken.add(writeId)
        return { at, items: items.map(marked) }
      },
      read: async key => {
        const { at, stored } = await store.read(key)
        return { at, stored: marked(stored) }
      },
    }
  }),
  broken('keeps hidden what was written meanwhile', 'lets a write bring back what is hidden for long', store => {
    const hidden = new Map<string, number>()
    return {
      take: async options => {
        const taken = await store.take(options)
        for (const { key } of taken.items) hidden.set(key, taken.at + options.hold)
        return taken
      },
      write: async (key, entry, options) => {
        const until = hidden.get(key)
        return store.write(key, until === undefined ? entry : { ...entry, due: until }, options)
      },
    }
  }),
  broken('takes at its old time what was written meanwhile', 'lets a write set the date of what is hidden', store => {
    const hidden = new Map<string, number>()
    return {
      take: async options => {
        const taken = await store.take(options)
        for (const { key } of taken.items) hidden.set(key, taken.at + options.hold)
        return taken
      },
      write: async (key, entry, options) => store.write(key, { ...entry, due: hidden.get(key) ?? entry.due }, options),
    }
  }),
  broken(
    'postpones to a new version',
    'postpones without a new version or write id, and keeps body and list',
    store => ({
      postpone: async (key, after, due) => {
        const { stored } = await store.read(key)
        await store.write(key, { body: stored?.body ?? '', due, list: 'open' }, { after, id: `postponed.${after}` })
      },
    }),
  ),
  broken('postpones after any write', 'postpones nothing after a write that is not the last one', store => ({
    postpone: async (key, after, due) => store.postpone(key, (await store.read(key)).stored?.writeId ?? after, due),
  })),
  broken(
    'skips on pages that are counted',
    'shows each document once of a list while others write, enter and leave',
    store => ({ list: countedPages(store) }),
  ),
  broken(
    'skips what entered at the time at which a page ends',
    'shows each document once where many entered at the same time',
    store => ({
      list: async options => {
        const page = await store.list(options)
        return options.after === undefined ? page : { ...page, items: page.items.slice(1) }
      },
    }),
  ),
  broken('moves what is written to the end', 'keeps the place of a document that stays on its list', store => ({
    list: async options => {
      const page = await store.list(options)
      return { ...page, items: [...page.items].sort((one, other) => one.version - other.version) }
    },
  })),
  broken('leaves on the list what has left', 'puts a document that comes back at the end of the list', store => ({
    write: (key, entry, options) => store.write(key, { ...entry, list: 'open' }, options),
  })),
  broken('orders keys as JavaScript does', 'lists all documents by the bytes of their keys', store => ({
    list: async options => {
      const page = await store.list({ ...options, limit: 1000 })
      return { ...page, items: [...page.items].sort((one, other) => (one.key < other.key ? -1 : 1)) }
    },
  })),
  broken('has a clock that goes back', 'has one clock, which never goes back', store => {
    let reads = 0
    return {
      read: async key => {
        reads += 1
        const { at, stored } = await store.read(key)
        return { at: at - (reads % 3) * 1000, stored }
      },
    }
  }),
  {
    wrong: "follows the machine's clock when it is set back",
    check: "has a clock that does not go back when the machine's clock is set back",
    ground: () => {
      let back = 0
      const clock = () => Date.now() - back
      const shared = memory(clock)
      const make = () => {
        const store = storeOn(shared)
        return { ...store, read: async (key: string) => ({ ...(await store.read(key)), at: clock() }) }
      }
      return {
        ...groundOn(shared, make),
        setClockBack: milliseconds => {
          back += milliseconds
        },
      }
    },
  },
  broken('can be used after "close"', 'rejects every call after "close", and may be closed again', () => ({
    close: async () => {},
  })),
  broken('fails when it is closed twice', 'rejects every call after "close", and may be closed again', store => ({
    close: async () => {
      await store.read('a')
      await store.close()
    },
  })),
  broken('gives up at "close" what was begun', 'finishes what was begun before "close"', store => ({
    write: async (key, entry, options) => {
      await store.read(key)
      return store.write(key, entry, options)
    },
  })),
]
