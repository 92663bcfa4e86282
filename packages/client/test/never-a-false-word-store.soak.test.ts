/** A hundred random worlds in which the store fails, and mistakes that such worlds find. */
import { memoryStore } from '@tillkit/protocol'
import { forEachSeed } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { liveThrough, type Planted } from './worlds/world.js'

it('a hundred worlds whose store fails: nothing is sent twice, false or lost', async () => {
  const seeds = Array.from({ length: 100 }, (_, at) => String(at + 1))
  await forEachSeed(seeds, async seed => expect((await liveThrough(seed)).wrong).toEqual([]))
})

/** The mistake that is planted, what must be found, and the seed of the first world that finds it. */
const mistakes: readonly (readonly [string, RegExp, number, Planted])[] = [
  [
    'writes after any write',
    /sent again|not carried out|in place of|cannot be/,
    8,
    {
      store: store => ({
        ...store,
        async write(key, entry, { id }) {
          const { stored } = await store.read(key)
          return store.write(key, entry, { after: stored?.writeId, id })
        },
      }),
    },
  ],
  [
    'says that it has written before it has',
    /sent again|in place of|cannot be/,
    1,
    {
      view: store => ({
        ...store,
        async write(key, entry, options) {
          const { at, stored } = await store.read(key)
          store.write(key, entry, options).catch(() => {})
          return { kind: 'written', version: (stored?.version ?? 0) + 1, at }
        },
      }),
    },
  ],
  ['is the memory of one process', /sent again/, 1, { view: () => memoryStore() }],
  [
    'has a clock that runs fast',
    /it was carried out|sent again/,
    31,
    {
      store: (store, clock) => ({
        ...store,
        async read(key) {
          const { at, stored } = await store.read(key)
          return { at: at + 1_000 * (clock.now() - clock.base()), stored }
        },
      }),
    },
  ],
  [
    'says that it has written what it has not',
    /sent again|in place of|cannot be/,
    8,
    {
      view: store => ({
        ...store,
        async write(key, entry, options) {
          const written = await store.write(key, entry, options)
          if (written.kind === 'written') return written
          return { kind: 'written', version: (written.current?.version ?? 0) + 1, at: written.at }
        },
      }),
    },
  ],
]

describe('a world finds the mistake', () => {
  it.each(mistakes)('of a store that %s', async (_, message, first, planted) => {
    expect(await firstFound(planted, first)).toMatch(message)
  })

  it('of a person who does not look', async () => {
    expect(await firstFound({ person: () => 'not-sent' }, 8)).toMatch(/sent again/)
  })
})

/** What was wrong in the first world that shows the mistake, of a hundred. */
async function firstFound(planted: Planted, first: number): Promise<string> {
  for (let seed = first; seed < first + 100; seed += 1) {
    const { wrong } = await liveThrough(String(seed), planted)
    if (wrong.length > 0) return wrong.join('\n')
  }
  return 'nothing'
}
