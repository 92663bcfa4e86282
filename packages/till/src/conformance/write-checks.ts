import type { Stored } from '../store/store.js'
import { check, type StoreCheck, type StoreCheckContext } from './context.js'
import {
  type Documents,
  entry,
  must,
  mustBeWritten,
  mustConflict,
  mustRead,
  nth,
  same,
  show,
  upTo,
} from './expectations.js'

/** Which write goes through, its answer, and who sees what. */
export const writeChecks: readonly StoreCheck[] = [
  check('reads nothing under a key that was never written', async ({ everywhere }) => {
    for (const store of await everywhere()) same('"read"', (await store.read('never')).stored, undefined)
  }),
  check('writes a document after the write before, and its version grows by one with each', async ({ store }) => {
    for (const version of [1, 2, 3, 4]) {
      const [body, options] = [`{"n":${version}}`, nth(version)]
      mustBeWritten(`The write of version ${version}`, await store.write('a', entry(body), options), version)
      await mustRead('"read" after it', store, { key: 'a', version, writeId: options.id, body })
    }
  }),
  check(
    'writes nothing after a write that is not the last one, and brings the document as it is',
    async ({ store, another }) => {
      const other = entry('"other"', { due: 1, list: 'other' })
      const early = await store.write('a', other, { after: 'w1', id: 'x' })
      mustConflict('a write after another one where there is none', early, undefined)
      await store.write('a', entry('1'), { id: 'w1' })
      await store.write('a', entry('2'), { after: 'w1', id: 'w2' })
      const current = { key: 'a', version: 2, writeId: 'w2', body: '2' }
      // The last four are one id with w2 for an engine that ignores case, cuts, or reads a pattern.
      for (const [index, after] of [undefined, 'w1', 'never-was', 'W2', 'w', 'w2.', 'w%'].entries()) {
        const options = { after, id: `x${index}` }
        const what = `a write after ${after ?? 'no write'}, where w2 is the last one`
        mustConflict(what, await store.write('a', other, options), current)
        mustConflict(`${what}, from another store`, await (await another()).write('a', other, options), current)
      }
      await mustRead('"read" after conflicts', store, current)
      same('The list of a write that was a conflict', (await store.list({ list: 'other', limit: 9 })).items, [])
      same('"take", where a conflict had a date,', (await store.take({ limit: 9, hold: 1 })).items, [])
    },
  ),
  check('lets one of many writers after one write win, and shows the others its document', async context => {
    let last: string | undefined
    for (const version of [1, 2, 3, 4, 5, 6]) last = await oneWins(context, version, last)
  }),
  check('loses no write of many who count on one document', async context => {
    await appended(context.store, await countTogether(context, await context.everywhere(), append))
  }),
  check('shows what was written to every later read, in every store', async ({ everywhere }) => {
    const stores = await everywhere()
    for (const version of upTo(13).slice(1)) {
      const writer = stores[version % stores.length]
      const [body, options] = [`{"n":${version}}`, nth(version)]
      mustBeWritten('"write"', (await writer?.write('a', entry(body), options))!, version)
      const written = { key: 'a', version, writeId: options.id, body }
      for (const [index, store] of stores.entries())
        await mustRead(`"read" of store ${index} after it was written`, store, written)
    }
  }),
  check('answers a repeated write as the first time, and changes nothing', async ({ store, everywhere }) => {
    const first = entry('1', { due: 1, list: 'first' })
    for (const version of [1, 2, 3]) {
      const options = nth(version)
      mustBeWritten('"write"', await store.write('a', first, options), version)
      const taken = await store.take({ limit: 9, hold: 600_000 })
      same('"take" of what is due', taken.items.length, 1)
      for (const each of await everywhere())
        mustBeWritten('The same write with the same id', await each.write('a', first, options), version)
      const again = (await store.take({ limit: 9, hold: 600_000 })).items
      same('"take", after a write was repeated while its document was hidden,', again, [])
    }
  }),
  check('answers one write that arrives several times at once as one write', async ({ everywhere, concurrency }) => {
    const stores = await everywhere()
    for (const version of [1, 2, 3, 4]) {
      const options = nth(version)
      const answers = await Promise.all(
        upTo(concurrency).map(index => stores[index % stores.length]?.write('a', entry(`${version}`), options)),
      )
      for (const answer of answers) mustBeWritten('One of several equal writes with one id', answer!, version)
      for (const store of stores)
        await mustRead('"read"', store, { key: 'a', version, writeId: options.id, body: `${version}` })
    }
  }),
  check('does not repeat a write once another one was written on top', async ({ store, another }) => {
    await store.write('a', entry('1'), { id: 'w1' })
    await (await another()).write('a', entry('2'), { after: 'w1', id: 'w2' })
    const current = { key: 'a', version: 2, writeId: 'w2', body: '2' }
    mustConflict('the first write again', await store.write('a', entry('1'), { id: 'w1' }), current)
    await mustRead('"read" after it', store, current)
  }),
  check('answers each of many writes at once for itself', async ({ store, concurrency }) => {
    const keys = upTo(concurrency * 4).map(index => `k${index}`)
    for (const key of keys.filter((_, index) => index % 4 === 1))
      await store.write(key, entry('"there"'), { id: `${key}.0` })
    const answers = await Promise.allSettled(
      keys.map((key, index) => {
        const body = index % 4 === 2 ? '"\0"' : JSON.stringify(key)
        return store.write(key, entry(body), { after: index % 4 === 3 ? 'never-was' : undefined, id: `${key}.1` })
      }),
    )
    for (const [index, answer] of answers.entries()) {
      const key = keys[index] ?? ''
      const [writeId, body] = index % 4 === 1 ? [`${key}.0`, '"there"'] : [`${key}.1`, JSON.stringify(key)]
      const there = { key, version: 1, writeId, body }
      must(answer.status === (index % 4 === 2 ? 'rejected' : 'fulfilled'), `One of many writes gave ${show(answer)}.`)
      if (answer.status === 'rejected') await mustRead('"read" of what was refused', store, { ...there, version: 0 })
      else if (index % 4 === 0) mustBeWritten('One of many writes', answer.value, 1)
      else mustConflict('one of many writes', answer.value, index % 4 === 1 ? there : undefined)
      if (index % 4 < 2) await mustRead('"read" of one of many', store, there)
    }
  }),
]

