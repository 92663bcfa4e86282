/** A decline that the gateway corrects to approved is money like any other: it is captured, returned and released, counted in its books. */
import { createClient } from '@tillkit/client'
import { describe, expect, it } from 'vitest'
import { ada, chargedShop, minute, passes, sent, stages } from './acts.js'
import { basket, openShop, type Shop } from './shop.js'

/** A shop whose basket was declined, and approved since. What was told of that is forgotten. */
async function lateShop(hold = false) {
  const shop = await openShop()
  await shop.customerPays((await shop.till.pay({ ...basket, hold })).address, '101')
  await shop.gateway.callbacks.idle()
  const { orderId = '' } = shop.gateway.orders.find('basket-7') ?? {}
  shop.gateway.act({ action: 'correct', status: 'approved', orderId })
  await passes(shop, 60 * minute)
  expect(shop.told.splice(0)).toEqual(['basket-7 declined 10.00', `basket-7 ${hold ? 'held' : 'paid'} 10.00`])
  return shop
}

describe('a sale that was approved late', () => {
  it('has totals, and is returned in parts and then the rest, once each', async () => {
    const shop = await lateShop()
    expect(await shop.till.payment('basket-7')).toMatchObject({
      state: 'paid',
      totals: { captured: '10.00', returnable: '10.00' },
      allowed: { return: 'reversal' },
    })
    for (let times = 0; times < 2; times += 1) {
      await shop.till.return('basket-7', { amount: '3.00', key: 'parcel-2' })
      await passes(shop)
    }
    await expect(shop.till.return('basket-7', { amount: '8.00', key: 'parcel-3' })).rejects.toMatchObject({
      code: 'ERR_NOT_POSSIBLE',
    })
    for (let times = 0; times < 2; times += 1) {
      await shop.till.return('basket-7')
      await passes(shop)
    }
    expect(stages(shop).slice(1)).toEqual(['reversal 3.00 approved', 'reversal 7.00 approved'])
    expect(shop.told).toEqual(['basket-7 returned 3.00', 'basket-7 returned 7.00'])
    expect((await shop.till.payment('basket-7')).state).toBe('returned')
    await expect(shop.till.pay(basket)).rejects.toMatchObject({ code: 'ERR_PAYMENT_OVER' })
  })

  it('gives no more back than it took, by two parts at once', async () => {
    const shop = await lateShop()
    const parts = ['parcel-2', 'parcel-3'].map(key => shop.till.return('basket-7', { amount: '6.00', key }))
    const results = await Promise.allSettled(parts)
    await passes(shop)
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(stages(shop).slice(1)).toEqual(['reversal 6.00 approved'])
    expect(shop.gateway.calls('return')).toHaveLength(1)
  })
})

describe('a hold that was approved late', () => {
  it('is captured in parts, as far as it goes', async () => {
    const shop = await lateShop(true)
    await shop.till.capture('basket-7', { amount: '4.00', key: 'parcel-1' })
    await passes(shop)
    await shop.till.capture('basket-7')
    await passes(shop)
    expect(stages(shop).slice(1)).toEqual(['capture 4.00 approved', 'capture 6.00 approved'])
    expect(shop.told).toEqual(['basket-7 paid 4.00', 'basket-7 paid 6.00'])
  })

  it('is released, and then the next order is held', async () => {
    const shop = await lateShop(true)
    await shop.till.void('basket-7')
    await passes(shop)
    expect((await shop.till.payment('basket-7')).state).toBe('released')
    await shop.customerPays((await shop.till.pay({ ...basket, hold: true })).address)
    await shop.gateway.callbacks.idle()
    expect(shop.told).toEqual(['basket-7 released 10.00', 'basket-7 held 10.00'])
    expect(shop.books()).toEqual(['basket-7 preauth approved, void approved', 'basket-7.2r preauth approved'])
  })
})

