/** Random worlds by the hundred, of which the short test lives through some. */
import { expect, it } from 'vitest'
import { firstFound, liveTruly, mistakes } from './certain.js'

const seeds = (first: number, count: number) => Array.from({ length: count }, (_, at) => String(at + first))

it('a till in ninety worlds: charges nobody twice, and tells each order once and truly', async () => {
  const { told } = await liveTruly(seeds(1, 90))
  expect(told).toEqual(['declined', 'disputed', 'held', 'paid', 'surplus'])
})

it('a till in sixty worlds with 3DS, ways back, changes and payouts: does so as well', async () => {
  await liveTruly(seeds(30, 60), { hasMore: true })
})

it.each(mistakes)('a till that $name: one of sixty worlds shows it', async ({ found, planted }) => {
  expect(await firstFound(planted, seeds(1, 60))).toMatch(found)
})
