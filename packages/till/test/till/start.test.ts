/** `start` says at once that the store cannot be used, and outlives a database that is away. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoryStore, type Store, StoreError } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createTill } from '../../src/index.js'
import { postgresStore } from '../../src/postgres.js'
import { sqliteStore } from '../../src/sqlite.js'
import { serverUrl } from '../postgres/support/ground.js'
import { directory } from '../sqlite/ground.js'

function tillOn(store: Store<never>) {
  const till = createTill({
    account: createFakeGateway().clientOptions,
    store,
    address: 'https://shop.example/payments',
    returnTo: () => '/',
    onOutcome: () => {},
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
    /could not be opened\. Check that it is a file/,
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
  const postpone = () => Promise.reject(new StoreError('ERR_STORE_REFUSED', 'Give it the right to write.'))
  await expect(tillOn({ ...memoryStore(), postpone }).start()).rejects.toThrow('Give it the right to write.')
})

it('rejects for a database that has no tables of the store', async () => {
  const pool = new pg.Pool({ connectionString: serverUrl() })
  onTestFinished(() => pool.end())
  const store = postgresStore(pool, { schema: 'never_migrated' }) as unknown as Store<never>
  await expect(tillOn(store).start()).rejects.toMatchObject({ code: 'ERR_STORE_SCHEMA' })
})

it('warns at once of a database that is away, and goes on', async () => {
  const emitted = vi.spyOn(process, 'emitWarning').mockReturnValue()
  onTestFinished(() => emitted.mockRestore())
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
  const read = () => Promise.reject(new StoreError('ERR_STORE_UNREADABLE', 'It has no connection.', { cause }))
  await tillOn({ ...memoryStore(), read }).start()
  expect(emitted.mock.calls[0]).toMatchObject([
    expect.stringMatching(/could not be used when the till was started\. The cause: .*It has no connection/),
    { code: 'WARN_STORE_FAILED' },
  ])
})
