/**
 * Two engines live in the same worlds. What they ask the gateway for, what they tell the merchant, in which order, how each payment ends and what a
 * person is asked must be the same. Until there is another engine, ours stands beside itself with longer pauses between its questions.
 */
import { expect, it } from 'vitest'
import { compared, pausing } from './compare.js'
import { mistakes } from './mistakes.js'

it('an engine with longer pauses: nothing differs in three worlds, in which things go wrong', async () => {
  const { differing, counts } = await compared([7, 9, 25], pausing(1.07))
  expect(differing).toEqual([])
  for (const kind of ['line ', 'store ', 'wants ', 'callback ']) expect([...counts.keys()].join()).toContain(kind)
})

it.each(mistakes)('an engine that $name: one world shows it', async ({ seed, engine }) => {
  const { differing } = await compared([seed], engine)
  expect(differing).toHaveLength(1)
})
