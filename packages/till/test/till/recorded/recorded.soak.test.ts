/**
 * Worlds that were recorded, of which the short test lives through some. `WORLDS=1000 npm run soak -- packages/till/test/till/recorded` lives through
 * that many; with `RECORD=1` it writes down what came of them.
 */
import { expect, it } from 'vitest'
import { createTill } from '../../../src/index.js'
import { mistakes } from './mistakes.js'
import { differencesIn, record, recordedCount } from './recorded.js'

const { WORLDS, RECORD } = process.env
const many = Number(WORLDS ?? 150)
const seeds = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

// A thousand worlds take five minutes where nothing else runs.
it(`${many} worlds come to what was recorded of them`, { timeout: 1_800_000 }, async () => {
  if (RECORD !== undefined) await record(many)
  expect(recordedCount()).toBeGreaterThanOrEqual(many)
  // Half of what would be needed, where they were written down just now.
  expect(await differencesIn(seeds(RECORD === undefined ? many : 40), createTill)).toEqual([])
})

it.each(mistakes)('a till that $name: one of forty worlds shows it', async ({ engine }) => {
  const shown = async (seed: number) => (await differencesIn([seed], engine)).length > 0
  let seed = 1
  while (seed <= 40 && !(await shown(seed))) seed += 1
  expect(seed).toBeLessThanOrEqual(40)
})
