/** A gateway that says approved, and over how much only later. What the merchant was told in between is put right. */
import { expect, it } from 'vitest'
import { ada, minute, passes, stages } from './acts.js'
import { basket, openShop } from './shop.js'

const hour = 60 * minute

async function boughtWithoutAmount(hold = false) {
  const shop = await openShop()
  shop.gateway.faults.arm({ fault: 'amount-later', delay: 2 * hour })
  await shop.customerPays((await shop.till.pay({ ...basket, hold })).address)
  await shop.gateway.callbacks.idle()
  return shop
}

it.each([
  [false, 'paid'],
  [true, 'held'],
])(
  'tells what it is once the amount has come, without a callback and without a person (hold: %s)',
  async (hold, kind) => {
    const shop = await boughtWithoutAmount(hold)
    expect(shop.told).toEqual(['basket-7 disputed'])
    await passes(shop, hour)
    expect((await shop.till.payment('basket-7')).state).toBe('disputed')
    await passes(shop, 24 * hour)
    expect(shop.told).toEqual(['basket-7 disputed', `basket-7 ${kind} 10.00`])
    expect((await shop.till.payment('basket-7')).state).toBe(kind)
    await passes(shop, 24 * hour)
    expect(shop.told).toHaveLength(2)
  },
)

it('gives the money back that came without an amount, once the amount is known', async () => {
  const shop = await boughtWithoutAmount()
  await passes(shop, 24 * hour)
  await shop.till.return('basket-7')
  await passes(shop)
  expect(shop.told.slice(1)).toEqual(['basket-7 paid 10.00', 'basket-7 returned 10.00'])
  expect(stages(shop)).toEqual(['sale 10.00 approved', 'reversal 10.00 approved'])
})

it('tells it once, where a person was quicker than the gateway', async () => {
  const shop = await boughtWithoutAmount()
  expect(await shop.till.questions('basket-7')).toMatchObject([{ kind: 'disputed' }])
  await shop.till.decide('basket-7', { kind: 'settled', outcome: 'approved', ...ada })
  await passes(shop, 24 * hour)
  expect(shop.told).toHaveLength(2)
})

it('is read in the timeline in the order in which it happened', async () => {
  const shop = await boughtWithoutAmount()
  await passes(shop, 24 * hour)
  const { timeline } = await shop.till.payment('basket-7')
  expect(timeline.slice(-4).map(({ text }) => text)).toEqual([
    'The gateway said that the sale is approved.',
    'The handler was told that the sale is disputed.',
    'The gateway said that the sale over 10.00 EUR is approved.',
    'The handler was told that the sale over 10.00 EUR is approved.',
  ])
})
