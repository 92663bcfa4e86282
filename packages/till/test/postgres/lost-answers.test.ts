import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresStoreOptions, postgresStore } from '../../src/postgres.js'
import { entry, errorOf, freshGround, type Ground, serverUrl } from './support/ground.js'
import { type PostgresProxy, proxyBefore } from './support/proxy.js'

let ground: Ground
let proxy: PostgresProxy
beforeAll(async () => {
  ground = await freshGround()
  proxy = await proxyBefore(serverUrl())
  await ground.admin.query(`create table "${ground.schema}".orders (id text primary key)`)
})
afterAll(async () => {
  await ground.end()
  await proxy.close()
})

const stores: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})

function storeOn(pool: Pool, options: PostgresStoreOptions = {}) {
  const store = postgresStore(pool, { schema: ground.schema, ...options })
  stores.push(store)
  return store
}
const throughProxy = (options?: PostgresStoreOptions) => storeOn(ground.pool({ connectionString: proxy.url }), options)
const direct = () => storeOn(ground.pool())

const orders = async () => (await ground.admin.query(`select id from "${ground.schema}".orders order by id`)).rows

describe('a write whose answer is lost', () => {
  it.each([{ prepared: true }, { prepared: false }])(
    'has happened, and says so when repeated, with %j',
    async options => {
      const store = throughProxy(options)
      const key = `after-${options.prepared}`
      const cut = proxy.cutAt(key, 'after')
      const error = await errorOf(store.write(key, entry('{"n":1}'), { id: 'w1' }))
      await cut
      expect(error).toMatchObject({ name: 'StoreError', code: 'ERR_STORE_UNKNOWN', cause: expect.any(Error) })
      expect(error.message).toContain('Repeat the write with the same id, w1, to learn which.')
      expect((await direct().read(key)).stored).toEqual({ key, version: 1, writeId: 'w1', body: '{"n":1}' })
      expect(await store.write(key, entry('{"n":1}'), { id: 'w1' })).toMatchObject({
        kind: 'written',
        version: 1,
      })
    },
  )

  it('has not happened where the server never got it, and happens when repeated', async () => {
    const store = throughProxy()
    void proxy.cutAt('before-1', 'before')
    const error = await errorOf(store.write('before-1', entry('{}'), { id: 'w2' }))
    expect(error.code).toBe('ERR_STORE_UNKNOWN')
    expect((await direct().read('before-1')).stored).toBeUndefined()
    expect(await store.write('before-1', entry('{}'), { id: 'w2' })).toMatchObject({ kind: 'written' })
  })

  it('may land after a read that did not show it, and counts once', async () => {
    const store = throughProxy()
    void proxy.cutAt('late-1', 'late')
    const error = await errorOf(store.write('late-1', entry('{"n":1}'), { id: 'w3' }))
    expect(error.code).toBe('ERR_STORE_UNKNOWN')
    expect((await store.read('late-1')).stored).toBeUndefined()
    expect(await store.write('late-1', entry('{"n":1}'), { id: 'w3' })).toMatchObject({ version: 1 })
    await proxy.deliver()
    expect((await store.read('late-1')).stored).toEqual({ key: 'late-1', version: 1, writeId: 'w3', body: '{"n":1}' })
  })

  it('loses to another that came first, when it lands late', async () => {
    const store = throughProxy()
    void proxy.cutAt('late-2', 'late')
    expect((await errorOf(store.write('late-2', entry('{"n":1}'), { id: 'w4' }))).code).toBe('ERR_STORE_UNKNOWN')
    expect(await direct().write('late-2', entry('{"n":2}'), { id: 'w5' })).toMatchObject({
      kind: 'written',
    })
    await proxy.deliver()
    const current = { key: 'late-2', version: 1, writeId: 'w5', body: '{"n":2}' }
    expect((await store.read('late-2')).stored).toEqual(current)
    expect(await store.write('late-2', entry('{"n":1}'), { id: 'w4' })).toMatchObject({
      kind: 'conflict',
      current,
    })
  })

  it('is unknown for every write of a batch, and none is sent again from here', async () => {
    const store = throughProxy()
    await store.read('warm')
    const write = (index: number) => store.write(`many-${index}`, entry(`{"n":${index}}`), { id: `m${index}` })
    const indexes = Array.from({ length: 8 }, (_, index) => index)
    void proxy.cutAt('many-7', 'after')
    const errors = await Promise.all(indexes.map(index => errorOf(write(index))))
    expect(errors.map(({ code }) => code)).toEqual(indexes.map(() => 'ERR_STORE_UNKNOWN'))
    const repeated = await Promise.all(indexes.map(write))
    expect(repeated).toEqual(indexes.map(() => ({ kind: 'written', version: 1, at: expect.any(Number) })))
    const { rows } = await ground.admin.query(
      `select version from "${ground.schema}".documents where key like 'many-%'`,
    )
    expect(rows).toEqual(indexes.map(() => ({ version: '1' })))
  })

  it('never makes a loser of the winner', async () => {
    const store = throughProxy()
    void proxy.cutAt('won-1', 'after')
    expect((await errorOf(store.write('won-1', entry('{"by":1}'), { id: 'w6' }))).code).toBe('ERR_STORE_UNKNOWN')
    expect(await direct().write('won-1', entry('{"by":2}'), { id: 'w7' })).toMatchObject({
      kind: 'conflict',
    })
    expect(await store.write('won-1', entry('{"by":1}'), { id: 'w6' })).toMatchObject({ kind: 'written' })
  })
})

