import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { directory, entry, freshFile, openStore } from './ground.js'

describe('sqliteStore keeps documents', () => {
  it('has one winner of sixteen writers at one version, on four stores', async () => {
    const file = freshFile()
    const stores = Array.from({ length: 4 }, () => openStore(file))
    const written = await Promise.all(
      Array.from({ length: 16 }, (_, writer) =>
        stores[writer % 4]?.write('k', entry(`{"by":${writer}}`), { version: 0, id: `w${writer}` }),
      ),
    )
    const winners = written.flatMap((each, writer) => (each?.kind === 'written' ? [writer] : []))
    expect(winners).toHaveLength(1)
    const current = { key: 'k', version: 1, body: `{"by":${winners[0]}}` }
    for (const each of written) if (each?.kind === 'conflict') expect(each.current).toEqual(current)
    for (const store of stores) expect((await store.read('k')).stored).toEqual(current)
  })

  it('answers a repeated write as the first time until another is on top', async () => {
    const store = openStore()
    await store.write('k', entry('{"n":1}'), { version: 0, id: 'one' })
    expect(await store.write('k', entry('{"n":1}'), { version: 0, id: 'one' })).toMatchObject({
      kind: 'written',
      version: 1,
    })
    await store.write('k', entry('{"n":2}'), { version: 1, id: 'two' })
    expect(await store.write('k', entry('{"n":2}'), { version: 1, id: 'two' })).toMatchObject({
      kind: 'written',
      version: 2,
    })
    expect(await store.write('k', entry('{"n":1}'), { version: 0, id: 'one' })).toMatchObject({
      kind: 'conflict',
      current: { version: 2, body: '{"n":2}' },
    })
  })

  it('has what was written in one turn in order, and after a restart', async () => {
    const file = freshFile()
    const store = openStore(file)
    const written = await Promise.all([
      store.write('k', entry('{"n":1}'), { version: 0, id: 'one' }),
      store.write('k', entry('{"n":2}'), { version: 1, id: 'two' }),
      store.write('k', entry('{"n":3}'), { version: 1, id: 'three' }),
      store.write('other', entry('{}'), { version: 0, id: 'four' }),
    ])
    expect(written.map(({ kind }) => kind)).toEqual(['written', 'written', 'conflict', 'written'])
    await store.close()
    expect((await openStore(file).read('k')).stored).toEqual({ key: 'k', version: 2, body: '{"n":2}' })
  })

  it('hands out what is due in order, hides it, and writes nothing where nothing is due', async () => {
    let now = 1_000
    const store = openStore(freshFile(), { clock: () => now })
    for (const [key, due] of Object.entries({ late: 900, early: 800, future: 1_001, never: null })) {
      await store.write(key, entry('{}', { due }), { version: 0, id: key })
    }
    const keys = async (limit: number) => (await store.take({ limit, hold: 100 })).items.map(({ key }) => key)
    expect(await keys(1)).toEqual(['early'])
    expect(await keys(9)).toEqual(['late'])
    expect(await keys(9)).toEqual([])
    now = 1_100
    expect(await keys(9)).toEqual(['future', 'early', 'late'])
    await store.write('late', entry('{}', { due: 1_050 }), { version: 1, id: 'again' })
    await store.postpone('early', 1, 1_060)
    await store.postpone('future', 2, 1_000)
    expect(await store.take({ limit: 9, hold: 1 })).toMatchObject({
      items: [
        { key: 'late', version: 2 },
        { key: 'early', version: 1 },
      ],
    })
  })

  it('keeps the place on a list, and pages over it while others write', async () => {
    const store = openStore(freshFile(), { clock: () => 5 })
    const keys = Array.from({ length: 7 }, (_, index) => `d${(index * 3) % 7}`)
    for (const key of keys) await store.write(key, entry('{}', { list: 'unknown' }), { version: 0, id: key })
    const first = await store.list({ list: 'unknown', limit: 3 })
    expect(first.items.map(({ key }) => key)).toEqual(keys.slice(0, 3))
    expect(first.total).toBe(7)
    // The last of the page leaves, one behind it is written and stays, one before it comes back and stands at the end.
    await store.write(keys[2] ?? '', entry('{}'), { version: 1, id: 'a' })
    await store.write(keys[4] ?? '', entry('{"x":1}', { list: 'unknown' }), { version: 1, id: 'b' })
    await store.write(keys[0] ?? '', entry('{}'), { version: 1, id: 'c' })
    await store.write(keys[0] ?? '', entry('{}', { list: 'unknown' }), { version: 2, id: 'd' })
    const second = await store.list({ list: 'unknown', limit: 3, ...(first.next && { after: first.next }) })
    expect(second.items.map(({ key }) => key)).toEqual(keys.slice(3, 6))
    const third = await store.list({ list: 'unknown', limit: 3, ...(second.next && { after: second.next }) })
    expect(third).toMatchObject({ items: [{ key: keys[6] }, { key: keys[0] }], total: 6, next: undefined })
  })

  it('lists all documents by the bytes of their keys', async () => {
    const store = openStore()
    const keys = ['a', 'B', 'b', 'ä', 'a ', '😀', '\uffee']
    await Promise.all(keys.map(key => store.write(key, entry('{}'), { version: 0, id: 'i' })))
    const first = await store.list({ limit: 4 })
    expect(first.items.map(({ key }) => key)).toEqual(['B', 'a', 'a ', 'b'])
    const second = await store.list({ limit: 4, ...(first.next && { after: first.next }) })
    expect(second).toMatchObject({ items: [{ key: 'ä' }, { key: '\uffee' }, { key: '😀' }], total: 7, next: undefined })
  })

  it('refuses what cannot be kept and goes on', async () => {
    const store = openStore()
    const refused = expect.objectContaining({ code: 'ERR_STORE_REFUSED' })
    await expect(store.write('', entry('{}'), { version: 0, id: 'i' })).rejects.toEqual(refused)
    await expect(store.write('k', entry('"\0"'), { version: 0, id: 'i' })).rejects.toEqual(refused)
    await expect(store.postpone('k', 1, 0.5)).rejects.toEqual(refused)
    await expect(store.take({ limit: -1, hold: 1 })).rejects.toEqual(refused)
    await expect(store.list({ limit: 1_001 })).rejects.toEqual(refused)
    await expect(store.list({ list: 'l', after: 'no cursor', limit: 1 })).rejects.toEqual(refused)
    expect((await store.read('k')).stored).toBeUndefined()
  })

  it('takes bytes that are no JSON, and a body of the greatest size, as they are', async () => {
    const store = openStore()
    const bodies = ['no json', '\ufeff\u2028😀\\u0000 9223372036854775807 ', 'x'.repeat(262_144)]
    for (const [index, body] of bodies.entries()) {
      await store.write(`k${index}`, entry(body), { version: 0, id: 'i' })
      expect((await store.read(`k${index}`)).stored?.body).toBe(body)
    }
  })

  it('keeps a file with spaces, quotes and a question mark in its name where it was asked to', async () => {
    const file = join(directory(), `it's a "shop"? 100% #1.db`)
    const store = openStore(file)
    await store.write('k', entry('{}'), { version: 0, id: 'i' })
    await store.close()
    expect((await openStore(file).read('k')).stored?.version).toBe(1)
  })
})

describe('the clock of the file', () => {
  it('is never earlier than a commit to the file, whatever the clock of the next process says', async () => {
    const file = freshFile()
    const store = openStore(file, { clock: () => 9_000 })
    const { at } = await store.write('k', entry('{}'), { version: 0, id: 'i' })
    expect(at).toBe(9_000)
    await store.close()
    const behind = openStore(file, { clock: () => 2_000 })
    expect((await behind.read('k')).at).toBe(9_000)
    expect((await behind.write('k', entry('{}'), { version: 1, id: 'j' })).at).toBe(9_000)
    expect(await behind.take({ limit: 1, hold: 1 })).toMatchObject({ at: 9_000 })
  })

  it('sees the commit of another store on the file', async () => {
    const file = freshFile()
    const ahead = openStore(file, { clock: () => 9_000 })
    const behind = openStore(file, { clock: () => 2_000 })
    expect((await behind.read('k')).at).toBe(2_000)
    await ahead.write('k', entry('{}', { due: 8_000 }), { version: 0, id: 'i' })
    expect(await behind.take({ limit: 1, hold: 5 })).toMatchObject({ at: 9_000, items: [{ key: 'k' }] })
  })
})
