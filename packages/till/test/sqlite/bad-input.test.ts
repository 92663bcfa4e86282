import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type SqliteTransaction, sqliteStore } from '@tillkit/till/sqlite'
import { describe, expect, it } from 'vitest'
import { merchantsConnection } from './conformance.js'
import { codeOf, directory, entry, freshFile, openStore } from './ground.js'

/** Runs SQL on a file, as another program. */
function alter(file: string, ...statements: readonly string[]): void {
  const database = merchantsConnection(file)
  for (const statement of statements) database.execute(statement)
  database.close()
}

const write = (store: ReturnType<typeof openStore>) => store.write('k', entry('{}'), { id: 'i' })

describe('a path that leads nowhere', () => {
  it('refuses a file in a directory that is not there, and works once it is', async () => {
    const file = join(directory(), 'none', 'shop.db')
    const store = openStore(file)
    await expect(write(store)).rejects.toMatchObject({
      code: 'ERR_STORE_REFUSED',
      message: `The write of "k" wrote nothing: the directory ${dirname(file)} is not there. Create it, or correct the path.`,
      cause: expect.any(Error),
    })
    expect(await codeOf(store.read('k'))).toBe('ERR_STORE_UNREADABLE')
    expect(existsSync(dirname(file))).toBe(false)
    mkdirSync(dirname(file))
    expect(await write(store)).toMatchObject({ kind: 'written' })
  })

  it('refuses a file that is not a database, and leaves it as it is', async () => {
    const file = freshFile()
    const letter = 'Dear customer, this is not a database. '.repeat(200)
    writeFileSync(file, letter)
    const store = openStore(file)
    await expect(write(store)).rejects.toMatchObject({
      code: 'ERR_STORE_REFUSED',
      message: expect.stringContaining(`${file} is not an SQLite database`),
    })
    expect(await codeOf(store.read('k'))).toBe('ERR_STORE_UNREADABLE')
    expect(readFileSync(file, 'utf8')).toBe(letter)
  })

  it('refuses a directory', async () => {
    const store = openStore(directory())
    await expect(write(store)).rejects.toMatchObject({
      code: 'ERR_STORE_REFUSED',
      message: expect.stringMatching(/ is a directory\. Name a file in it\.$/),
    })
  })

  it('refuses a name that is too long for the disk', async () => {
    const file = join(directory(), 'a'.repeat(300))
    await expect(write(openStore(file))).rejects.toMatchObject({
      code: 'ERR_STORE_REFUSED',
      message: expect.stringContaining('could not be opened'),
    })
  })

  it('says what failed where the file can no longer be looked at', async () => {
    const file = freshFile()
    const store = openStore(file)
    await write(store)
    renameSync(file, `${file}.away`)
    symlinkSync(file, file)
    const work = async ({ run }: SqliteTransaction) => run`insert into nowhere values (1)`
    await expect(store.commit('k', work, () => entry('{}'))).rejects.toMatchObject({
      code: 'ERR_STORE_REFUSED',
      message: expect.stringContaining('no such table: nowhere'),
    })
  })

  it.each(['', ':memory:', 'http://host/db', 'libsql://host', 'a\0b', new URL('https://host/a')])(
    'refuses the path %s when the store is made',
    file => {
      expect(() => sqliteStore(file)).toThrow(TypeError)
    },
  )

  it('takes a file: URL', async () => {
    const file = freshFile()
    const url = pathToFileURL(file)
    const store = sqliteStore(url)
    await write(store)
    await store.close()
    expect(existsSync(file)).toBe(true)
  })

  it('refuses options that are out of range', () => {
    expect(() => sqliteStore('a.db', { lockTimeout: -1 })).toThrow('"lockTimeout" must be a whole number from 0 on')
  })
})

