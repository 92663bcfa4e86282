/** Thousands of random worlds in which the store fails. */
import { forEachSeed } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { liveThrough } from './worlds/world.js'

const seeds = Array.from({ length: 1_600 }, (_, at) => String(at + 1))

it('sends nothing twice, says nothing false and loses nothing in thousands of worlds whose store fails', async () => {
  await forEachSeed(seeds, async seed => expect((await liveThrough(seed)).wrong).toEqual([]))
})
