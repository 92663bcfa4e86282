import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { postgresStore } from '../../src/postgres.js'
import { entry, errorOf, freshGround, type Ground, serverUrl } from './support/ground.js'
import { type PostgresProxy, proxyBefore } from './support/proxy.js'

let ground: Ground
const proxies: PostgresProxy[] = []
beforeAll(async () => {
  ground = await freshGround()
})
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close()
})
afterAll(() => ground.end())

async function newProxy(): Promise<PostgresProxy> {
  const proxy = await proxyBefore(serverUrl())
  proxies.push(proxy)
  return proxy
}

/** Lets every timer run out until a call has ended that nothing else ends. */
async function waitInVain<Value>(call: Promise<Value>): Promise<Value> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let isOver = false
  const ended = call.finally(() => {
    isOver = true
  })
  while (!isOver) {
    await new Promise(resolve => setImmediate(resolve))
    vi.runAllTimers()
  }
  vi.useRealTimers()
  return ended
}

describe('a database that is away', () => {
  it('refuses writes and reads, and heals without a new store', async () => {
    const proxy = await newProxy()
    const store = postgresStore(ground.pool({ connectionString: proxy.url }), { schema: ground.schema })
    await store.write('a', entry('{}'), { id: 'a1' })
    await proxy.down()
    // An open connection may be found out to be dead by the first call only.
    await store.read('a').catch(() => {})
    const refused = await errorOf(store.write('b', entry('{}'), { id: 'b1' }))
    expect(refused).toMatchObject({ name: 'StoreError', code: 'ERR_STORE_REFUSED' })
    expect(refused.message).toBe(
      `Writing "b" failed; nothing was written. PostgreSQL: There was no connection: connect ECONNREFUSED 127.0.0.1:${new URL(proxy.url).port}. Is the server up, and the pool large enough?`,
    )
    expect((await errorOf(store.read('a'))).code).toBe('ERR_STORE_UNREADABLE')
    expect((await errorOf(store.list({ limit: 1 }))).code).toBe('ERR_STORE_UNREADABLE')
    expect((await errorOf(store.take({ limit: 1, hold: 1 }))).code).toBe('ERR_STORE_REFUSED')
    expect((await errorOf(store.postpone('a', 'a1', 1))).code).toBe('ERR_STORE_REFUSED')
    const commit = store.commit(
      'c',
      async () => {},
      () => entry('{}'),
    )
    expect((await errorOf(commit)).code).toBe('ERR_STORE_REFUSED')
    await proxy.up()
    expect(await store.write('b', entry('{}'), { id: 'b1' })).toMatchObject({ kind: 'written', version: 1 })
    expect((await store.read('a')).stored).toMatchObject({ version: 1 })
  })

  it('may be away when the store is made', async () => {
    const proxy = await newProxy()
    const store = postgresStore(ground.pool({ connectionString: proxy.url }), { schema: ground.schema })
    await proxy.down()
    expect((await errorOf(store.read('early'))).code).toBe('ERR_STORE_UNREADABLE')
    await proxy.up()
    expect((await store.read('early')).stored).toBeUndefined()
  })

  it('is given up when it does not answer', async () => {
    const proxy = await newProxy()
    const store = postgresStore(ground.pool({ connectionString: proxy.url }), { schema: ground.schema, timeout: 5_000 })
    await store.read('frozen')
    proxy.freeze()
    const error = await waitInVain(errorOf(store.write('frozen', entry('{}'), { id: 'f1' })))
    expect(error.code).toBe('ERR_STORE_UNKNOWN')
    expect(error.message).toContain('There was no answer within 5000 ms')
    expect((await waitInVain(errorOf(store.read('frozen')))).code).toBe('ERR_STORE_UNREADABLE')
  })

  it('is not asked by a write that waited for a connection in vain', async () => {
    const pool = ground.pool({ max: 2 })
    const store = postgresStore(pool, { schema: ground.schema })
    await store.read('full')
    const held = [await pool.connect(), await pool.connect()]
    const error = await waitInVain(errorOf(store.write('full', entry('{}'), { id: 'u1' })))
    expect(error.code).toBe('ERR_STORE_REFUSED')
    for (const client of held) client.release()
    expect((await store.read('full')).stored).toBeUndefined()
    // The connection that came too late went back.
    expect(pool.idleCount).toBe(2)
  })

  it('takes a process with it neither idle, nor in a write, nor in a handler', async () => {
    // No listener for errors here: one that is not caught ends the run.
    const pool = new pg.Pool({ connectionString: serverUrl(), application_name: ground.schema })
    const store = postgresStore(pool, { schema: ground.schema })
    const endSessions = () =>
      ground.admin.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
        ground.schema,
      ])
    await store.read('x')
    await endSessions()
    const seen = await errorOf(
      store.commit(
        'x',
        async ({ client, run }) => {
          const lost = new Promise(resolve => client.once('end', resolve))
          await endSessions()
          await lost
          await run`select 1`
        },
        () => entry('{}'),
      ),
    )
    expect(seen).toBeInstanceOf(Error)
    expect((await store.read('x')).stored).toBeUndefined()
    await store.close()
    await pool.end()
  })

  // The words are those of the server: https://www.postgresql.org/docs/current/runtime-config-client.html
  it('says why it ended a session, after a handler that let the transaction wait', async () => {
    const pool = ground.pool({ options: '-c idle_in_transaction_session_timeout=10' })
    const store = postgresStore(pool, { schema: ground.schema })
    const error = await errorOf(
      store.commit(
        'slow',
        ({ client }) => new Promise(resolve => client.once('end', resolve)),
        () => entry('{}'),
      ),
    )
    expect(error).toMatchObject({ name: 'StoreError', code: 'ERR_STORE_REFUSED' })
    expect(error.message).toMatch(
      /: terminating connection due to idle-in-transaction timeout\. The handler took longer /,
    )
    expect((await store.read('slow')).stored).toBeUndefined()
  })
})

describe('a pooler that gives a session to another client', () => {
  // PgBouncer in transaction mode does to a session what these two lines do. The two errors are those of the real server.
  it.each([
    ['42P05', 'whose statements were prepared by another', (client: pg.PoolClient) => prepareAll(client)],
    ['26000', 'whose statements are gone', (client: pg.PoolClient) => client.query('deallocate all')],
  ])('is named with its cure: %s, %s', async (state, _, disturb) => {
    const pool = ground.pool({ max: 2 })
    const store = postgresStore(pool, { schema: ground.schema })
    if (state === '26000') await store.read('p')
    const client = await pool.connect()
    await disturb(client)
    client.release()
    const error = await errorOf(store.read('p'))
    expect(error.cause).toMatchObject({ code: state })
    expect(error.message).toContain('pass "prepared: false" to postgresStore')
    const unprepared = postgresStore(pool, { schema: ground.schema, prepared: false })
    expect((await unprepared.read('p')).stored).toBeUndefined()
  })
})

/** Prepares what a store prepares, under the names that it uses. */
async function prepareAll(client: pg.PoolClient): Promise<void> {
  const other = ground.pool({ max: 2 })
  await postgresStore(other, { schema: ground.schema }).read('p')
  const { rows } = await other.query('select name from pg_prepared_statements')
  for (const { name } of rows) await client.query(`prepare "${name}" as select 1`)
}
