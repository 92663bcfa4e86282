/** A shop with a till is killed before and after every effect of a payment's life; another one takes over. Counted in the gateway's books. */
import { expect, it } from 'vitest'
import { strikePoints } from './campaign.js'
import { type LifeName, lives, namedPoints } from './points.js'

// Half of the points, the other half the next day: `npm run kills:till` in packages/till strikes them all.
it('charges once, tells once and leaves nothing unknown, wherever the process dies', async () => {
  const points = (Object.keys(lives) as LifeName[]).flatMap(namedPoints)
  const { kills, wrong, never, unnamed } = await strikePoints({ engines: ['sqlite', 'postgres'], lanes: 6, parts: 2 })
  expect(wrong.join('\n')).toBe('')
  expect(never.join('\n')).toBe('')
  expect(unnamed.join('\n')).toBe('')
  // They are dealt to four in turn, so a half may have one less than the other.
  expect(kills).toBeGreaterThanOrEqual(Math.floor(points.length / 2) - 1)
})

// A campaign that cannot find a planted mistake proves nothing by finding none.
it.each([
  ['outside', 'sold: 2 customer, after handler', /told was sale paid, sale paid/],
  ['early', 'paid-out: 3 payout, after request payoutPay', /approved|told was|unknown for ever/],
] as const)('finds a planted mistake: %s, at %s', async (planted, only, found) => {
  const life = only.split(':')[0] as LifeName
  const { wrong } = await strikePoints({ engines: ['sqlite'], lanes: 1, lives: [life], planted, only })
  expect(wrong.join('\n')).toMatch(found)
})
