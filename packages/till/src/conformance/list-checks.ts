import { check, type StoreCheck, type StoreCheckContext, until } from './context.js'
import { entry, everyPage, keysOn, must, mustBeWritten, nth, same, sameDocument, show, upTo } from './expectations.js'

/** Puts documents on a list one after the other, each at a later time: by the write that makes that version. */
async function enter(context: StoreCheckContext, keys: readonly string[], { list = 'open', version = 1 } = {}) {
  for (const key of keys) {
    const options = nth(version, `${key}.`)
    const { at, ...written } = await context.store.write(key, entry(JSON.stringify(key), { list }), options)
    mustBeWritten('"write"', { at, ...written }, version)
    await until(context, at + 1)
  }
}

async function mustList({ store }: StoreCheckContext, list: string, keys: readonly string[]): Promise<void> {
  for (const limit of [1, 2, 100]) {
    const pages = await everyPage(store, { list, limit })
    same(`The list in pages of ${limit}`, keysOn(pages), keys)
    for (const { total } of pages) same('"total"', total, keys.length)
  }
}

/** Each key once. */
function mustHaveOnce(what: string, found: readonly string[], expected: readonly string[]): void {
  const missed = expected.filter(key => !found.includes(key))
  must(missed.length === 0, `${what} skipped ${missed.length} of ${expected.length}: ${show(missed)}.`)
  const twice = expected.filter(key => found.indexOf(key) !== found.lastIndexOf(key))
  must(twice.length === 0, `${what} showed ${twice.length} of ${expected.length} twice: ${show(twice)}.`)
}

/** Lists and pages. */
export const listChecks: readonly StoreCheck[] = [
  check('gives an empty page of a list with nothing on it', async ({ store }) => {
    await store.write('a', entry('1', { list: 'other' }), { id: 'w' })
    const { items, total, next } = await store.list({ list: 'open', limit: 10 })
    same('"list"', { items, total, next }, { items: [], total: 0, next: undefined })
  }),
  check('lists documents by the time of entering the list', async context => {
    await enter(context, ['c', 'a', 'd', 'b'])
    await enter(context, ['elsewhere'], { list: 'other' })
    await mustList(context, 'open', ['c', 'a', 'd', 'b'])
    const [page] = await everyPage(context.store, { list: 'open', limit: 9 })
    sameDocument('The first of the list', page?.items[0], { key: 'c', version: 1, writeId: 'c.1', body: '"c"' })
  }),
  check('keeps the place of a document that stays on its list', async context => {
    await enter(context, ['a', 'b', 'c'])
    await enter(context, ['b', 'a'], { version: 2 })
    await mustList(context, 'open', ['a', 'b', 'c'])
  }),
  check('puts a document that comes back at the end of the list', async context => {
    await enter(context, ['a', 'b', 'c'])
    await enter(context, ['a'], { list: 'other', version: 2 })
    await context.store.write('b', entry('2'), nth(2, 'b.'))
    await mustList(context, 'open', ['c'])
    await enter(context, ['b', 'a'], { version: 3 })
    await mustList(context, 'open', ['c', 'b', 'a'])
    await mustList(context, 'other', [])
  }),
  check('shows each document once where many entered at the same time', async ({ store, everywhere, concurrency }) => {
    const stores = await everywhere()
    const keys = upTo(concurrency * 4).map(index => `k${index}`)
    await Promise.all(
      keys.map((key, index) => stores[index % stores.length]?.write(key, entry('1', { list: 'open' }), { id: key })),
    )
    for (const limit of [1, 7, keys.length, 1000]) {
      const pages = await everyPage(store, { list: 'open', limit })
      mustHaveOnce(`The list in pages of ${limit}`, keysOn(pages), keys)
      for (const { total } of pages) same('"total"', total, keys.length)
    }
  }),
  ...([{ list: 'open' }, {}] as const).map(
    (options): StoreCheck =>
      check(
        `shows each document once ${'list' in options ? 'of a list' : 'of the store'} while others write, enter and leave`,
        async ({ store, another }) => {
          const keys = upTo(30).map(index => `k${String(index).padStart(3, '0')}`)
          await Promise.all(keys.map(key => store.write(key, entry('1', { list: 'open' }), nth(1, `${key}.`))))
          // Some of those that leave were shown before, and some would be shown later.
          const leaving = keys.filter((_, index) => index % 10 === 1 || index % 10 === 8)
          const staying = keys.filter(key => !leaving.includes(key))
          const other = await another()
          let round = 0
          const pages = await everyPage(store, { ...options, limit: 4 }, async () => {
            round += 1
            const writes = staying.map(key =>
              other.write(key, entry(`${round + 1}`, { list: 'open' }), nth(round + 1, `${key}.`)),
            )
            const gone = leaving[round - 1]
            if (gone !== undefined) writes.push(other.write(gone, entry('2'), nth(2, `${gone}.`)))
            writes.push(other.write(`a${round}`, entry('1', { list: 'open' }), { id: `a${round}` }))
            writes.push(other.write(`z${round}`, entry('1', { list: 'open' }), { id: `z${round}` }))
            for (const answer of await Promise.all(writes))
              must(answer.kind === 'written', `"write" gave ${show(answer)}.`)
          })
          mustHaveOnce('The pages', keysOn(pages), staying)
        },
      ),
  ),
  check('shows each document once while others write to it at the same moment', async ({ store, everywhere }) => {
    const stores = await everywhere()
    const keys = upTo(24).map(index => `k${index}`)
    await Promise.all(keys.map(key => store.write(key, entry('1', { list: 'open' }), nth(1, `${key}.`))))
    let isOver = false
    const writers = keys.map(async (key, index) => {
      for (let version = 2; !isOver && version <= 1000; version += 1) {
        await stores[index % stores.length]?.write(key, entry(`${version}`, { list: 'open' }), nth(version, `${key}.`))
        // Each at its own speed.
        for (const _ of upTo(index % 5)) await store.read(key)
      }
    })
    try {
      for (const _ of upTo(5))
        mustHaveOnce('The pages', keysOn(await everyPage(store, { list: 'open', limit: 5 })), keys)
    } finally {
      isOver = true
      await Promise.all(writers)
    }
  }),
  check('lists all documents by the bytes of their keys', async ({ store }) => {
    // biome-ignore format: one list
    const keys = ['a-b', 'a', 'B', 'a.b', 'a b', 'ab', 'a/b', 'A', 'aB', 'ä', 'z', 'Z', '日本', '\ufffd', '🛒', '-', '10', '9', '_', '~']
    for (const [index, key] of keys.entries()) await store.write(key, entry('1'), { id: `w${index}` })
    const sorted = [...keys].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    for (const limit of [1, 3, 100]) {
      const pages = await everyPage(store, { limit })
      same(`All documents in pages of ${limit}`, keysOn(pages), sorted)
      for (const { total } of pages) same('"total" of all', total, keys.length)
    }
  }),
]