describe('a change that failed, and that the gateway approved later', () => {
  it.each([
    ['a part of a return', { amount: '3.00', key: 'parcel-2' }, '3.00', 'returned'],
    ['a whole return', undefined, '10.00', 'returned'],
  ])('is not sent again, though no callback came: %s', async (_, part, amount, told) => {
    const shop = await openShop()
    await shop.customerPays((await shop.till.pay(basket)).address)
    await shop.gateway.callbacks.idle()
    shop.gateway.outcomes.plan({ outcome: 'declined', operation: 'return' })
    await shop.till.return('basket-7', part)
    await passes(shop)
    expect(shop.told).toEqual(['basket-7 paid 10.00', `basket-7 failed ${amount}`])
    shop.gateway.faults.arm('callback-never')
    const { orderId = '' } = shop.gateway.orders.find('basket-7') ?? {}
    shop.gateway.act({ action: 'correct', status: 'approved', orderId })
    expect(await shop.till.return('basket-7', part)).toMatchObject({ again: true })
    await passes(shop)
    expect(shop.gateway.calls('return')).toHaveLength(1)
    expect(stages(shop)).toEqual(['sale 10.00 approved', `reversal ${amount} approved`])
    expect(shop.told).toContain(`basket-7 ${told} ${amount}`)
  })
})

describe('a change that was approved, and that the gateway declined later', () => {
  /** Its last stage is corrected, and a callback says so; nobody else heard of it. */
  async function correct(shop: Shop) {
    const { orderId = '' } = shop.gateway.orders.find('basket-7') ?? {}
    shop.gateway.act({ action: 'correct', status: 'declined', orderId })
    await passes(shop)
  }

  it.each([
    ['a part of a return', 'return', { amount: '3.00', key: 'parcel-2' }, 'reversal 3.00', 'returned 3.00', 'paid'],
    ['a whole return', 'return', undefined, 'reversal 10.00', 'returned 10.00', 'paid'],
    ['a capture', 'capture', undefined, 'capture 10.00', 'paid 10.00', 'held'],
  ] as const)('is told, and a person is asked: %s', async (_, name, part, stage, told, before) => {
    const shop = await chargedShop(name === 'capture')
    await shop.till[name]('basket-7', part)
    await passes(shop)
    await correct(shop)
    const amount = part?.amount ?? '10.00'
    expect(shop.told.splice(0)).toEqual([`basket-7 ${told}`, `basket-7 disputed ${amount}`])
    expect((await shop.till.report()).needsPerson.items).toMatchObject([{ reference: 'basket-7' }])
    await expect(shop.till[name]('basket-7', part)).rejects.toMatchObject({ code: 'ERR_NOT_POSSIBLE' })
    expect(await shop.till.decide('basket-7', { kind: 'settled', outcome: 'declined', ...ada })).toMatchObject({
      kind: 'done',
      payment: { state: before, needsPerson: undefined },
    })
    // Now it is tried again: a part under a key of its own.
    await shop.till[name]('basket-7', part === undefined ? undefined : { ...part, key: 'parcel-3' })
    await passes(shop)
    expect(shop.told).toEqual([`basket-7 failed ${amount}`, `basket-7 ${told}`])
    expect(stages(shop).slice(1)).toEqual([`${stage} declined`, `${stage} approved`])
    expect(sent(shop, name)).toBe(2)
  })

  it('is found by asking, where no callback came', async () => {
    const shop = await chargedShop()
    await shop.till.return('basket-7')
    await passes(shop)
    shop.gateway.faults.arm('callback-never')
    await correct(shop)
    expect((await shop.till.payment('basket-7')).state).toBe('returned')
    expect(await shop.till.ask('basket-7')).toMatchObject({ state: 'disputed', needsPerson: expect.any(String) })
  })

  it('stands where somebody else tried the same in vain', async () => {
    const shop = await chargedShop()
    await shop.till.return('basket-7', { amount: '3.00', key: 'parcel-2' })
    await passes(shop)
    shop.gateway.outcomes.plan({ outcome: 'declined', operation: 'return' })
    const { orderId = '' } = shop.gateway.orders.find('basket-7') ?? {}
    const other = createClient(shop.gateway.clientOptions)
    await other.return({ clientOrderId: 'basket-7', orderId, amount: '3.00', currency: 'EUR' })
    await passes(shop)
    expect(await shop.till.ask('basket-7')).toMatchObject({ state: 'paid', totals: { returned: '3.00' } })
    expect(shop.told).toEqual(['basket-7 returned 3.00'])
  })
})
