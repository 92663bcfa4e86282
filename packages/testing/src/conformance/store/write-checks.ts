import type { Stored } from '@tillkit/protocol'
import type { StoreCheck, StoreCheckContext } from './context.js'
import { type Documents, entry, must, mustBeWritten, mustConflict, mustRead, same, show, upTo } from './expectations.js'

/** Versions, ids, and who sees what. */
export const writeChecks: readonly StoreCheck[] = [
  {
    name: 'reads nothing under a key that was never written',
    async run({ everywhere }) {
      for (const store of await everywhere()) same('"read"', (await store.read('never')).stored, undefined)
      return undefined
    },
  },
  {
    name: 'writes a document at its version, which grows by one with each write',
    async run({ store }) {
      for (const version of upTo(4)) {
        const options = { version, id: `w${version}` }
        mustBeWritten(`A write at ${version}`, await store.write('a', entry(`{"n":${version}}`), options), version + 1)
        await mustRead('"read" after it', store, { key: 'a', version: version + 1, body: `{"n":${version}}` })
      }
      return undefined
    },
  },
  {
    name: 'writes nothing at another version, and brings the document as it is',
    async run({ store, another }) {
      const other = entry('"other"', { due: 1, list: 'other' })
      mustConflict(
        'a write at version 1 where there is none',
        await store.write('a', other, { version: 1, id: 'w0' }),
        undefined,
      )
      await store.write('a', entry('1'), { version: 0, id: 'w1' })
      await store.write('a', entry('2'), { version: 1, id: 'w2' })
      const current = { key: 'a', version: 2, body: '2' }
      for (const version of [0, 1, 3, 4]) {
        const options = { version, id: `x${version}` }
        mustConflict(`a write at version ${version} of 2`, await store.write('a', other, options), current)
        mustConflict(`the same from another store`, await (await another()).write('a', other, options), current)
      }
      await mustRead('"read" after conflicts', store, current)
      same('The list of a write that was a conflict', (await store.list({ list: 'other', limit: 9 })).items, [])
      same('"take", where a conflict had a date,', (await store.take({ limit: 9, hold: 1 })).items, [])
      return undefined
    },
  },
  {
    name: 'lets one of many writers at one version win, and shows the others its document',
    async run(context) {
      for (const version of upTo(6)) await oneWins(context, version)
      return undefined
    },
  },
  {
    name: 'loses no write of many who count on one document',
    run: async context => {
      const stores = await context.everywhere()
      const ids = upTo(context.concurrency).map(writer => upTo(5).map(count => `${writer}.${count}`))
      await Promise.all(
        ids.map(async (own, writer) => {
          for (const id of own) await append(stores[writer % stores.length] ?? context.store, id)
        }),
      )
      return appended(context.store, ids.flat())
    },
  },
  {
    name: 'shows what was written to every later read, in every store',
    async run({ everywhere }) {
      const stores = await everywhere()
      for (const version of upTo(12)) {
        const writer = stores[version % stores.length]
        const body = `{"n":${version}}`
        mustBeWritten('"write"', (await writer?.write('a', entry(body), { version, id: `w${version}` }))!, version + 1)
        for (const [index, store] of stores.entries())
          await mustRead(`"read" of store ${index} after it was written`, store, {
            key: 'a',
            version: version + 1,
            body,
          })
      }
      return undefined
    },
  },
  {
    name: 'answers a repeated write as the first time, and changes nothing',
    async run({ store, everywhere }) {
      const first = entry('1', { due: 1, list: 'first' })
      for (const version of upTo(3)) {
        const options = { version, id: `w${version}` }
        mustBeWritten('"write"', await store.write('a', first, options), version + 1)
        const taken = await store.take({ limit: 9, hold: 600_000 })
        same('"take" of what is due', taken.items.length, 1)
        for (const each of await everywhere())
          mustBeWritten('The same write with the same id', await each.write('a', first, options), version + 1)
        const again = (await store.take({ limit: 9, hold: 600_000 })).items
        same('"take", after a write was repeated while its document was hidden,', again, [])
      }
      return undefined
    },
  },
  {
    name: 'answers one write that arrives several times at once as one write',
    async run({ everywhere, concurrency }) {
      const stores = await everywhere()
      for (const version of upTo(4)) {
        const options = { version, id: `w${version}` }
        const answers = await Promise.all(
          upTo(concurrency).map(index => stores[index % stores.length]?.write('a', entry(`${version}`), options)),
        )
        for (const answer of answers) mustBeWritten('One of several equal writes with one id', answer!, version + 1)
        for (const store of stores)
          await mustRead('"read"', store, { key: 'a', version: version + 1, body: `${version}` })
      }
      return undefined
    },
  },
  {
    name: 'does not repeat a write once another one was written on top',
    async run({ store, another }) {
      await store.write('a', entry('1'), { version: 0, id: 'w1' })
      await (await another()).write('a', entry('2'), { version: 1, id: 'w2' })
      const current = { key: 'a', version: 2, body: '2' }
      mustConflict('the first write again', await store.write('a', entry('1'), { version: 0, id: 'w1' }), current)
      await mustRead('"read" after it', store, current)
      return undefined
    },
  },
  {
    name: 'answers each of many writes at once for itself',
    async run({ store, concurrency }) {
      const keys = upTo(concurrency * 4).map(index => `k${index}`)
      for (const key of keys.filter((_, index) => index % 4 === 1))
        await store.write(key, entry('"there"'), { version: 0, id: `${key}.0` })
      const answers = await Promise.allSettled(
        keys.map((key, index) => {
          const body = index % 4 === 2 ? '"\0"' : JSON.stringify(key)
          return store.write(key, entry(body), { version: index % 4 === 3 ? 7 : 0, id: `${key}.1` })
        }),
      )
      for (const [index, answer] of answers.entries()) {
        const key = keys[index] ?? ''
        const there = { key, version: 1, body: index % 4 === 1 ? '"there"' : JSON.stringify(key) }
        must(answer.status === (index % 4 === 2 ? 'rejected' : 'fulfilled'), `One of many writes gave ${show(answer)}.`)
        if (answer.status === 'rejected') await mustRead('"read" of what was refused', store, { ...there, version: 0 })
        else if (index % 4 === 0) mustBeWritten('One of many writes', answer.value, 1)
        else mustConflict('one of many writes', answer.value, index % 4 === 1 ? there : undefined)
        if (index % 4 < 2) await mustRead('"read" of one of many', store, there)
      }
      return undefined
    },
  },
]

