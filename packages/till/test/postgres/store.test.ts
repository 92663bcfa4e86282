import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresStore } from '../../src/postgres.js'
import { entry, errorOf, freshGround, type Ground } from './ground.js'

let ground: Ground
beforeAll(async () => {
  ground = await freshGround()
})
afterAll(() => ground.end())

const open = () => postgresStore(ground.pool(), { schema: ground.schema })

describe('postgresStore', () => {
  it('writes, and reads what was written', async () => {
    const store = open()
    expect(await store.read('a')).toEqual({ at: expect.any(Number), stored: undefined })
    expect(await store.write('a', entry('{"n":1}'), { version: 0, id: 'w1' })).toEqual({
      kind: 'written',
      version: 1,
      at: expect.any(Number),
    })
    expect(await store.write('a', entry('{"n":1}'), { version: 0, id: 'w1' })).toEqual({
      kind: 'written',
      version: 1,
      at: expect.any(Number),
    })
    expect(await store.write('a', entry('{"n":2}'), { version: 0, id: 'w2' })).toEqual({
      kind: 'conflict',
      current: { key: 'a', version: 1, body: '{"n":1}' },
      at: expect.any(Number),
    })
    expect(await store.write('a', entry('{"n":2}'), { version: 1, id: 'w3' })).toMatchObject({
      kind: 'written',
      version: 2,
    })
    expect(await store.write('a', entry('{"n":2}'), { version: 1, id: 'w3' })).toMatchObject({
      kind: 'written',
      version: 2,
    })
    expect(await store.write('b', entry('{"n":2}'), { version: 3, id: 'w4' })).toEqual({
      kind: 'conflict',
      current: undefined,
      at: expect.any(Number),
    })
    expect((await store.read('a')).stored).toEqual({ key: 'a', version: 2, body: '{"n":2}' })
  })
  it('commits a handler with its document', async () => {
    const store = open()
    await ground.admin.query(`create table "${ground.schema}".orders (id text primary key, state text)`)
    const written = await store.commit(
      'c',
      async ({ run }) => {
        await run`select set_config('search_path', ${ground.schema}, true)`
        await run`insert into orders values (${'o1'}, ${'paid'})`
      },
      current => (current === undefined ? entry('{}') : undefined),
    )
    expect(written).toMatchObject({ kind: 'written', version: 1 })
    expect((await ground.admin.query(`select * from "${ground.schema}".orders`)).rows).toEqual([
      { id: 'o1', state: 'paid' },
    ])
    const again = await store.commit(
      'c',
      async ({ client }) => {
        await client.query(`insert into "${ground.schema}".orders values ('o2', 'paid')`)
      },
      current => (current === undefined ? entry('{}') : undefined),
    )
    expect(again).toMatchObject({ kind: 'conflict', current: { key: 'c', version: 1, body: '{}' } })
    expect((await ground.admin.query(`select * from "${ground.schema}".orders`)).rows).toEqual([
      { id: 'o1', state: 'paid' },
    ])
    const err = await errorOf(
      store.commit(
        'c',
        async ({ run }) => {
          await run`select * from nowhere`
        },
        () => entry('{}'),
      ),
    )
    expect(err.code).toBe('42P01')
  })
  it('takes and lists', async () => {
    const store = open()
    for (const [key, due] of [
      ['t1', 5],
      ['t2', 3],
      ['t3', 4],
    ] as const)
      await store.write(key, entry('{}', { due, list: 'l' }), { version: 0, id: key })
    const taken = await store.take({ limit: 2, hold: 60_000 })
    expect(taken.items.map(each => each.key)).toEqual(['t2', 't3'])
    const taken2 = await store.take({ limit: 2, hold: 60_000 })
    expect(taken2.items.map(each => each.key)).toEqual(['t1'])
    const first = await store.list({ list: 'l', limit: 2 })
    expect(first).toMatchObject({ total: 3, items: [{ key: 't1' }, { key: 't2' }] })
    const second = await store.list({ list: 'l', limit: 2, after: first.next ?? '' })
    expect(second).toMatchObject({ total: 3, items: [{ key: 't3' }], next: undefined })
    expect((await store.list({ limit: 100 })).items.map(each => each.key)).toEqual(['a', 'c', 't1', 't2', 't3'])
    await store.postpone('t1', 1, 2)
    expect((await store.take({ limit: 9, hold: 1 })).items.map(each => each.key)).toEqual(['t1'])
  })
})
