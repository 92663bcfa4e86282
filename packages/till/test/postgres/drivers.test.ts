import { EventEmitter } from 'node:events'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresDriver, type PostgresRow, postgresStore } from '../../src/postgres.js'
import { entry, errorOf, freshGround, type Ground } from './support/ground.js'

let ground: Ground
beforeAll(async () => {
  ground = await freshGround()
})
afterAll(() => ground.end())

/** A driver that alters what it is given. */
function altering(pool: Pool, alter: (rows: readonly PostgresRow[], text: string) => unknown): PostgresDriver {
  const query: PostgresDriver['query'] = async (text, parameters) =>
    alter((await pool.query(text, [...parameters])).rows, text) as readonly PostgresRow[]
  return { query, transaction: work => work(query, pool) }
}

describe('a driver', () => {
  it('that gives more than rows is found out', async () => {
    const store = postgresStore(
      altering(ground.admin, rows => ({ rows })),
      { schema: ground.schema },
    )
    const error = await errorOf(store.read('a'))
    expect(error.code).toBe('ERR_STORE_UNREADABLE')
    expect(error.message).toContain('"query" of the driver must give an array of rows')
  })

  it('that renames columns leaves no call without an answer, and no write that is said to have failed', async () => {
    const shout = (rows: readonly PostgresRow[], text: string) =>
      text.includes('migrations')
        ? rows
        : rows.map(row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toUpperCase(), value])))
    const store = postgresStore(altering(ground.admin, shout), { schema: ground.schema })
    expect((await errorOf(store.read('a'))).code).toBe('ERR_STORE_UNREADABLE')
    expect((await errorOf(store.take({ limit: 1, hold: 1 }))).code).toBe('ERR_STORE_UNKNOWN')
  })

  it('whose server goes back in time does not take the clock with it', async () => {
    let back = 0
    const turnBack = (rows: readonly PostgresRow[]) =>
      rows.map(row => ('at' in row ? { ...row, at: Number(row.at) - back } : row))
    const store = postgresStore(altering(ground.admin, turnBack), { schema: ground.schema })
    const { at } = await store.read('clock')
    back = 3_600_000
    expect((await store.read('clock')).at).toBe(at)
    expect((await store.write('clock', entry('{}'), { id: 'w' })).at).toBe(at)
    expect((await store.take({ limit: 1, hold: 1 })).at).toBe(at)
  })
})

describe('a pool', () => {
  it.each([
    ['numbers', Number],
    ['big numbers', BigInt],
  ])('whose type parser makes %s of each bigint keeps versions and the clock as they are', async (_, parse) => {
    const types = { getTypeParser: (oid: number) => (text: string) => (oid === 20 ? parse(text) : text) }
    const store = postgresStore(ground.pool({ types } as never), { schema: ground.schema })
    const key = `parsed-${parse.name}`
    const written = await store.write(key, entry('{"n":1}'), { id: key })
    expect(written).toMatchObject({ kind: 'written', version: 1, at: expect.any(Number) })
    expect(await store.read(key)).toMatchObject({
      stored: { key, version: 1, writeId: key, body: '{"n":1}' },
      at: expect.any(Number),
    })
  })

  it('is listened to before it has handed out a connection: its end may stand in the same bytes', async () => {
    let listeners = 0
    const query = () => Promise.reject(new Error('Connection terminated'))
    const client = Object.assign(new EventEmitter(), { query, release: () => {} })
    const connect = (take: (error: undefined, taken: typeof client) => void) => {
      take(undefined, client)
      listeners = client.listenerCount('error')
    }
    const pool = Object.assign(new EventEmitter(), { options: { max: 4 }, connect })
    const store = postgresStore(pool as unknown as Pool)
    expect((await errorOf(store.read('a'))).code).toBe('ERR_STORE_UNREADABLE')
    expect(listeners).toBe(1)
    expect(client.listenerCount('error')).toBe(0)
  })
})
