import type { Stored } from '../store/store.js'
import { check, commitCheck, noWork, type StoreCheck } from './context.js'
import {
  entry,
  everyPage,
  must,
  mustBeWritten,
  mustConflict,
  mustRead,
  nth,
  same,
  sameDocument,
  show,
  upTo,
} from './expectations.js'

/** Every character of an id; the longest ids, which differ at their end; and what an engine takes for a number or for SQL. */
const ids = [
  String.fromCharCode(...upTo(0x7f - 0x21).map(index => 0x21 + index)),
  `${'w'.repeat(127)}1`,
  `${'w'.repeat(127)}2`,
  '1',
  '01',
  "'';--",
] as const

/** The id of the write that left a document as it is: writes go by it, every answer has it, and each `commit` makes a new one. */
export const writeIdChecks: readonly StoreCheck[] = [
  check(
    'writes nothing after a write that never was, where the number of writes would fit',
    async ({ store, another }) => {
      // As in a database that was restored, for a process that remembers a write which is no longer there.
      const other = await another()
      mustBeWritten('"write"', await other.write('a', entry('1'), nth(1)), 1)
      for (const version of [2, 3, 4]) {
        mustBeWritten('"write"', await store.write('a', entry(`${version}`), nth(version)), version)
        const there = { key: 'a', version, writeId: nth(version).id, body: `${version}` }
        await mustRead('"read" of another store', other, there)
        const options = { after: `never-was.${version}`, id: `lost.${version}` }
        mustConflict('a write after one that never was', await other.write('a', entry('"lost"'), options), there)
        await mustRead('"read" after it', store, there)
      }
    },
  ),
  check('tells the id of the write that left a document so in every answer', async ({ store, another, everywhere }) => {
    const other = await another()
    for (const [index, writeId] of ids.entries()) {
      const [body, due] = [`${index}`, (await store.read('a')).at]
      const options = { after: ids[index - 1], id: writeId }
      mustBeWritten('"write"', await store.write('a', entry(body, { due, list: 'open' }), options), index + 1)
      const there = { key: 'a', version: index + 1, writeId, body }
      for (const each of await everywhere()) await mustRead('"read"', each, there)
      sameDocument('"take"', (await other.take({ limit: 9, hold: 600_000 })).items[0], there)
      sameDocument('"list"', (await everyPage(other, { list: 'open', limit: 9 }))[0]?.items[0], there)
      sameDocument('"list" of all', (await everyPage(other, { limit: 9 }))[0]?.items[0], there)
      const lost = await other.write('a', entry('"lost"'), { after: 'never-was', id: `lost.${index}` })
      mustConflict('a write after one that never was', lost, there)
    }
  }),
  commitCheck('gives "finish" the id of the write that left the document so', async ({ store, another, commit }) => {
    const stores = [store, await another()]
    for (const version of [1, 2, 3]) {
      const body = `${version}`
      mustBeWritten('"write"', (await stores[version % 2]?.write('a', entry(body), nth(version)))!, version)
      let given: Stored | undefined
      const answer = await commit('a', noWork, current => {
        given = current
        return undefined
      })
      const there = { key: 'a', version, writeId: nth(version).id, body }
      sameDocument('What "finish" was given', given, there)
      mustConflict('"commit" of nothing', answer, there)
    }
  }),
  commitCheck('leaves a document with a new id after each "commit", and others write after that one', async context => {
    const { store, another, commit, everywhere } = context
    const other = await another()
    const known = ['w1']
    await store.write('a', entry('1', { list: 'open' }), { id: 'w1' })
    for (const [round, on] of (['store', 'another', 'store', 'another'] as const).entries()) {
      const version = 2 + round * 2
      const before = known.at(-1) ?? ''
      let given: Stored | undefined
      const finish = (current: Stored | undefined) => {
        given = current
        return entry('"told"', { list: 'open' })
      }
      const answer = await commit('a', noWork, finish, on)
      mustBeWritten('"commit"', answer, version)
      same('The write id that "finish" was given', given?.writeId, before)
      const { stored } = await store.read('a')
      const writeId = stored?.writeId ?? ''
      must(!known.includes(writeId), `"commit" left the write id ${writeId}, which was there before.`)
      must(/^[\x21-\x7e]{1,128}$/.test(writeId), `"commit" left the write id ${show(writeId)}, which none may have.`)
      const there = { key: 'a', version, writeId, body: '"told"' }
      for (const each of await everywhere()) await mustRead('"read" after "commit"', each, there)
      sameDocument('"list" after "commit"', (await other.list({ list: 'open', limit: 9 })).items[0], there)
      const [late, next] = [`late.${round}`, `next.${round}`]
      const lost = await other.write('a', entry('0'), { after: before, id: late })
      mustConflict('a write after the one before', lost, there)
      await other.postpone('a', before, 1)
      same('"take" after "postpone" with the id before', (await store.take({ limit: 9, hold: 1 })).items, [])
      await other.postpone('a', writeId, 1)
      sameDocument('"take"', (await store.take({ limit: 9, hold: 1 })).items[0], there)
      const onTop = await other.write('a', entry('2', { list: 'open' }), { after: writeId, id: next })
      mustBeWritten('A write on top of "commit"', onTop, version + 1)
      known.push(writeId, next)
    }
  }),
]
