import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteTables } from '@tillkit/till/sqlite'
import { describe, expect, it } from 'vitest'
import { merchantsConnection } from './conformance.js'
import { commandOf, directory, entry, freshFile, openStore, run } from './ground.js'

const ours = ['tillkit_store', 'tillkit_documents']

/** Runs SQL on a file, as the shop. */
function asShop(file: string, ...statements: readonly string[]): void {
  const database = merchantsConnection(file)
  for (const statement of statements) database.execute(statement)
  database.close()
}

describe('sqliteTables', () => {
  it('says of a file that is not there what would be made, and makes nothing', async () => {
    const file = freshFile()
    expect(await sqliteTables(file)).toEqual({ ours, isThere: false, areMade: false, others: [] })
    expect(existsSync(file)).toBe(false)
  })

  it('names the tables of the shop, and changes no byte', async () => {
    const file = freshFile()
    asShop(file, 'CREATE TABLE users (id INTEGER PRIMARY KEY AUTOINCREMENT)', 'CREATE TABLE orders (id TEXT)')
    const before = readFileSync(file)
    expect(await sqliteTables(file)).toEqual({ ours, isThere: true, areMade: false, others: ['orders', 'users'] })
    expect(readFileSync(file)).toEqual(before)
    const store = openStore(file)
    await store.read('k')
    expect(await sqliteTables(file)).toEqual({ ours, isThere: true, areMade: true, others: ['orders', 'users'] })
  })

  it('reads what a copy of a file has in its write-ahead log, and leaves it there', async () => {
    const running = freshFile()
    await openStore(running).write('k', entry('{}'), { id: 'i' })
    const file = freshFile()
    const files = [file, `${file}-wal`]
    for (const [index, from] of [running, `${running}-wal`].entries()) copyFileSync(from, files[index] ?? '')
    const before = files.map(each => readFileSync(each))
    expect(await sqliteTables(file)).toMatchObject({ areMade: true })
    expect(files.map(each => readFileSync(each))).toEqual(before)
  })

  it('refuses a file that another SQLite library may have open here: closing it would take the locks of that one', async () => {
    const file = freshFile()
    await openStore(file).read('k')
    const { output, errors } = await run(await commandOf('other-library.ts', file))
    expect(errors).toBe('')
    // Only Linux shows what a process has open and loaded.
    const code = existsSync('/proc/self/maps') ? 'ERR_STORE_REFUSED' : 'answered'
    expect(JSON.parse(output)).toEqual({ looked: code, read: code })
  })

  it('refuses what a store refuses', async () => {
    const file = freshFile()
    writeFileSync(file, 'Dear customer, this is not a database. '.repeat(200))
    await expect(sqliteTables(file)).rejects.toMatchObject({
      code: 'ERR_STORE_UNREADABLE',
      message: expect.stringContaining(`${file} is not an SQLite database`),
    })
    const newer = freshFile()
    await openStore(newer).read('k')
    asShop(newer, 'UPDATE tillkit_store SET version = 2')
    await expect(sqliteTables(newer)).rejects.toMatchObject({ code: 'ERR_STORE_SCHEMA' })
    await expect(sqliteTables(directory())).rejects.toMatchObject({
      code: 'ERR_STORE_UNREADABLE',
      message: expect.stringContaining('is a directory. Name a file in it.'),
    })
    const tooLong = join(directory(), 'a'.repeat(300))
    await expect(sqliteTables(tooLong)).rejects.toMatchObject({ code: 'ERR_STORE_UNREADABLE' })
    await expect(sqliteTables(':memory:')).rejects.toThrow(TypeError)
  })
})
