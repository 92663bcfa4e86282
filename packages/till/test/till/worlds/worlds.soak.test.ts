/** Random worlds by the hundred: those that the short test has not lived through. */
import { forEachSeed } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { liveThrough } from './world.js'

const seeds = Array.from({ length: 150 }, (_, at) => String(at + 1_001))

it('charges nobody twice, and tells each order once and truly, in a hundred and fifty worlds', async () => {
  await forEachSeed(seeds, async seed => expect((await liveThrough(seed)).wrong).toEqual([]))
}, 900_000)

it('does so in a hundred worlds with 3DS, ways back, changes and payouts', async () => {
  await forEachSeed(seeds.slice(0, 100), async seed =>
    expect((await liveThrough(seed, {}, { hasMore: true })).wrong).toEqual([]),
  )
}, 900_000)
