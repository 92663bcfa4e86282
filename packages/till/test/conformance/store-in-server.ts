/**
 * Opens, in another process, a store in a server, or one that is broken, as each process has it.
 *
 * @module
 */

import { memoryStore } from '../../src/store/memory-store.js'
import {
  checkPostpone,
  checkWrite,
  type Store,
  type Stored,
  StoreError,
  type StoreErrorCode,
} from '../../src/store/store.js'

/** One call, as it is sent to the server. */
export interface Asked {
  readonly method: keyof Store
  readonly parameters: readonly unknown[]
}

/** The address of the store, and its fault. */
export interface Where {
  readonly address: string
  readonly wrong?: 'own-memory' | 'stale-reads' | 'own-clock' | 'written-too-soon'
}

/** Opens the store in a server. */
export function openStore({ address, wrong }: Where): Store {
  const store = storeAt(address)
  if (wrong === 'own-memory') return memoryStore()
  if (wrong === 'stale-reads') return withStaleReads(store)
  if (wrong === 'own-clock')
    return { ...store, read: async key => ({ ...(await store.read(key)), at: Date.now() - 60_000 }) }
  if (wrong === 'written-too-soon') {
    const promised = new Map<string, number>()
    return {
      ...store,
      write: async (...parameters) => {
        setTimeout(() => store.write(...parameters).catch(() => {}), 60_000)
        const version = (promised.get(parameters[0]) ?? 0) + 1
        promised.set(parameters[0], version)
        return { kind: 'written', version, at: Date.now() }
      },
    }
  }
  return store
}

function storeAt(address: string): Store {
  const calls: { isClosed: boolean } = { isClosed: false }
  const ask = async <Result>(method: Asked['method'], ...parameters: readonly unknown[]): Promise<Result> => {
    if (calls.isClosed) throw new StoreError('ERR_STORE_CLOSED', 'The store of the test was closed, and is used again.')
    const response = await fetch(address, { method: 'POST', body: JSON.stringify({ method, parameters }) })
    const { value, error } = (await response.json()) as {
      value: Result
      error?: { readonly code: StoreErrorCode; readonly message: string }
    }
    if (error !== undefined) throw new StoreError(error.code, error.message)
    return value
  }
  return {
    read: async key => {
      const { at, stored } = await ask<{ at: number; stored?: Stored }>('read', key)
      return { at, stored }
    },
    // JSON has no NaN and no half of a surrogate pair: they are refused here.
    write: async (key, entry, options) => {
      checkWrite(key, entry, options)
      return ask('write', key, entry, options)
    },
    postpone: async (key, after, due) => {
      checkPostpone(key, after, due)
      return ask('postpone', key, after, due)
    },
    take: options => ask('take', options),
    list: async options => {
      const page = await ask<Awaited<ReturnType<Store['list']>>>('list', options)
      return { ...page, next: page.next }
    },
    close: async () => {
      calls.isClosed = true
    },
  }
}

function withStaleReads(store: Store): Store {
  const known = new Map<string, Awaited<ReturnType<Store['read']>>>()
  return {
    ...store,
    read: async key => {
      const answer = known.get(key) ?? (await store.read(key))
      if (answer.stored !== undefined) known.set(key, answer)
      return answer
    },
  }
}
