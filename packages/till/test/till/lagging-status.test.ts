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

/** The answers to deliveries of callbacks after the first one. */
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

describe('a return that never reached the gateway, beside an equal one that is not ours', () => {
  const lost = async ({ shop }: Awaited<ReturnType<typeof paidShop>>) => {
    shop.gateway.faults.arm({ fault: 'drop', operation: 'return' })
    await shop.till.return('basket-7', { amount: '2.00', key: 'parcel-2' })
  }

  it.each([
    [
      'made at the screens of the gateway',
      async (made: Awaited<ReturnType<typeof paidShop>>) => {
        const { shop, orderId } = made
        await shop.till.return('basket-7', { amount: '2.00', key: 'parcel-1' })
        await passes(shop, minute)
        await lost(made)
        shop.gateway.act({ orderId, action: 'reverse', amount: '2.00', toldApartBy: 'codes' })
      },
    ],
    [
      'an earlier one that was repeated on its way',
      async (made: Awaited<ReturnType<typeof paidShop>>) => {
        const { shop } = made
        shop.gateway.faults.arm({ fault: 'repeated-on-the-way', operation: 'return', delay: 5 * minute })
        await shop.till.return('basket-7', { amount: '2.00', key: 'parcel-1' })
        await passes(shop, minute)
        await lost(made)
      },
    ],
  ])('is not taken for that one, %s: a person is asked', async (_, live) => {
    const made = await paidShop()
    const { shop, orderId } = made
    await live(made)
    for (let round = 0; round < 8; round += 1) await passes(shop, minute)
    await passes(shop, 26 * 60 * minute)
    const { stages = [] } = shop.gateway.orders.find(orderId) ?? {}
    expect(stages.filter(({ stage }) => stage === 'reversal')).toHaveLength(2)
    const { unknown, needsPerson } = await shop.till.report()
    expect([unknown.total, needsPerson.total]).toEqual([1, 1])
  })
})
