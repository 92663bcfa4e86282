/** A hundred random worlds in which the store fails. */
import { forEachSeed } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { liveThrough } from './worlds/world.js'

it('a hundred worlds whose store fails: nothing is sent twice, false or lost', async () => {
  const seeds = Array.from({ length: 100 }, (_, at) => String(at + 1))
  await forEachSeed(seeds, async seed => expect((await liveThrough(seed)).wrong).toEqual([]))
})