/** @returns The id of the write that won. */
async function oneWins(
  { everywhere, concurrency }: StoreCheckContext,
  version: number,
  after: string | undefined,
): Promise<string> {
  const stores = await everywhere()
  const answers = await Promise.all(
    upTo(concurrency).map(async index => {
      const store = stores[index % stores.length]
      const [body, id] = [JSON.stringify(`writer ${index}`), `${version}.${index}`]
      return { id, body, answer: await store!.write('a', entry(body), { after, id }) }
    }),
  )
  const [winner, ...more] = answers.filter(({ answer }) => answer.kind === 'written')
  const writers = `${concurrency} writers after ${after ?? 'no write'}`
  must(winner !== undefined, `None of ${writers} won.`)
  must(more.length === 0, `${more.length + 1} of ${writers} won; expected 1.`)
  mustBeWritten('The winner', winner.answer, version)
  const current: Stored = { key: 'a', version, writeId: winner.id, body: winner.body }
  for (const { answer } of answers.filter(each => each !== winner)) mustConflict('a writer who lost', answer, current)
  for (const store of stores) await mustRead('"read" after it', store, current)
  return winner.id
}

/** Writers on all stores add five ids each, at once. @returns The ids. */
export async function countTogether(
  { concurrency, store }: StoreCheckContext,
  stores: readonly Documents[],
  add: (on: Documents, id: string) => Promise<void>,
): Promise<readonly string[]> {
  const ids = upTo(concurrency).map(writer => upTo(5).map(count => `${writer}.${count}`))
  await Promise.all(
    ids.map(async (own, writer) => {
      for (const id of own) await add(stores[writer % stores.length] ?? store, id)
    }),
  )
  return ids.flat()
}

/** Adds an id to a document that counts, whoever else writes: a fact. */
export async function append(
  store: Documents,
  id: string,
  write: Documents['write'] = store.write.bind(store),
): Promise<void> {
  let current = (await store.read('count')).stored
  for (let lost = 0; lost < 10_000; lost += 1) {
    const ids = idsIn(current)
    if (ids.includes(id)) return
    const options = { after: current?.writeId, id: `${id}@${current?.version ?? 0}` }
    const answer = await write('count', entry(JSON.stringify([...ids, id])), options)
    if (answer.kind === 'written') return
    current = answer.current
  }
  must(false, `A writer lost 10,000 times.`)
}

/** @throws {Unmet} where the document that counts does not hold each id once. */
export async function appended(store: Documents, expected: readonly string[]): Promise<void> {
  const { stored } = await store.read('count')
  const found = idsIn(stored)
  const lost = expected.filter(id => !found.includes(id))
  must(
    lost.length === 0,
    `${lost.length} of ${expected.length} writes that were answered "written" are lost: ${show(lost)}.`,
  )
  same('The number of ids in the document', found.length, expected.length)
}

/** The ids in a document that counts. */
export const idsIn = (stored: Pick<Stored, 'body'> | undefined): readonly string[] =>
  stored === undefined ? [] : (JSON.parse(stored.body) as readonly string[])
