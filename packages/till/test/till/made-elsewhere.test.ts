/**
 * Changes that nobody made here: at the gateway's own screens, by another program, by the bank. Each movement of money is told once, and where
 * nothing tells two apart no sum is said. Counted in the gateway's books.
 */
import { describe, expect, it } from 'vitest'
import { minute, passes } from './acts.js'
import { byCard, openShop, type Shop } from './shop.js'

const settles = async (shop: Shop): Promise<void> => {
  for (let round = 0; round < 3; round += 1) await passes(shop, minute)
}

async function paidShop() {
  const shop = await openShop()
  await shop.till.pay(byCard)
  await settles(shop)
  expect(shop.told.splice(0)).toEqual(['basket-7 paid 10.00'])
  const { orderId = '' } = shop.gateway.orders.find('basket-7') ?? {}
  return { shop, orderId }
}

/** The movements of money after the sale, in the gateway's books, in major units. */
const moved = ({ gateway }: Shop, orderId: string): readonly string[] =>
  (gateway.orders.find(orderId)?.stages ?? []).slice(1).map(({ stage, amount }) => `${stage} ${amount}`)

describe('a part that is given back at the gateway', () => {
  it.each(['codes', 'serial-number'] as const)(
    'after an equal one of ours is told as well, told apart by %s, and no sum is said',
    async toldApartBy => {
      const { shop, orderId } = await paidShop()
      await shop.till.return('basket-7', { amount: '2.00', key: 'parcel-1' })
      await settles(shop)
      shop.gateway.act({ orderId, action: 'reverse', amount: '2.00', toldApartBy })
      await settles(shop)
      expect(moved(shop, orderId)).toEqual(['reversal 2.00', 'reversal 2.00'])
      expect(shop.told).toEqual(['basket-7 returned 2.00', 'basket-7 returned 2.00'])
      const { state, totals, uncertain } = await shop.till.payment('basket-7')
      expect([state, totals, uncertain]).toEqual(['paid', undefined, expect.stringContaining('return over 2.00 EUR')])
      // The callbacks come once more.
      for (let times = 0; times < 3; times += 1) await shop.gateway.callbacks.resend(orderId)
      await settles(shop)
      expect(shop.told).toHaveLength(2)
    },
  )

  it('is told each time: 3.00, then 2.00, then 3.00', async () => {
    const { shop, orderId } = await paidShop()
    for (const amount of ['3.00', '2.00', '3.00']) {
      shop.gateway.act({ orderId, action: 'reverse', amount })
      await settles(shop)
    }
    expect(shop.told).toEqual(['3.00', '2.00', '3.00'].map(amount => `basket-7 returned ${amount}`))
    expect((await shop.till.payment('basket-7')).totals).toBeUndefined()
  })

  it('is no certain sum where nothing tells it apart from ours', async () => {
    const { shop, orderId } = await paidShop()
    await shop.till.return('basket-7', { amount: '2.00', key: 'parcel-1' })
    await settles(shop)
    shop.gateway.act({ orderId, action: 'reverse', amount: '2.00', toldApartBy: 'nothing' })
    await settles(shop)
    expect(moved(shop, orderId)).toHaveLength(2)
    expect((await shop.till.payment('basket-7')).totals).toBeUndefined()
  })
})

describe('a part that the bank takes back', () => {
  it('leaves the payment paid, and each one is told', async () => {
    const { shop, orderId } = await paidShop()
    for (const amount of ['4.00', '4.00']) {
      shop.gateway.act({ orderId, action: 'charge-back', amount })
      await settles(shop)
    }
    expect(moved(shop, orderId)).toEqual(['chargeback 4.00', 'chargeback 4.00'])
    expect(shop.told).toEqual(['basket-7 chargeback 4.00', 'basket-7 chargeback 4.00'])
    expect(await shop.till.payment('basket-7')).toMatchObject({ state: 'paid', totals: undefined })
    await expect(shop.till.pay(byCard)).resolves.toMatchObject({ payment: { state: 'paid' } })
    expect(shop.books()).toHaveLength(1)
  })

  it('is the whole where it is as much as was paid', async () => {
    const { shop, orderId } = await paidShop()
    shop.gateway.act({ orderId, action: 'charge-back' })
    await settles(shop)
    expect((await shop.till.payment('basket-7')).state).toBe('returned')
  })
})

describe('a part that the merchant names, after one that was given back at the gateway', () => {
  async function shopWithPartBack() {
    const made = await paidShop()
    made.shop.gateway.act({ orderId: made.orderId, action: 'reverse', amount: '4.00' })
    await settles(made.shop)
    return made
  }

  it('is sent once, since it needs no sum', async () => {
    const { shop, orderId } = await shopWithPartBack()
    for (let times = 0; times < 2; times += 1) {
      await shop.till.return('basket-7', { amount: '3.00', key: 'parcel-1' })
      await settles(shop)
    }
    expect(moved(shop, orderId)).toEqual(['reversal 4.00', 'reversal 3.00'])
    expect(shop.told).toEqual(['basket-7 returned 4.00', 'basket-7 returned 3.00'])
  })

  it.each([
    ['over the same amount: it may be this very one, which the store has forgotten', '4.00'],
    ['over more than can be left', '6.01'],
  ])('is refused %s', async (_, amount) => {
    const { shop, orderId } = await shopWithPartBack()
    await expect(shop.till.return('basket-7', { amount, key: 'parcel-1' })).rejects.toMatchObject({
      code: 'ERR_NOT_POSSIBLE',
    })
    expect(moved(shop, orderId)).toEqual(['reversal 4.00'])
  })
})

it('twelve changes in a row are each told at their first callback', async () => {
  const { shop, orderId } = await paidShop()
  for (let nth = 0; nth < 12; nth += 1) {
    const amount = (0.1 + nth / 100).toFixed(2)
    shop.gateway.act({ orderId, action: 'reverse', amount })
    await shop.gateway.callbacks.idle()
    expect(shop.told.at(-1)).toBe(`basket-7 returned ${amount}`)
  }
  expect(shop.gateway.callbacks.list().map(({ httpStatus }) => httpStatus)).not.toContain(503)
})
