/** A shop whose store is put back to what it was at an earlier time. */
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createFakeGateway } from '@tillkit/testing'
import { sqliteStore } from '../../src/sqlite.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { directory } from '../sqlite/ground.js'
import { minute } from './acts.js'
import { readyAccount } from './ready-account.js'
import { basket, openShop, type Shop } from './shop.js'

type Gateway = ReturnType<typeof createFakeGateway>

/** Documents that outlive the stores that are opened on them. */
export interface Kept {
  open(): Promise<DocumentStore>
  /** Makes a backup, while no store is open. */
  copy(): void
  putBack(): void
}

/** A place where documents can be kept. */
export interface Place {
  readonly name: string
  readonly keep: (clock: () => number) => Kept
}

export const places: Readonly<Record<'memory' | 'file', Place>> = {
  memory: { name: 'memory', keep: keepInMemory },
  file: { name: 'a file of SQLite', keep: keepInFile },
}

function keepInFile(clock: () => number): Kept {
  const file = join(directory(), 'shop.db')
  return {
    open: async () => sqliteStore(file, { clock }) as unknown as DocumentStore,
    copy: () => copyFileSync(file, `${file}.backup`),
    putBack() {
      for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
      copyFileSync(`${file}.backup`, file)
    },
  }
}

/** Each store that is opened takes all writes of the earlier ones once more. */
function keepInMemory(clock: () => number): Kept {
  let calls: readonly ((store: DocumentStore) => Promise<unknown>)[] = []
  let backup = calls
  return {
    async open() {
      const store = memoryStore({ clock })
      for (const call of calls) await call(store)
      const kept = <Result>(call: (on: DocumentStore) => Promise<Result>): Promise<Result> => {
        calls = [...calls, call]
        return call(store)
      }
      return {
        ...store,
        write: (key, entry, options) => kept(on => on.write(key, entry, options)),
        postpone: (key, after, due) => kept(on => on.postpone(key, after, due)),
      }
    },
    copy() {
      backup = calls
    },
    putBack() {
      calls = backup
    },
  }
}

/** One life of a shop on what is kept. */
export async function live<Result>(
  { gateway, kept, replaceOpenForm = false }: { gateway: Gateway; kept: Kept; replaceOpenForm?: boolean },
  work: (shop: Shop) => Promise<Result>,
): Promise<Result> {
  const store = await kept.open()
  const shop: Shop = await openShop({
    gateway,
    store: store as Store<never>,
    replaceOpenForm,
    accounts: [readyAccount(gateway)],
  })
  try {
    return await work(shop)
  } finally {
    await shop.close()
    await store.close()
  }
}

/** Lives before the backup, after it, and, with the backup put back, a third time. */
export async function restore<Result>(
  place: Place,
  {
    before = async ({ till }) => void (await till.tick()),
    lost,
    restored,
    replaceOpenForm = false,
  }: {
    readonly before?: (shop: Shop) => Promise<void>
    readonly lost: (shop: Shop) => Promise<unknown>
    readonly restored: (shop: Shop) => Promise<Result>
    readonly replaceOpenForm?: boolean
  },
) {
  const gateway = createFakeGateway()
  const kept = place.keep(gateway.clientOptions.clock)
  await live({ gateway, kept }, before)
  kept.copy()
  await live({ gateway, kept }, lost)
  await gateway.clock.advance(180 * minute)
  kept.putBack()
  const result = await live({ gateway, kept, replaceOpenForm }, async shop => {
    await shop.till.start({ restored: true })
    return restored(shop)
  })
  return { gateway, kept, result }
}

export const buys = async (shop: Shop, { cvv2 = '123', hold = false } = {}) => {
  await shop.customerPays((await shop.till.pay({ ...basket, hold })).address, cvv2)
  await shop.gateway.callbacks.idle()
}