describe('another program that holds the lock', () => {
  it('keeps writes waiting as long as they may, and reads not at all', async () => {
    const file = freshFile()
    const store = openStore(file, { lockTimeout: 50 })
    await write(store)
    const other = merchantsConnection(file)
    other.execute('BEGIN IMMEDIATE')
    const blocked = Promise.all([
      codeOf(store.write('a', entry('{}'), { id: 'i' })),
      codeOf(store.write('b', entry('{}'), { id: 'i' })),
    ])
    expect((await store.read('k')).stored?.version).toBe(1)
    expect(await blocked).toEqual(['ERR_STORE_REFUSED', 'ERR_STORE_REFUSED'])
    await expect(store.write('a', entry('{}'), { id: 'i' })).rejects.toThrow(
      `another process, or another connection of this one, held the lock of ${file} for more than 50 ms. Keep transactions on this file short`,
    )
    other.execute('ROLLBACK')
    other.close()
    expect(await store.write('a', entry('{}'), { id: 'i' })).toMatchObject({ kind: 'written', version: 1 })
  })
})

describe('tables that this release does not know', () => {
  it('refuses newer ones and says to update', async () => {
    const file = freshFile()
    const store = openStore(file)
    await write(store)
    await store.close()
    alter(file, 'UPDATE tillkit_store SET version = 2')
    const old = openStore(file)
    await expect(old.read('k')).rejects.toMatchObject({
      code: 'ERR_STORE_SCHEMA',
      message: `${file} has tables of version 2; this release knows 1. Update @tillkit/till.`,
    })
    expect(await codeOf(write(old))).toBe('ERR_STORE_SCHEMA')
    alter(file, 'UPDATE tillkit_store SET version = 1')
    expect((await old.read('k')).stored?.version).toBe(1)
  })

  it('refuses older ones', async () => {
    const file = freshFile()
    const store = openStore(file)
    await write(store)
    await store.close()
    alter(file, 'UPDATE tillkit_store SET version = 0')
    await expect(openStore(file).read('k')).rejects.toMatchObject({
      code: 'ERR_STORE_SCHEMA',
      message: `${file} has tables of version 0; this release needs version 1. Open it with the release that made it, or restore a backup.`,
    })
  })

  it.each([
    [
      'tillkit_documents',
      'CREATE TABLE tillkit_documents (id INTEGER PRIMARY KEY)',
      'has lost the table tillkit_store',
    ],
    ['tillkit_store', 'CREATE TABLE tillkit_store (name TEXT)', 'tillkit_store that is not from this library'],
    [
      'both',
      'CREATE TABLE tillkit_store (name TEXT); CREATE TABLE tillkit_documents (id INTEGER)',
      'tillkit_store that is not from this library',
    ],
  ])('refuses tables of somebody else by the same name: %s', async (_, sql, message) => {
    const file = freshFile()
    alter(file, sql)
    await expect(write(openStore(file))).rejects.toMatchObject({
      code: 'ERR_STORE_SCHEMA',
      message: expect.stringContaining(message),
    })
  })

  it('does not begin anew where the documents are gone', async () => {
    const file = freshFile()
    const store = openStore(file)
    await write(store)
    await store.close()
    alter(file, 'DROP TABLE tillkit_documents')
    await expect(openStore(file).read('k')).rejects.toMatchObject({
      code: 'ERR_STORE_SCHEMA',
      message: expect.stringContaining('has lost the table tillkit_documents. Restore the last backup'),
    })
  })

  it('refuses a file that keeps text as UTF-16, where keys would have another order', async () => {
    const file = freshFile()
    alter(file, "PRAGMA encoding = 'UTF-16le'", 'CREATE TABLE mine (a)')
    await expect(openStore(file).read('k')).rejects.toMatchObject({
      code: 'ERR_STORE_SCHEMA',
      message: expect.stringContaining('keeps text as UTF-16le'),
    })
  })

  it("leaves the merchant's tables and version alone", async () => {
    const file = freshFile()
    alter(file, 'CREATE TABLE orders (id)', 'INSERT INTO orders VALUES (7)', 'PRAGMA user_version = 42')
    const store = openStore(file)
    await write(store)
    await store.close()
    alter(
      file,
      'CREATE TABLE proof (n CHECK (n = 42))',
      'INSERT INTO proof SELECT user_version FROM pragma_user_version',
    )
    alter(file, 'CREATE TABLE more (n CHECK (n = 7))', 'INSERT INTO more SELECT id FROM orders')
  })

  it('says so where a row was written by something else', async () => {
    const file = freshFile()
    const store = openStore(file)
    await write(store)
    alter(file, "UPDATE tillkit_documents SET body = x'00'")
    expect(await codeOf(store.read('k'))).toBe('ERR_STORE_DOCUMENT')
  })
})
