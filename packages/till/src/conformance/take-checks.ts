import type { TakeOptions } from '../store/store.js'
import { check, type StoreCheck, type StoreCheckContext, until } from './context.js'
import { entry, keysOf, must, mustBeWritten, same, sameDocument, show, upTo } from './expectations.js'

/** Long enough that no check outlasts it, and over at once; in milliseconds. */
const long = 600_000
const short = 1

/** Writes documents whose dates lie so many milliseconds before now; null: no date. */
async function writeDue({ store }: StoreCheckContext, dates: Readonly<Record<string, number | null>>): Promise<number> {
  const { at } = await store.read('now')
  for (const [key, ago] of Object.entries(dates)) {
    const due = ago === null ? null : at - ago
    const written = await store.write(key, entry(show(key), { due }), { id: encodeURIComponent(key) })
    mustBeWritten('"write"', written, 1)
  }
  return at
}

async function mustTake(
  { store }: StoreCheckContext,
  what: string,
  keys: readonly string[],
  options: Partial<TakeOptions> = {},
) {
  const { at, items } = await store.take({ limit: 100, hold: long, ...options })
  must(Number.isSafeInteger(at), `"take" gave "at" ${at}; expected whole milliseconds.`)
  same(`"take" ${what}`, keysOf(items), keys)
  return { at, items }
}