describe('a commit whose answer is lost', () => {
  const commit = (store: ReturnType<typeof direct>, key: string) =>
    store.commit(
      key,
      async ({ client }) => {
        await client.query(`insert into "${ground.schema}".orders values ($1)`, [key])
      },
      current => (current === undefined ? entry('{}') : undefined),
    )

  it('has happened as a whole where COMMIT was carried out', async () => {
    void proxy.cutAt('commit\0', 'after')
    const error = await errorOf(commit(throughProxy(), 'commit-after'))
    expect(error.code).toBe('ERR_STORE_UNKNOWN')
    expect(error.message).toContain('Read the document to learn which.')
    expect((await direct().read('commit-after')).stored).toMatchObject({ version: 1 })
    expect(await orders()).toContainEqual({ id: 'commit-after' })
  })

  it('has not happened at all where the server never got COMMIT', async () => {
    void proxy.cutAt('commit\0', 'before')
    expect((await errorOf(commit(throughProxy(), 'commit-before'))).code).toBe('ERR_STORE_UNKNOWN')
    expect((await direct().read('commit-before')).stored).toBeUndefined()
    expect(await orders()).not.toContainEqual({ id: 'commit-before' })
  })

  it('is refused, and undone, where the line was lost before', async () => {
    const store = throughProxy()
    void proxy.cutAt('"key":"commit-early"', 'before')
    const error = await errorOf(commit(store, 'commit-early'))
    expect(error).toMatchObject({ name: 'StoreError', code: 'ERR_STORE_REFUSED' })
    expect((await direct().read('commit-early')).stored).toBeUndefined()
    expect(await orders()).not.toContainEqual({ id: 'commit-early' })
    expect(await commit(store, 'commit-early')).toMatchObject({ kind: 'written' })
  })

  it('passes on what the handler saw when the line was lost under it', async () => {
    const store = throughProxy()
    void proxy.cutAt('$1)', 'before')
    const error = await errorOf(commit(store, 'commit-under'))
    expect(error.name).not.toBe('StoreError')
    expect(await orders()).not.toContainEqual({ id: 'commit-under' })
  })
})

describe('a read whose answer is lost', () => {
  it('rejects as unreadable', async () => {
    const store = throughProxy()
    void proxy.cutAt('read-1', 'after')
    expect((await errorOf(store.read('read-1'))).code).toBe('ERR_STORE_UNREADABLE')
    expect((await store.read('read-1')).stored).toBeUndefined()
  })

  it('leaves what take had taken for its hold', async () => {
    const store = throughProxy()
    await store.write('due-1', entry('{}', { due: 1 }), { id: 'd1' })
    void proxy.cutAt('987654', 'after')
    expect((await errorOf(store.take({ limit: 9, hold: 987_654 }))).code).toBe('ERR_STORE_UNKNOWN')
    expect((await store.take({ limit: 9, hold: 1 })).items).toEqual([])
    expect((await store.read('due-1')).stored).toEqual({ key: 'due-1', version: 1, writeId: 'd1', body: '{}' })
  })
})
