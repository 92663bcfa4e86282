/**
 * Orders that the gateway has twice under one id of the merchant's, as where a proxy repeats a request, or a store that was restored has lost
 * the first one. Their money is the payment's. Counted in the gateway's books.
 */
import { describe, expect, it } from 'vitest'
import type { TillOutcome } from '../../src/index.js'
import { minute, passes } from './acts.js'
import { byHand } from './adoption.js'
import { basket, byCard, openShop, type Shop, type ShopOptions } from './shop.js'

/** Something between the shop and the gateway sends the request of the basket once more. */
const repeats = (shop: Shop, cvv2?: string): Promise<string> =>
  byHand(shop, 'basket-7', { callbacks: true, ...(cvv2 === undefined ? {} : { cvv2 }) })

const shopWith = async (options: ShopOptions<never> = {}) => {
  const outcomes: TillOutcome[] = []
  const shop = await openShop({ ...options, onOutcome: outcome => void outcomes.push(outcome) })
  return { shop, outcomes }
}

const settles = async (shop: Shop): Promise<void> => {
  for (let round = 0; round < 4; round += 1) await passes(shop, minute)
}

/** The orders that the gateway has charged, by its own ids. */
const charged = ({ gateway }: Shop): readonly string[] =>
  gateway.orders
    .list()
    .filter(({ stages }) => stages.some(({ status }) => status === 'approved'))
    .map(({ orderId }) => orderId)

describe('a second order under the id of the first', () => {
  it('is told as surplus, stands first in the report, and is given back by its name', async () => {
    const { shop, outcomes } = await shopWith()
    const { till } = shop
    await till.pay(byCard)
    await settles(shop)
    await repeats(shop)
    await settles(shop)
    const [first = '', second = ''] = charged(shop)
    expect(second).not.toBe('')
    expect(outcomes.map(({ kind, order }) => [kind, order.clientOrderId, order.orderId])).toEqual([
      ['paid', 'basket-7', first],
      ['surplus', `basket-7~${second}`, second],
    ])
    const { state, needsPerson, orders } = await till.payment('basket-7')
    expect([state, needsPerson]).toEqual(['surplus', expect.stringContaining(`basket-7~${second}`)])
    expect(orders.map(({ orderId, standing }) => [orderId, standing])).toEqual([
      [first, 'approved'],
      [second, 'approved'],
    ])
    expect((await till.report()).surplus.total).toBe(1)
    await till.return(`basket-7~${second}`)
    await settles(shop)
    expect((await till.payment('basket-7')).state).toBe('paid')
    expect(shop.books()).toEqual(['basket-7 sale approved', 'basket-7 sale approved, reversal approved'])
    expect(outcomes.at(-1)).toMatchObject({ kind: 'returned', order: { orderId: second } })
  })

  it('is given back by its two ids as well, and the return counts as its own', async () => {
    const { shop, outcomes } = await shopWith()
    const { till } = shop
    await till.pay(byCard)
    await settles(shop)
    const orderId = await repeats(shop)
    await settles(shop)
    await till.client.return({ clientOrderId: 'basket-7', orderId })
    await settles(shop)
    expect(outcomes.map(({ kind, order }) => [kind, order.orderId]).at(-1)).toEqual(['returned', orderId])
    expect(await till.payment('basket-7')).toMatchObject({ state: 'paid', totals: { returned: '0.00' } })
  })

  it('goes back by itself where the merchant wants that, once', async () => {
    const { shop, outcomes } = await shopWith({ surplus: 'return' })
    await shop.till.pay(byCard)
    await settles(shop)
    await repeats(shop)
    await settles(shop)
    expect(shop.books()).toEqual(['basket-7 sale approved', 'basket-7 sale approved, reversal approved'])
    expect(outcomes.map(({ kind }) => kind)).toEqual(['paid', 'surplus', 'returned'])
    expect((await shop.till.payment('basket-7')).state).toBe('paid')
  })

  it('that was declined leaves the payment as it is', async () => {
    const { shop, outcomes } = await shopWith()
    await shop.till.pay(byCard)
    await settles(shop)
    await repeats(shop, '400')
    await settles(shop)
    const { state, needsPerson } = await shop.till.payment('basket-7')
    expect([state, needsPerson]).toEqual(['paid', undefined])
    expect(outcomes.map(({ kind, order }) => [kind, order.clientOrderId])).toEqual([
      ['paid', 'basket-7'],
      ['declined', expect.stringMatching(/^basket-7~/)],
    ])
  })

  it('is the payment where the first one was never paid: the next press opens nothing', async () => {
    const { shop, outcomes } = await shopWith()
    const { address } = await shop.till.pay(basket)
    await repeats(shop)
    await settles(shop)
    expect(outcomes.map(({ kind, order: { clientOrderId } }) => [kind, clientOrderId])).toEqual([
      ['paid', expect.stringMatching(/^basket-7~/)],
    ])
    await shop.till.pay(basket)
    expect(shop.books()).toHaveLength(2)
    // The customer pays on the form all the same.
    await shop.customerPays(address)
    await settles(shop)
    expect(outcomes.map(({ kind }) => kind)).toEqual(['paid', 'surplus'])
    expect((await shop.till.payment('basket-7')).state).toBe('surplus')
  })

  it('is told although a proxy made it, while status did not show it at first', async () => {
    const { shop, outcomes } = await shopWith()
    shop.gateway.faults.arm({ fault: 'repeated-on-the-way', operation: 'sale' })
    shop.gateway.faults.arm({ fault: 'status-never-seen', times: 3 })
    await shop.till.pay(byCard)
    for (let round = 0; round < 10; round += 1) await passes(shop, minute)
    expect(charged(shop)).toHaveLength(2)
    expect(outcomes.map(({ kind }) => kind)).toEqual(['paid', 'surplus'])
    // Each callback comes once more.
    for (const orderId of charged(shop)) await shop.gateway.callbacks.resend(orderId)
    await settles(shop)
    expect(outcomes).toHaveLength(2)
  })
})