/** Dates. */
export const takeChecks: readonly StoreCheck[] = [
  check('takes what is due, the earliest first, and no more than asked for', async context => {
    await writeDue(context, { d: 1000, b: 3000, e: 0, a: 4000, c: 2000 })
    await mustTake(context, 'of at most 2', ['a', 'b'], { limit: 2 })
    await mustTake(context, 'of at most 2 more', ['c', 'd'], { limit: 2 })
    await mustTake(context, 'of the rest', ['e'], { limit: 2 })
  }),
  check('takes the latest first where it is asked to', async context => {
    await writeDue(context, { d: 1000, b: 3000, never: null, e: 0, later: -long, a: 4000, c: 2000 })
    await mustTake(context, 'of the latest 2', ['e', 'd'], { limit: 2, latest: true })
    await mustTake(context, 'of the earliest 2, then', ['a', 'b'], { limit: 2 })
    await mustTake(context, 'of the rest', ['c'], { limit: 9, latest: true })
  }),
  check('takes nothing that is not due', async context => {
    await writeDue(context, { never: null, later: -long, now: 0 })
    await mustTake(context, 'with one document due', ['now'])
  }),
  check('takes what falls due while it waits', async context => {
    const at = await writeDue(context, { soon: -30 })
    await until(context, at + 30)
    await mustTake(context, 'after its date has come', ['soon'])
  }),
  check('takes only documents whose keys begin as it was asked, and leaves the others their dates', async context => {
    // A pattern of SQL or of a shell would take some of these keys as well; others have another case, a letter of several bytes,
    // or are too short.
    const others = ['a/1', 'ab%/1', 'abc/1', 'aB_/1', 'ab*/1', 'ab_', 'ä/1', 'x/ab_/1']
    const dates = Object.fromEntries([...others, 'ab_/1', 'ab_/2', 'ß/1'].map((key, index) => [key, 9000 - index]))
    await writeDue(context, dates)
    await mustTake(context, 'of what nothing begins with', [], { prefixes: ['nothing/'] })
    await mustTake(context, 'of at most 1 of one beginning', ['ab_/1'], { limit: 1, prefixes: ['ab_/'] })
    await mustTake(context, 'of two beginnings', ['ab_/2', 'ß/1'], { prefixes: ['ß/', 'ab_/'] })
    await mustTake(context, 'of all, after some were taken', others)
  }),
  check('leaves the version and the write id of what it takes', async context => {
    await writeDue(context, { a: 1 })
    const { items } = await mustTake(context, 'of what is due', ['a'])
    sameDocument('"take"', items[0], { key: 'a', version: 1, writeId: 'a', body: '"a"' })
    sameDocument('"read" after it', (await context.store.read('a')).stored, items[0])
    mustBeWritten('A write on top', await context.store.write('a', entry('2'), { after: 'a', id: 'w' }), 2)
  }),
  check('hides what it takes until its time is over', async context => {
    await writeDue(context, { long: 5000, short: 4000 })
    await mustTake(context, 'of the first', ['long'], { limit: 1 })
    const { at } = await mustTake(context, 'of the second', ['short'], { limit: 1, hold: short })
    for (const store of await context.everywhere()) {
      const { items } = await store.take({ limit: 9, hold: short })
      must(!items.some(({ key }) => key === 'long'), 'A document was handed out again before its time was over.')
    }
    await until(context, at + 50)
    await mustTake(context, 'after the time of one is over', ['short'])
  }),
  check('hands each document that is due to one of many who take at once', async context => {
    const stores = await context.everywhere()
    const count = context.concurrency * 10
    await writeDue(context, Object.fromEntries(upTo(count).map(index => [`k${index}`, index])))
    const taken: string[] = []
    await Promise.all(
      upTo(context.concurrency).map(async index => {
        for (let isOver = false; !isOver; ) {
          const { items } = await stores[index % stores.length]!.take({ limit: 3, hold: long })
          must(items.length <= 3, `"take" of at most 3 gave ${items.length}.`)
          taken.push(...keysOf(items))
          isOver = items.length === 0
        }
      }),
    )
    // "take" may find none while others are at work on the rows that are left: they are due still.
    for (let isOver = false; !isOver; ) {
      const { items } = await context.store.take({ limit: 100, hold: long })
      taken.push(...keysOf(items))
      isOver = items.length === 0
    }
    const twice = taken.length - new Set(taken).size
    must(twice === 0, `${twice} of ${count} documents were handed out twice.`)
    same('The number of documents that were handed out', taken.length, count)
  }),
  check('lets a write set the date of what is hidden', async context => {
    const now = await writeDue(context, { early: 3000, never: 2000, late: 1000 })
    const { at } = await mustTake(context, 'of what is due', ['early', 'never', 'late'], { hold: short })
    const dates = { early: now - 10, never: null, late: now + long }
    for (const [key, due] of Object.entries(dates)) {
      const options = { after: key, id: `${key}.2` }
      mustBeWritten('"write"', await context.store.write(key, entry('2', { due }), options), 2)
    }
    await until(context, at + 50)
    await mustTake(context, 'after writes set the dates', ['early'])
  }),
  check('lets a write bring back what is hidden for long', async context => {
    const now = await writeDue(context, { a: 1000, b: 500 })
    await mustTake(context, 'of what is due', ['a', 'b'])
    mustBeWritten('"write"', await context.store.write('a', entry('2', { due: now }), { after: 'a', id: 'a.2' }), 2)
    await mustTake(context, 'after a write set the date', ['a'])
  }),
  check('postpones without a new version or write id, and keeps body and list', async context => {
    const { store, another } = context
    const { at } = await store.read('a')
    await store.write('a', entry('"a"', { due: at, list: 'open' }), { id: 'w1' })
    await (await another()).postpone('a', 'w1', at + long)
    await mustTake(context, 'after it was put off', [])
    const there = { key: 'a', version: 1, writeId: 'w1', body: '"a"' }
    sameDocument('"read" after "postpone"', (await store.read('a')).stored, there)
    sameDocument('"list" after "postpone"', (await store.list({ list: 'open', limit: 9 })).items[0], there)
    await store.postpone('a', 'w1', at - 1)
    await mustTake(context, 'after its date was set to the past', ['a'])
    await store.postpone('a', 'w1', at - 1)
    await mustTake(context, 'of what was hidden, after "postpone" set its date', ['a'])
    mustBeWritten('A write on top', await store.write('a', entry('2'), { after: 'w1', id: 'w2' }), 2)
  }),
  check('postpones nothing after a write that is not the last one', async context => {
    const { store, another } = context
    const at = await writeDue(context, { a: null, b: 0 })
    await (await another()).write('a', entry('2'), { after: 'a', id: 'a.2' })
    for (const after of ['a', 'never-was', 'A.2', 'a.%']) await store.postpone('a', after, at - 1000)
    for (const after of ['never-was', 'B', 'a']) await store.postpone('b', after, at + long)
    await store.postpone('none', 'a', at - 1000)
    await mustTake(context, 'after "postpone" with the ids of other writes', ['b'])
    const there = { key: 'a', version: 2, writeId: 'a.2', body: '2' }
    sameDocument('"read" after it', (await store.read('a')).stored, there)
    same('"read" of what was only postponed', (await store.read('none')).stored, undefined)
  }),
]
