/**
 * Callbacks that overtake status. The specification (section 6) says that the merchant can fetch the outcome after a callback, and not that
 * status knows it by then. What was told is compared with the gateway's books.
 *
 * @module
 */
import { describe, expect, it } from 'vitest'
import { passes } from './acts.js'
import { basket, openShop } from './shop.js'

const minute = 60_000

async function paidShop() {
  const shop = await openShop()
  const { address } = await shop.till.pay(basket)
  await shop.customerPays(address)
  await shop.gateway.callbacks.idle()
  expect(shop.told).toEqual(['basket-7 paid 10.00'])
  const { orderId = '' } = shop.gateway.orders.find('basket-7') ?? {}
  return { shop, orderId }
}

/** What became of deliveries of callbacks after the first one. */
const answers = ({ gateway }: Awaited<ReturnType<typeof openShop>>) =>
  gateway.callbacks
    .list()
    .slice(1)
    .map(({ httpStatus }) => httpStatus)

describe('a change whose callback comes before status shows it', () => {
  it.each([
    ['a chargeback', { action: 'charge-back' }, 'basket-7 chargeback 10.00'],
    ['a part that was given back', { action: 'reverse', amount: '4.00' }, 'basket-7 returned 4.00'],
    ['a correction', { action: 'correct', status: 'declined' }, 'basket-7 disputed 10.00'],
  ] as const)('is told once status shows it: %s', async (_, action, line) => {
    const { shop, orderId } = await paidShop()
    shop.gateway.faults.arm({ fault: 'callback-before-status', questions: 2 })
    shop.gateway.act({ orderId, ...action })
    await shop.gateway.callbacks.idle()
    expect(shop.told).toHaveLength(1)
    for (let round = 0; round < 4; round += 1) await passes(shop, minute)
    expect(shop.told).toEqual(['basket-7 paid 10.00', line])
    expect(answers(shop).at(0)).toBe(503)
    expect(answers(shop).at(-1)).toBe(200)
  })

  it('is told where status by no number shows a later one: the sale is corrected after a part was charged back', async () => {
    const { shop, orderId } = await paidShop()
    shop.gateway.act({ orderId, action: 'charge-back', amount: '4.00' })
    await shop.gateway.callbacks.idle()
    shop.gateway.act({ orderId, action: 'correct', stage: 1, status: 'declined' })
    await shop.gateway.callbacks.idle()
    expect(shop.told.slice(1)).toEqual(['basket-7 chargeback 4.00', 'basket-7 disputed 10.00'])
    expect(answers(shop)).toEqual([200, 200])
  })
})

it('a callback about what was told long ago is taken, and tells nothing', async () => {
  const { shop, orderId } = await paidShop()
  shop.gateway.act({ orderId, action: 'charge-back', amount: '4.00' })
  await shop.gateway.callbacks.idle()
  for (const _ of [1, 2]) await shop.gateway.callbacks.resend(orderId)
  expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 chargeback 4.00'])
  expect(answers(shop)).toEqual([200, 200, 200])
})

describe('equal movements at the screens of the gateway', () => {
  it.each([
    ['returns', 'reverse', 'returned'],
    ['chargebacks', 'charge-back', 'chargeback'],
  ] as const)('%s are told once each, by their codes', async (_, action, kind) => {
    const { shop, orderId } = await paidShop()
    await shop.till.return('basket-7', { amount: '2.00', key: 'parcel-1' })
    await passes(shop, minute)
    for (const amount of ['2.00', '3.00', '2.00']) {
      shop.gateway.act({ orderId, action, amount, toldApartBy: 'codes' })
      await passes(shop, minute)
    }
    expect(shop.told.slice(1)).toEqual([
      'basket-7 returned 2.00',
      ...['2.00', '3.00', '2.00'].map(amount => `basket-7 ${kind} ${amount}`),
    ])
    for (let round = 0; round < 3; round += 1) await passes(shop, 60 * minute)
    expect(shop.told).toHaveLength(5)
    // Others may have been made that status never showed: there is no certain sum.
    expect((await shop.till.payment('basket-7')).totals).toBeUndefined()
  })
})

it('a return whose answer is lost is told by its codes beside an equal one, and nobody is asked', async () => {
  const { shop, orderId } = await paidShop()
  await shop.till.return('basket-7', { amount: '2.00', key: 'parcel-1' })
  await passes(shop, minute)
  shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'return' })
  await shop.till.return('basket-7', { amount: '2.00', key: 'parcel-2' })
  for (let round = 0; round < 4; round += 1) await passes(shop, minute)
  expect(shop.told.slice(1)).toEqual(['basket-7 returned 2.00', 'basket-7 returned 2.00'])
  const { stages = [] } = shop.gateway.orders.find(orderId) ?? {}
  expect(stages.filter(({ stage }) => stage === 'reversal')).toHaveLength(2)
  const { unknown, needsPerson } = await shop.till.report()
  expect([unknown.total, needsPerson.total]).toEqual([0, 0])
})
