import { describe, expect, it } from 'vitest'
import { memoryStore } from './memory-store.js'
import { type Entry, largestBody, longestKey, type Store, StoreError } from './store.js'

const entry = (own: Partial<Entry> = {}): Entry => ({ body: '{}', due: null, list: null, ...own })

/** Writes one document for the first time. */
const put = (store: Store, key: string, own: Partial<Entry> = {}) => store.write(key, entry(own), { id: firstOf(key) })
const firstOf = (key: string) => `first-of-${key.length}`
const keysOf = ({ items }: { readonly items: readonly { readonly key: string }[] }) => items.map(({ key }) => key)

describe('write', () => {
  it('goes through after the write that left the document as it is, and after no other', async () => {
    const store = memoryStore({ clock: () => 7 })
    expect(await store.write('k', entry({ body: '1' }), { after: 'none', id: 'a' })).toEqual({
      kind: 'conflict',
      current: undefined,
      at: 7,
    })
    expect(await store.write('k', entry({ body: '1' }), { id: 'b' })).toEqual({
      kind: 'written',
      version: 1,
      at: 7,
    })
    const current = { key: 'k', version: 1, writeId: 'b', body: '1' }
    for (const after of [undefined, 'a'])
      expect(await store.write('k', entry(), { after, id: 'c' })).toEqual({ kind: 'conflict', current, at: 7 })
    expect(await store.write('k', entry({ body: '2' }), { after: 'b', id: 'd' })).toMatchObject({ version: 2 })
    expect(await store.read('k')).toEqual({ at: 7, stored: { key: 'k', version: 2, writeId: 'd', body: '2' } })
  })

  it('answers as the first time when it is repeated under its id, until somebody writes on top', async () => {
    const store = memoryStore()
    const first = () => store.write('k', entry({ body: '1' }), { id: 'a' })
    expect(await first()).toMatchObject({ kind: 'written', version: 1 })
    expect(await first()).toMatchObject({ kind: 'written', version: 1 })
    await store.write('k', entry({ body: '2' }), { after: 'a', id: 'b' })
    expect(await first()).toMatchObject({ kind: 'conflict', current: { body: '2' } })
  })

  it('has one winner of many after one write', async () => {
    const store = memoryStore()
    const all = await Promise.all(Array.from({ length: 20 }, (_, at) => store.write('k', entry(), { id: `w-${at}` })))
    expect(all.filter(({ kind }) => kind === 'written')).toHaveLength(1)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['a key without a character', () => put(memoryStore(), '')],
    ['a key that is too long', () => put(memoryStore(), 'x'.repeat(longestKey + 1))],
    ['a key with NUL', () => put(memoryStore(), 'a\0b')],
    ['half of a surrogate pair', () => put(memoryStore(), 'k', { body: '"\ud800"' })],
    ['a body that is too large', () => put(memoryStore(), 'k', { body: 'x'.repeat(largestBody + 1) })],
    ['a body that is too large in bytes', () => put(memoryStore(), 'k', { body: 'ü'.repeat(largestBody / 2 + 1) })],
    ['a body with a raw NUL', () => put(memoryStore(), 'k', { body: 'a\0' })],
    ['a date that is none', () => put(memoryStore(), 'k', { due: 0.5 })],
    ['a list without a name', () => put(memoryStore(), 'k', { list: '' })],
    ['a write after one without an id', () => memoryStore().write('k', entry(), { after: '', id: 'a' })],
    ['a write without an id', () => memoryStore().write('k', entry(), { id: '' })],
    ['a read of what cannot be a key', () => memoryStore().read('')],
  ])('refuses %s', async (_, ask) => {
    await expect(ask()).rejects.toBeInstanceOf(StoreError)
    await expect(ask()).rejects.toMatchObject({ code: 'ERR_STORE_REFUSED' })
  })

  it('keeps the longest key and the largest body, byte for byte', async () => {
    const store = memoryStore()
    const [key, body] = ['ü'.repeat(longestKey / 2), `"${'€'.repeat((largestBody - 4) / 3)}"`]
    await put(store, key, { body })
    expect((await store.read(key)).stored).toEqual({ key, version: 1, writeId: firstOf(key), body })
  })
})