async function oneWins({ everywhere, concurrency }: StoreCheckContext, version: number): Promise<void> {
  const stores = await everywhere()
  const answers = await Promise.all(
    upTo(concurrency).map(async index => {
      const store = stores[index % stores.length]
      const body = JSON.stringify(`writer ${index}`)
      return { body, answer: await store!.write('a', entry(body), { version, id: `${version}.${index}` }) }
    }),
  )
  const [winner, ...more] = answers.filter(({ answer }) => answer.kind === 'written')
  must(winner !== undefined, `None of ${concurrency} writers at version ${version} won.`)
  must(more.length === 0, `${more.length + 1} of ${concurrency} writers at version ${version} won; expected 1.`)
  mustBeWritten('The winner', winner.answer, version + 1)
  const current: Stored = { key: 'a', version: version + 1, body: winner.body }
  for (const { answer } of answers.filter(each => each !== winner)) mustConflict('a writer who lost', answer, current)
  for (const store of stores) await mustRead('"read" after it', store, current)
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
    const version = current?.version ?? 0
    const answer = await write('count', entry(JSON.stringify([...ids, id])), { version, id: `${id}@${version}` })
    if (answer.kind === 'written') return
    current = answer.current
  }
  must(false, `A writer lost 10,000 times.`)
}

/** @throws {Unmet} where the document that counts does not hold each id once. */
export async function appended(store: Documents, expected: readonly string[]): Promise<undefined> {
  const { stored } = await store.read('count')
  const found = idsIn(stored)
  const lost = expected.filter(id => !found.includes(id))
  must(
    lost.length === 0,
    `${lost.length} of ${expected.length} writes that were answered "written" are lost: ${show(lost)}.`,
  )
  same('The number of ids in the document', found.length, expected.length)
  return undefined
}

/** The ids in a document that counts. */
export const idsIn = (stored: Stored | undefined): readonly string[] =>
  stored === undefined ? [] : (JSON.parse(stored.body) as readonly string[])
