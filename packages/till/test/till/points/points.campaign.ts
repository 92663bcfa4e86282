/** A shop with a till is killed before and after every effect of a payment's life; another one takes over. Counted in the gateway's books. */
import { expect, it } from 'vitest'
import { strikePoints } from './campaign.js'
import { type LifeName, lives, namedPoints } from './points.js'

const everyLife = Object.keys(lives) as LifeName[]

it.each(everyLife)('%s: charges once, tells once and leaves nothing unknown, wherever the process dies', async life => {
  const { kills, wrong, never, unnamed } = await strikePoints({
    engines: ['sqlite', 'postgres'],
    lanes: 6,
    lives: [life],
  })
  expect(wrong.join('\n')).toBe('')
  expect(never.join('\n')).toBe('')
  expect(unnamed.join('\n')).toBe('')
  expect(kills).toBe(namedPoints(life).length)
})

// What would not be found proves nothing by not being found.
it.each([
  ['outside', 'sold: 2 customer, after handler', /told was sale paid, sale paid/],
  ['early', 'paid-out: 3 payout, after request payoutPay', /approved|told was|unknown for ever/],
] as const)('finds a planted mistake: %s, at %s', async (planted, only, found) => {
  const life = only.split(':')[0] as LifeName
  const { wrong } = await strikePoints({ engines: ['sqlite'], lanes: 1, lives: [life], planted, only })
  expect(wrong.join('\n')).toMatch(found)
})
