/** A cart changes while the form of the first one is open. How often the customer paid is counted in the gateway's books. */
import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { ada, minute, passes, sent } from './acts.js'
import { basket, byCard, openShop, type Shop } from './shop.js'

const smaller = { ...basket, amount: '8.00' }

/** A shop with an open form over 10.00, which the gateway ends after half an hour. */
async function shopWithForm() {
  const shop = await openShop({ gateway: createFakeGateway({ formLifetime: 30 * minute }) })
  const { address } = await shop.till.pay(basket)
  return { shop, address }
}

const isRefused = (shop: Shop) => expect(shop.till.pay(smaller)).rejects.toMatchObject({ code: 'ERR_OTHER_AMOUNT' })

describe('once the time of the form is over', () => {
  it('opens the next order, after a look at status, and is paid once', async () => {
    const { shop } = await shopWithForm()
    await passes(shop, 29 * minute)
    await isRefused(shop)
    await passes(shop, 2 * minute)
    const before = sent(shop, 'status')
    const { kind, address } = await shop.till.pay(smaller)
    expect([kind, sent(shop, 'status') - before]).toEqual(['go', 1])
    await shop.customerPays(address)
    await passes(shop)
    expect(shop.told).toEqual(['basket-7 paid 8.00'])
    expect((await shop.till.pay(smaller)).kind).toBe('over')
    expect(shop.books()).toEqual(['basket-7 sale processing', 'basket-7.2r sale approved'])
  })

  it('opens nothing where the customer has begun to pay', async () => {
    const { shop, address } = await shopWithForm()
    await shop.customerPays(address, '217')
    await passes(shop, 31 * minute)
    await isRefused(shop)
    expect(sent(shop, 'saleForm')).toBe(1)
  })

  it('opens nothing while status gives no answer', async () => {
    const { shop } = await shopWithForm()
    await shop.gateway.clock.advance(31 * minute)
    shop.gateway.faults.arm({ fault: 'drop', operation: 'status', times: 9 })
    await isRefused(shop)
    expect(sent(shop, 'saleForm')).toBe(1)
  })

  it('tells surplus where the form was open for longer than the profile says, and both were paid', async () => {
    const shop = await openShop()
    const first = await shop.till.pay(basket)
    await passes(shop, 31 * minute)
    const second = await shop.till.pay(smaller)
    await shop.customerPays(second.address)
    await shop.customerPays(first.address)
    await passes(shop)
    expect(shop.told).toEqual(['basket-7 paid 8.00', 'basket-7 surplus 10.00'])
  })
})

describe('a person who gives the form up', () => {
  it('lets the next order open at once, and it is paid once', async () => {
    const { shop } = await shopWithForm()
    await isRefused(shop)
    expect(await shop.till.decide('basket-7', { kind: 'abandon', ...ada })).toMatchObject({
      kind: 'done',
      again: false,
    })
    expect(await shop.till.decide('basket-7', { kind: 'abandon', ...ada })).toMatchObject({
      kind: 'done',
      again: true,
    })
    await shop.customerPays((await shop.till.pay(smaller)).address)
    await passes(shop)
    expect(shop.told).toEqual(['basket-7 paid 8.00'])
    const { timeline } = await shop.till.payment('basket-7')
    expect(timeline.map(({ text }) => text).slice(4, 6)).toEqual([
      'ada decided that no customer is to pay order basket-7 any more. The reason given: "ticket 4711".',
      'The till went on without order basket-7: a person gave it up. It can still be paid. The till goes on watching it.',
    ])
  })

  it('opens nothing more where the customer came back to that form since, and is paying', async () => {
    const { shop, address } = await shopWithForm()
    await shop.till.decide('basket-7', { kind: 'abandon', ...ada })
    await shop.customerPays(address, '217')
    expect((await shop.till.pay(smaller)).kind).toBe('wait')
    expect(sent(shop, 'saleForm')).toBe(1)
  })

  it('is asked for it only once the time of the form is over', async () => {
    const { shop } = await shopWithForm()
    expect(await shop.till.questions('basket-7')).toEqual([])
    await passes(shop, 31 * minute)
    expect(await shop.till.questions('basket-7')).toMatchObject([
      { kind: 'open-order', order: 'basket-7', amount: '10.00', currency: 'EUR' },
    ])
  })

  it.each([
    ['has begun to pay', '217'],
    ['has paid', '123'],
  ])('is refused where the customer %s', async (_, cvv2) => {
    const { shop, address } = await shopWithForm()
    shop.gateway.faults.arm('callback-never')
    await shop.customerPays(address, cvv2)
    const result = await shop.till.decide('basket-7', { kind: 'abandon', ...ada })
    expect(result).toMatchObject({ kind: 'refused' })
    expect(shop.books()).toHaveLength(1)
  })

  it('is taken once the time of the form is over, though the customer had begun, and left', async () => {
    const { shop, address } = await shopWithForm()
    await shop.customerPays(address, '217')
    await passes(shop, 31 * minute)
    expect(await shop.till.decide('basket-7', { kind: 'abandon', ...ada })).toMatchObject({ kind: 'done' })
    await shop.customerPays((await shop.till.pay(smaller)).address)
    await passes(shop)
    expect(shop.told).toEqual(['basket-7 paid 8.00'])
  })

  it.each(['321', '217'])('ends a card payment whose customer never comes back, cvv2 %s', async cvv2 => {
    const shop = await openShop()
    await shop.till.pay({ ...byCard, cvv2 })
    await passes(shop)
    expect(await shop.till.decide('basket-7', { kind: 'abandon', ...ada })).toMatchObject({ kind: 'refused' })
    await passes(shop, 31 * minute)
    expect(await shop.till.questions('basket-7')).toMatchObject([{ kind: 'open-order', order: 'basket-7' }])
    expect(await shop.till.decide('basket-7', { kind: 'abandon', ...ada })).toMatchObject({ kind: 'done' })
    await shop.till.pay(byCard)
    await passes(shop)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    expect((await shop.till.report()).open.total).toBe(0)
  })

  it('ends an order that was made elsewhere, and is never paid', async () => {
    const { gateway } = await shopWithForm().then(({ shop }) => shop)
    const shop = await openShop({ gateway })
    expect(await shop.till.adopt({ reference: 'basket-7' })).toMatchObject({ kind: 'adopted' })
    await passes(shop, 31 * minute)
    expect(await shop.till.decide('basket-7', { kind: 'abandon', ...ada })).toMatchObject({ kind: 'done' })
    await shop.customerPays((await shop.till.pay(smaller)).address)
    await passes(shop)
    expect(shop.told).toEqual(['basket-7 paid 8.00'])
  })

  it('is no answer to a payout that does not end: it would be sent twice', async () => {
    const shop = await openShop()
    const payout = { reference: 'payout-7', amount: '10.00', currency: 'EUR', accountNumber: 'NL91ABNA0417164300' }
    shop.gateway.outcomes.plan({ outcome: 'unknown', operation: 'payoutV4' })
    await shop.till.payout(payout)
    await passes(shop, 31 * minute)
    expect(await shop.till.questions('payout-7')).toEqual([])
    expect(await shop.till.decide('payout-7', { kind: 'abandon', ...ada })).toMatchObject({
      kind: 'refused',
      because: 'nothing-to-decide',
    })
  })

  it('is told paid where a customer pays on it after all', async () => {
    const { shop, address } = await shopWithForm()
    await shop.till.decide('basket-7', { kind: 'abandon', ...ada })
    await shop.customerPays(address)
    await passes(shop)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    expect((await shop.till.pay(basket)).kind).toBe('over')
  })
})
