/** Thousands of random worlds in which the store fails: those that the short test has not lived through. */
import { forEachSeed } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { liveThrough } from './worlds/world.js'

const seeds = Array.from({ length: 1_500 }, (_, at) => String(at + 1_001))

it('sends nothing twice, says nothing false and loses nothing in thousands of worlds whose store fails', async () => {
  await forEachSeed(seeds, async seed => expect((await liveThrough(seed)).wrong).toEqual([]))
}, 900_000)
