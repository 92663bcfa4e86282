import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codeOf, directory, entry, freshFile, openStore } from './ground.js'

describe('sqliteStore keeps documents', () => {
  it('has what was written in one turn in order, and after a restart', async () => {
    const file = freshFile()
    const store = openStore(file)
    const written = await Promise.all([
      store.write('k', entry('{"n":1}'), { id: 'one' }),
      store.write('k', entry('{"n":2}'), { after: 'one', id: 'two' }),
      store.write('k', entry('{"n":3}'), { after: 'one', id: 'three' }),
      store.write('other', entry('{}'), { id: 'four' }),
    ])
    expect(written.map(({ kind }) => kind)).toEqual(['written', 'written', 'conflict', 'written'])
    await store.close()
    expect((await openStore(file).read('k')).stored).toEqual({
      key: 'k',
      version: 2,
      writeId: 'two',
      body: '{"n":2}',
    })
  })

  it('hands out what is due in order, hides it, and writes nothing where nothing is due', async () => {
    let now = 1_000
    const store = openStore(freshFile(), { clock: () => now })
    for (const [key, due] of Object.entries({ late: 900, early: 800, future: 1_001, never: null })) {
      await store.write(key, entry('{}', { due }), { id: key })
    }
    const keys = async (limit: number) => (await store.take({ limit, hold: 100 })).items.map(({ key }) => key)
    expect(await keys(1)).toEqual(['early'])
    expect(await keys(9)).toEqual(['late'])
    expect(await keys(9)).toEqual([])
    now = 1_100
    expect(await keys(9)).toEqual(['future', 'early', 'late'])
    await store.write('late', entry('{}', { due: 1_050 }), { after: 'late', id: 'again' })
    await store.postpone('early', 'early', 1_060)
    await store.postpone('future', 'another', 1_000)
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
    for (const key of keys) await store.write(key, entry('{}', { list: 'unknown' }), { id: key })
    const first = await store.list({ list: 'unknown', limit: 3 })
    expect(first.items.map(({ key }) => key)).toEqual(keys.slice(0, 3))
    expect(first.total).toBe(7)
    // The last of the page leaves, one behind it is written and stays, one before it comes back and stands at the end.
    await store.write(keys[2] ?? '', entry('{}'), { after: keys[2], id: 'a' })
    await store.write(keys[4] ?? '', entry('{"x":1}', { list: 'unknown' }), { after: keys[4], id: 'b' })
    await store.write(keys[0] ?? '', entry('{}'), { after: keys[0], id: 'c' })
    await store.write(keys[0] ?? '', entry('{}', { list: 'unknown' }), { after: 'c', id: 'd' })
    const second = await store.list({ list: 'unknown', limit: 3, ...(first.next && { after: first.next }) })
    expect(second.items.map(({ key }) => key)).toEqual(keys.slice(3, 6))
    const third = await store.list({ list: 'unknown', limit: 3, ...(second.next && { after: second.next }) })
    expect(third).toMatchObject({ items: [{ key: keys[6] }, { key: keys[0] }], total: 6, next: undefined })
  })

  it('refuses what cannot be kept and goes on', async () => {
    const store = openStore()
    const refused = expect.objectContaining({ code: 'ERR_STORE_REFUSED' })
    await expect(store.write('', entry('{}'), { id: 'i' })).rejects.toEqual(refused)
    await expect(store.write('k', entry('"\0"'), { id: 'i' })).rejects.toEqual(refused)
    await expect(store.postpone('k', 'i', 0.5)).rejects.toEqual(refused)
    await expect(store.take({ limit: -1, hold: 1 })).rejects.toEqual(refused)
    await expect(store.list({ limit: 1_001 })).rejects.toEqual(refused)
    await expect(store.list({ list: 'l', after: 'no cursor', limit: 1 })).rejects.toEqual(refused)
    expect((await store.read('k')).stored).toBeUndefined()
  })

  it('refuses values of other types, for which libsql would end the process', async () => {
    const store = openStore()
    const odd = true as unknown as string
    const refused = expect.objectContaining({ code: 'ERR_STORE_REFUSED' })
    await expect(store.write('k', entry('{}'), { id: odd })).rejects.toEqual(refused)
    await expect(store.write('k', entry('{}', { list: odd }), { id: 'i' })).rejects.toEqual(refused)
    expect(await codeOf(store.list({ list: odd, limit: 1 }))).toMatch(/^ERR_STORE_/)
  })

  it('keeps a file with spaces, quotes and a question mark in its name where it was asked to', async () => {
    const file = join(directory(), `it's a "shop"? 100% #1.db`)
    const store = openStore(file)
    await store.write('k', entry('{}'), { id: 'i' })
    await store.close()
    expect((await openStore(file).read('k')).stored?.version).toBe(1)
  })
})

describe('the connection', () => {
  it('waits for the disk at each commit, and keeps foreign keys', async () => {
    const store = openStore()
    const outcome = store.commit(
      'k',
      async ({ run }) => {
        await run`create table found (synchronous check (synchronous = 2), mode check (mode = 'wal'), keys check (keys = 1))`
        await run`insert into found select s.synchronous, j.journal_mode, f.foreign_keys
          from pragma_synchronous as s, pragma_journal_mode as j, pragma_foreign_keys as f`
      },
      () => entry('{}'),
    )
    expect(await outcome).toMatchObject({ kind: 'written' })
  })
})

describe('the clock of the file', () => {
  it('is never earlier than a commit to the file, whatever the clock of the next process says', async () => {
    const file = freshFile()
    const store = openStore(file, { clock: () => 9_000 })
    const { at } = await store.write('k', entry('{}'), { id: 'i' })
    expect(at).toBe(9_000)
    await store.close()
    const writing = openStore(file, { clock: () => 2_000 })
    expect((await writing.write('k', entry('{}'), { after: 'i', id: 'j' })).at).toBe(9_000)
    const behind = openStore(file, { clock: () => 2_000 })
    expect((await behind.read('k')).at).toBe(9_000)
    expect(await behind.take({ limit: 1, hold: 1 })).toMatchObject({ at: 9_000 })
  })

  it('sees the commit of another store on the file', async () => {
    const file = freshFile()
    const ahead = openStore(file, { clock: () => 9_000 })
    const behind = openStore(file, { clock: () => 2_000 })
    expect((await behind.read('k')).at).toBe(2_000)
    await ahead.write('k', entry('{}', { due: 8_000 }), { id: 'i' })
    expect(await behind.take({ limit: 1, hold: 5 })).toMatchObject({ at: 9_000, items: [{ key: 'k' }] })
  })
})
