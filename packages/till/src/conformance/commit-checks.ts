import type { Stored } from '../store/store.js'
import { commitCheck, inserting, type StoreCheck, type StoreCheckContext } from './context.js'
import {
  callAndCatch,
  type Expected,
  entry,
  must,
  mustBeWritten,
  mustConflict,
  mustRead,
  mustRefuse,
  same,
  sameDocument,
  show,
  textOf,
  upTo,
} from './expectations.js'

/** @throws {Unmet} where a row is there, or another document than before. */
export async function mustHaveNeither(
  { store, row }: StoreCheckContext,
  what: string,
  key: string,
  before?: Expected,
): Promise<void> {
  same(`${what}: the row`, await row(key), undefined)
  sameDocument(`${what}: the document`, (await store.read(key)).stored, before)
}

/** `commit`: the merchant's rows and the document. */
export const commitChecks: readonly StoreCheck[] = [
  commitCheck('commits a row with the document, new or there', async ({ store, commit, row, everywhere }) => {
    for (const version of upTo(3)) {
      const seen: (Stored | undefined)[] = []
      const id = `row ${version}`
      const answer = await commit('a', inserting(id, `${version}`), current => {
        seen.push(current)
        return entry(`${version}`, { due: 1, list: 'told' })
      })
      mustBeWritten('"commit"', answer, version + 1)
      const before = version === 0 ? undefined : { key: 'a', version, body: `${version - 1}` }
      sameDocument('What "finish" was given', seen.at(-1), before)
      same('The row', await row(id), `${version}`)
      for (const each of await everywhere())
        await mustRead('"read"', each, { key: 'a', version: version + 1, body: `${version}` })
      same('The list', (await store.list({ list: 'told', limit: 9 })).total, 1)
      same('"take"', (await store.take({ limit: 9, hold: 600_000 })).items.length, 1)
    }
  }),
  commitCheck('rolls both back where "finish" gives undefined, and brings the document', async context => {
    const { store, commit } = context
    const there = { key: 'a', version: 1, writeId: 'w1', body: '1' }
    for (const before of [undefined, there]) {
      if (before !== undefined) await store.write('a', entry('1'), { id: 'w1' })
      mustConflict('"commit"', await commit('a', inserting('a'), () => undefined), before)
      await mustHaveNeither(context, 'After it', 'a', before)
    }
  }),
  commitCheck('goes by what is kept, whatever its caller knows of the document', async context => {
    const { store, commit, row } = context
    await store.write('a', entry('1'), { id: 'w1' })
    const first: Stored = { key: 'a', version: 1, writeId: 'w1', body: '1' }
    const add = (id: string, known: Stored) =>
      commit(
        'a',
        insert => insert(id, 'x'),
        current => entry(`${current?.body}, ${id}`),
        'store',
        known,
      )
    mustBeWritten('"commit" on what its caller knows', await add('b', first), 2)
    mustBeWritten('"commit" on what was so once', await add('c', first), 3)
    mustBeWritten('"commit" on what was never there', await add('d', { ...first, key: 'a', writeId: 'w0' }), 4)
    await mustRead('"read"', store, { key: 'a', version: 4, body: '1, b, c, d' })
    for (const id of ['b', 'c', 'd']) same(`The row ${id}`, await row(id), 'x')
    const refused = commit(
      'a',
      insert => insert('e', 'x'),
      current => (current?.writeId === 'w1' ? entry('lost') : undefined),
      'store',
      first,
    )
    must((await refused).kind === 'conflict', '"commit" wrote on what was so once; expected a conflict.')
    same('The row of that', await row('e'), undefined)
    await mustRead('"read" after it', store, { key: 'a', version: 4, body: '1, b, c, d' })
  }),
  ...(['the work', '"finish"'] as const).map(where =>
    commitCheck(`rolls both back where ${where} throws, and passes the error on`, async context => {
      const { store, commit } = context
      await store.write('a', entry('1'), { id: 'w1' })
      const own = new Error('the cup is sold out')
      const { error, value } = await callAndCatch(() =>
        commit(
          'a',
          async insert => {
            await insert('a', 'x')
            if (where === 'the work') throw own
          },
          () => {
            if (where === '"finish"') throw own
            return entry('2')
          },
        ),
      )
      must(error !== undefined, `"commit" gave ${show(value)}; expected a rejection.`)
      const isPassedOn = error === own || (error instanceof Error && error.cause === own)
      must(isPassedOn, `"commit" rejected with ${textOf(error)}; expected the merchant's error, or it as the cause.`)
      await mustHaveNeither(context, 'After it', 'a', { key: 'a', version: 1, writeId: 'w1', body: '1' })
      mustBeWritten('A write after it', await store.write('a', entry('2'), { after: 'w1', id: 'w2' }), 2)
    }),
  ),
  commitCheck('rolls both back where the document is refused', async context => {
    const refused = () => context.commit('a', inserting('a'), () => entry('"\0"'))
    await mustRefuse('"commit" of a raw NUL', refused)
    await mustHaveNeither(context, 'After it', 'a')
  }),
  commitCheck('commits neither where the database refuses a row, also when the work does not say so', async context => {
    const { store, commit, row } = context
    await commit('first', inserting('taken', 'mine'), () => entry('1'))
    for (const [index, isSwallowed] of [false, true].entries()) {
      const key = `second ${index}`
      const { error, value } = await callAndCatch(() =>
        commit(
          key,
          async insert => {
            await insert(key, 'x')
            await insert('taken', 'yours').catch(refusal => {
              if (!isSwallowed) throw refusal
            })
          },
          () => entry('2'),
        ),
      )
      const isWritten = error === undefined
      must(!isWritten || isSwallowed, `"commit" with a row that the database refuses gave ${show(value)}.`)
      const found = { row: await row(key), body: (await store.read(key)).stored?.body }
      const expected = isWritten ? { row: 'x', body: '2' } : { row: undefined, body: undefined }
      same(`Row and document, where "commit" ${isWritten ? 'was answered' : 'rejected'}:`, found, expected)
      same('The row that was there', await row('taken'), 'mine')
    }
  }),
]
