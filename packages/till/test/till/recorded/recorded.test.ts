/**
 * Worlds in which things go wrong, lived once more: what the gateway is asked for, what the merchant is told, in which order, how each payment ends
 * and what a person is asked is what was recorded. `CONTRIBUTING.md` says how to record anew.
 */
import { expect, it } from 'vitest'
import { createTill } from '../../../src/index.js'
import { mistakes } from './mistakes.js'
import { differencesIn } from './recorded.js'

it('eight worlds come to what was recorded of them', async () => {
  const counts = new Map<string, number>()
  expect(await differencesIn([1, 3, 5, 7, 9, 10, 25, 29], createTill, counts)).toEqual([])
  for (const kind of ['line ', 'store ', 'wants ', 'callback ', 'follows '])
    expect([...counts.keys()].join()).toContain(kind)
})

it.each(mistakes)('a till that $name: one world shows it', async ({ seed, engine }) => {
  expect(await differencesIn([seed], engine)).toHaveLength(1)
})
