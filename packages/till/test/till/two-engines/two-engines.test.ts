/**
 * Two engines live in the same worlds. What they ask the gateway for, what they tell the merchant, in which order, how each payment ends and what a
 * person is asked must be the same. One of them is the old engine, the other lives what `who.ts` gives to the new one.
 */
import { expect, it } from 'vitest'
import { createTill } from '../../../src/index.js'
import { compared } from './compare.js'
import { mistakes } from './mistakes.js'

it('two engines: nothing differs in three worlds, in which things go wrong', async () => {
  const { differing, counts } = await compared([7, 9, 25], createTill)
  expect(differing).toEqual([])
  for (const kind of ['line ', 'store ', 'wants ', 'callback ']) expect([...counts.keys()].join()).toContain(kind)
})

it.each(mistakes)('an engine that $name: one world shows it', async ({ seed, engine }) => {
  const { differing } = await compared([seed], engine)
  expect(differing).toHaveLength(1)
})
