/** How long after a decline the till asks again, by the gateway's clock; and what it learns then. */
import { expect, it } from 'vitest'
import { basket, openShop, type Shop } from './shop.js'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const card = {
  creditCardNumber: '4444444444444448',
  cardPrintedName: 'JOAN BAKER',
  expireMonth: '12',
  expireYear: '2099',
  cvv2: '101',
}

/** A shop whose customer's card was declined. */
async function declined() {
  const shop = await openShop()
  await shop.till.pay({ ...basket, ...card })
  await shop.gateway.callbacks.idle()
  expect(shop.told).toEqual(['basket-7 declined 10.00'])
  return shop
}

/** Time passes in steps, with a round of work after each. */
async function passes(shop: Shop, milliseconds: number, step: number) {
  for (let passed = 0; passed < milliseconds; passed += step) {
    await shop.gateway.clock.advance(step)
    await shop.till.tick()
  }
}

it('asks about a decline after 1, 5 and 30 minutes, 6 hours, and daily for 30 days', async () => {
  const shop = await declined()
  const before = shop.gateway.calls('status')
  const news = Number(before.at(-1)?.at)
  await passes(shop, hour, minute)
  await passes(shop, 60 * day, 3 * hour)
  const asked = shop.gateway
    .calls('status')
    .slice(before.length)
    .map(({ at }) => at - news)
  const daily = Array.from({ length: 30 }, (_, index) => (index + 1) * day)
  const table = [minute, 5 * minute, 30 * minute, 6 * hour, ...daily]
  expect(asked).toHaveLength(table.length)
  for (const [index, at] of table.entries()) {
    expect(Number(asked[index])).toBeGreaterThanOrEqual(at)
    expect(Number(asked[index])).toBeLessThan(at + (at < hour ? 2 * minute : 3 * hour + minute))
  }
  expect(shop.told).toEqual(['basket-7 declined 10.00'])
})

it('learns within a day that a decline was corrected three weeks later, without a callback', async () => {
  const shop = await declined()
  await passes(shop, hour, minute)
  await passes(shop, 21 * day, 3 * hour)
  shop.gateway.faults.arm('callback-never')
  const orderId = shop.gateway.orders.find('basket-7')?.orderId ?? ''
  shop.gateway.act({ action: 'correct', status: 'approved', orderId })
  await passes(shop, day, 3 * hour)
  expect(shop.told).toEqual(['basket-7 declined 10.00', 'basket-7 paid 10.00'])
})
