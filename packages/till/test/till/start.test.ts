/** `start` says at once that the store cannot be used, and outlives a database that is away. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createFakeGateway } from '@tillkit/testing'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { createTill, type TillOptions } from '../../src/index.js'
import { postgresStore } from '../../src/postgres.js'
import { sqliteStore } from '../../src/sqlite.js'
import { memoryStore } from '../../src/store/memory-store.js'
import { type Store, StoreError } from '../../src/store/store.js'
import { serverUrl } from '../postgres/support/ground.js'
import { merchantsConnection } from '../sqlite/conformance.js'
import { directory } from '../sqlite/ground.js'
import { quickWait } from './quick-wait.js'
import { byCard } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

function tillOn(store: Store<never>, wait: TillOptions['wait'] = quickWait) {
  const till = createTill({
    account: createFakeGateway().clientOptions,
    store,
    address: 'https://shop.example/payments',
    returnTo: () => '/',
    onOutcome: () => {},
    wait,
  })
  onTestFinished(async () => {
    await till.close()
    await store.close()
  })
  return till
}

it.each([
  ['in a folder that is missing', (place: string) => join(place, 'missing', 'shop.db'), /is not there\. Create it/],
  [
    'that is a folder',
    (place: string) => {
      mkdirSync(join(place, 'shop.db'))
      return join(place, 'shop.db')
    },
    /shop\.db is a directory\. Name a file in it/,
  ],
  [
    'that is a text',
    (place: string) => {
      writeFileSync(join(place, 'shop.db'), 'This is the list of what Joan bought last week. '.repeat(20))
      return join(place, 'shop.db')
    },
    /is not an SQLite database\. Check the path/,
  ],
])('rejects for a file of SQLite %s', async (_, fileIn, message) => {
  const store = sqliteStore(fileIn(directory())) as unknown as Store<never>
  const started = tillOn(store).start()
  await expect(started).rejects.toThrow(message)
  await expect(started).rejects.toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('database up') }),
  )
})

it('rejects where a store can be read and not written', async () => {
  const cause = Object.assign(new Error('attempt to write a readonly database'), { errcode: 8 })
  const postpone = () => Promise.reject(new StoreError('ERR_STORE_REFUSED', 'Give it the right to write.', { cause }))
  await expect(tillOn({ ...memoryStore(), postpone }).start()).rejects.toThrow('Give it the right to write.')
})

it('rejects for a database that has no tables of the store', async () => {
  const pool = new pg.Pool({ connectionString: serverUrl() })
  onTestFinished(() => pool.end())
  const store = postgresStore(pool, { schema: 'never_migrated' }) as unknown as Store<never>
  await expect(tillOn(store).start()).rejects.toMatchObject({ code: 'ERR_STORE_SCHEMA' })
})

const started = /when the till was started/
const failure = (message: string, fields: object = {}) => Object.assign(new Error(message), fields)

// Codes as Node.js, PostgreSQL (errcodes.txt) and SQLite (rescode.html) have them; texts as pg and pg-pool word them.
it.each([
  ['refuses', failure('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED', syscall: 'connect' })],
  ['has no address', failure('getaddrinfo ENOTFOUND db', { code: 'ENOTFOUND', syscall: 'getaddrinfo' })],
  ['has no socket', failure('connect ENOENT /run/pg/.s.PGSQL.5432', { code: 'ENOENT', syscall: 'connect' })],
  ['refuses at two addresses', new AggregateError([new Error('no'), new Error('no')])],
  ['ends connections', failure('Connection terminated unexpectedly')],
  ['takes long to connect', failure('Connection terminated due to connection timeout')],
  ['has a full pool', failure('timeout exceeded when trying to connect')],
  ['cancels a statement', failure('canceling statement due to statement timeout', { code: '57014' })],
  ['could not serialize', failure('could not serialize access', { code: '40001' })],
  ['is a standby', failure('cannot execute UPDATE in a read-only transaction', { code: '25006' })],
])('warns at once of a database that %s, and goes on', async (_, cause) => {
  const warned = watchWarnings()
  const read = () => Promise.reject(new StoreError('ERR_STORE_UNREADABLE', 'It has no connection.', { cause }))
  await tillOn({ ...memoryStore(), read }).start()
  expect(warned('WARN_STORE_FAILED', started)).toEqual([
    expect.stringMatching(/could not be used when the till was started\. The cause: .*It has no connection/),
  ])
})

it.each([
  ['a wrong password', { code: '28P01' }],
  ['no such database', { code: '3D000' }],
  ['no right', { code: '42501' }],
  ['a folder that is missing', { code: 'ENOENT', syscall: 'open' }],
  ['a damaged file', { errcode: 11 }],
])('rejects for %s', async (_, fields) => {
  const cause = failure('no', fields)
  const read = () => Promise.reject(new StoreError('ERR_STORE_UNREADABLE', 'It does not pass.', { cause }))
  await expect(tillOn({ ...memoryStore(), read }).start()).rejects.toThrow('It does not pass.')
})

it('warns where another process holds the lock of a file, and goes on', async () => {
  const warned = watchWarnings()
  const file = join(directory(), 'shop.db')
  const holder = merchantsConnection(file)
  onTestFinished(() => holder.close())
  holder.execute('BEGIN EXCLUSIVE')
  await tillOn(sqliteStore(file, { lockTimeout: 20 }) as unknown as Store<never>).start()
  expect(warned('WARN_STORE_FAILED', started)).toEqual([expect.stringMatching(/held the lock/)])
})

it('warns of a store that never answers, and goes on', async () => {
  const warned = watchWarnings()
  const never = () => new Promise<never>(() => {})
  const asked: number[] = []
  const wait = (milliseconds: number, signal?: AbortSignal) => {
    asked.push(milliseconds)
    return asked.length === 1 ? Promise.resolve() : quickWait(milliseconds, signal)
  }
  await tillOn({ ...memoryStore(), read: never }, wait).start()
  expect(asked[0]).toBe(10_000)
  expect(warned('WARN_STORE_FAILED', started)).toEqual([expect.stringMatching(/did not answer within 10000 ms/)])
})

it('closes in the middle of its pauses, also where they reject once they are ended', async () => {
  const gateway = createFakeGateway()
  gateway.faults.arm('callback-never')
  let failures = 0
  const till = createTill<never>({
    account: gateway.clientOptions,
    store: memoryStore() as unknown as Store<never>,
    address: 'https://shop.example/payments',
    returnTo: () => '/',
    onOutcome: () => {
      failures += 1
      throw new Error('my mail server is away')
    },
    onReport: () => {},
    wait: async (milliseconds, signal) =>
      pause(milliseconds / 20, undefined, { ref: false, ...(signal && { signal }) }),
  })
  await till.pay({ ...byCard, reference: 'basket-7' })
  await till.ask('basket-7')
  await till.tick()
  expect(failures).toBeGreaterThan(0)
  await expect(till.close()).resolves.toBeUndefined()
})
