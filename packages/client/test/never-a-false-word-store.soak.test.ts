/** Hundreds of random worlds in which the store fails. */
import { forEachSeed } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { liveThrough } from './worlds/world.js'

const hundreds = [0, 1].map(each => each * 100)

it.each(hundreds)(
  'a hundred worlds whose store fails, after the first %i: nothing is sent twice, false or lost',
  async first => {
    const seeds = Array.from({ length: 100 }, (_, at) => String(first + at + 1))
    await forEachSeed(seeds, async seed => expect((await liveThrough(seed)).wrong).toEqual([]))
  },
)
