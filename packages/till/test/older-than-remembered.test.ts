/**
 * A backup is put back, or a standby takes over that lacks the last write: what the store has is older than what a process remembers of
 * it. What the process then decides from memory must not take away what others have written since. A number of writes comes back:
 * the document of the other process is at version 3 again.
 */
import { copyFileSync, rmSync } from 'node:fs'
import { postgresStore } from '@tillkit/till/postgres'
import { expect, it, onTestFinished } from 'vitest'
import type { DocumentStore } from '../src/store/store.js'
import { freshGround } from './postgres/support/ground.js'
import { merchantsConnection } from './sqlite/conformance.js'
import { entry, freshFile, openStore } from './sqlite/ground.js'

/** Documents, and what a person does to them. */
interface Ground {
  open(): DocumentStore
  save(): Promise<void>
  /** Puts back what was saved. @returns The store with which the process goes on that had this one. */
  putBack(store: DocumentStore): Promise<DocumentStore>
}

async function sqliteGround(): Promise<Ground> {
  const file = freshFile()
  const backup = `${file}.backup`
  return {
    open: () => openStore(file),
    async save() {
      const database = merchantsConnection(file)
      database.execute(`vacuum into '${backup}'`)
      database.close()
    },
    async putBack(store) {
      await store.close()
      for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
      copyFileSync(backup, file)
      return openStore(file)
    },
  }
}

async function postgresGround(): Promise<Ground> {
  const { admin, schema, pool, end } = await freshGround()
  onTestFinished(end)
  const documents = `"${schema}".documents`
  return {
    open: () => postgresStore(pool(), { schema }),
    async save() {
      await admin.query(`create table "${schema}".saved as select * from ${documents}`)
    },
    async putBack(store) {
      await admin.query(
        `begin; delete from ${documents}; insert into ${documents} select * from "${schema}".saved; commit`,
      )
      return store
    },
  }
}

const key = 'payment/test/shop/basket-7'

it.each([
  ['sqliteStore', sqliteGround],
  ['postgresStore', postgresGround],
])(
  '%s, taken back to the second write: a fourth, decided on a third that is gone, meets the third of another process',
  async (_, prepare) => {
    const ground = await prepare()
    const before = ground.open()
    await before.write(key, entry('["a"]'), { id: 'a' })
    await before.write(key, entry('["a","b"]'), { after: 'a', id: 'b' })
    await ground.save()
    const third = await before.write(key, entry('["a","b","mine"]'), { after: 'b', id: 'mine' })
    expect(third).toMatchObject({ kind: 'written', version: 3 })
    const mine = await ground.putBack(before)
    const another = ground.open()
    await another.write(key, entry('["a","b","theirs"]'), { after: 'b', id: 'theirs' })

    const current = { key, version: 3, writeId: 'theirs', body: '["a","b","theirs"]' }
    const fromMemory = await mine.write(key, entry('["a","b","mine","d"]'), { after: 'mine', id: 'd' })
    expect(fromMemory).toEqual({ kind: 'conflict', current, at: expect.any(Number) })
    expect((await another.read(key)).stored).toEqual(current)
    // Decided anew, by what is there.
    const anew = await mine.write(key, entry('["a","b","theirs","d"]'), { after: 'theirs', id: 'anew' })
    expect(anew).toMatchObject({ kind: 'written', version: 4 })
    expect((await another.read(key)).stored).toMatchObject({ writeId: 'anew', body: '["a","b","theirs","d"]' })
  },
)