describe('the clock', () => {
  it('never goes back', async () => {
    let now = 5_000
    const store = memoryStore({ clock: () => now })
    expect((await store.read('k')).at).toBe(5_000)
    now = 4_000
    expect((await store.read('k')).at).toBe(5_000)
    now = 6_000.7
    expect((await store.read('k')).at).toBe(6_000)
  })
})

describe('take', () => {
  it('hands out what is due, the earliest first, each once until its hold is over', async () => {
    let now = 1_000
    const store = memoryStore({ clock: () => now })
    await put(store, 'later', { due: 1_001 })
    await put(store, 'second', { due: 900 })
    await put(store, 'first', { due: 800 })
    await put(store, 'never')
    const first = await store.take({ limit: 1, hold: 50 })
    expect(first).toEqual({ at: 1_000, items: [{ key: 'first', version: 1, writeId: firstOf('first'), body: '{}' }] })
    expect(keysOf(await store.take({ limit: 9, hold: 50 }))).toEqual(['second'])
    expect(keysOf(await store.take({ limit: 9, hold: 50 }))).toEqual([])
    now = 1_049
    expect(keysOf(await store.take({ limit: 9, hold: 50 }))).toEqual(['later'])
    now = 1_050
    expect(keysOf(await store.take({ limit: 9, hold: 50 })).sort()).toEqual(['first', 'second'])
  })

  it('hides nothing from writers, and a write or "postpone" sets the date anew', async () => {
    let now = 1_000
    const store = memoryStore({ clock: () => now })
    await put(store, 'k', { due: 1_000 })
    await store.take({ limit: 9, hold: 9_000 })
    expect(await store.write('k', entry({ due: 1_500 }), { after: firstOf('k'), id: 'b' })).toMatchObject({
      kind: 'written',
    })
    now = 1_500
    expect(keysOf(await store.take({ limit: 9, hold: 9_000 }))).toEqual(['k'])
    await store.postpone('k', firstOf('k'), 1_500)
    expect(keysOf(await store.take({ limit: 9, hold: 9_000 }))).toEqual([])
    await store.postpone('k', 'b', 1_500)
    expect(await store.take({ limit: 9, hold: 9_000 })).toMatchObject({ items: [{ key: 'k', version: 2 }] })
  })
})

describe('list', () => {
  it('gives a list by the time of entering it, and all documents by their keys as bytes', async () => {
    const store = memoryStore({ clock: () => 1_000 })
    for (const key of ['b', 'a', 'Z', 'ü']) await put(store, key, { list: key === 'Z' ? null : 'unknown' })
    // It stays on its list, and keeps its place.
    await store.write('b', entry({ list: 'unknown' }), { after: firstOf('b'), id: 'b' })
    expect(keysOf(await store.list({ list: 'unknown', limit: 9 }))).toEqual(['b', 'a', 'ü'])
    expect(keysOf(await store.list({ limit: 9 }))).toEqual(['Z', 'a', 'b', 'ü'])
    // It left and came back.
    await store.write('b', entry(), { after: 'b', id: 'c' })
    await store.write('b', entry({ list: 'unknown' }), { after: 'c', id: 'd' })
    expect(keysOf(await store.list({ list: 'unknown', limit: 9 }))).toEqual(['a', 'ü', 'b'])
  })

  it.each([undefined, 'unknown'])('shows each document of %s on exactly one page', async list => {
    const store = memoryStore()
    const keys = Array.from({ length: 7 }, (_, at) => `k-${at}`)
    for (const key of keys) await put(store, key, { list: 'unknown' })
    const seen: string[] = []
    let after: string | undefined
    do {
      const page = await store.list({
        limit: 3,
        ...(list === undefined ? {} : { list }),
        ...(after === undefined ? {} : { after }),
      })
      expect(page.total).toBe(7)
      seen.push(...keysOf(page))
      after = page.next
    } while (after !== undefined)
    expect(seen).toEqual(keys)
  })
})

describe('close', () => {
  it('ends every use', async () => {
    const store = memoryStore()
    await put(store, 'k')
    await store.close()
    const calls = [
      () => store.read('k'),
      () => store.write('k', entry(), { after: firstOf('k'), id: 'b' }),
      () => store.postpone('k', firstOf('k'), 9),
      () => store.take({ limit: 1, hold: 1 }),
      () => store.list({ limit: 1 }),
    ]
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'ERR_STORE_CLOSED' })
  })
})
