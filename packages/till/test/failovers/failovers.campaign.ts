/** Primaries are lost while processes take payments. `npm run failovers` loses three hundred. */
import { expect, it } from 'vitest'
import { failovers } from './campaign.js'

it('ten primaries are lost: each payment is charged and told once, and nothing that was acknowledged is gone', async () => {
  const { figures, violations } = await failovers({ times: 10, seed: 5, processes: 4, payments: 6 })
  expect(violations.join('\n')).toBe('')
  expect(Object.values(figures).map(each => each.failovers)).toEqual([5, 3, 2])
  for (const { payments, charges } of Object.values(figures)) expect(charges).toBe(payments)
  for (const { triedAlone } of [figures['cut-off'], figures.waiting]) expect(triedAlone).toBeGreaterThan(1)
  expect(figures.waiting.cancelled).toBeGreaterThan(5)
})

// A campaign that cannot find a planted mistake proves nothing by finding none.
it.each([
  ['deaf', 'waiting'],
  ['asynchronous', 'cut-off'],
] as const)('finds a planted mistake: %s, primary %s', async (planted, loss) => {
  const { violations } = await failovers({ times: 1, seed: 5, processes: 2, payments: 4, losses: [loss], planted })
  expect(violations.join('\n')).toMatch('a primary that was alone has acknowledged a write')
  expect(violations.join('\n')).toMatch(/was acknowledged, and the store has (?:none|\d|another)/)
})
