/** Several accounts in one till, keys that are replaced, and several tills on one store. */

import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { createTill, type TillAccount } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { quickWait } from './quick-wait.js'
import { basket, openShop } from './shop.js'

const twoAccounts = () => {
  const gateway = createFakeGateway({
    merchants: [
      { login: 'euro', controlKey: 'K-EURO-0001', endpoints: [{ id: '41', currency: 'EUR' }] },
      { login: 'dollar', controlKey: 'K-DOLLAR-0001', endpoints: [{ id: '42', currency: 'USD' }] },
    ],
  })
  return gateway
}

const accountsOf = (gateway: ReturnType<typeof twoAccounts>): readonly TillAccount[] => [
  { ...gateway.clientOptionsFor({ login: 'euro' }), currencies: ['EUR'] },
  { ...gateway.clientOptionsFor({ login: 'dollar' }), currencies: ['USD'] },
]

describe('a till with two accounts', () => {
  it('takes each payment with the account of its currency, and tells both', async () => {
    const gateway = twoAccounts()
    await gateway.listen()
    const shop = await openShop({ gateway, accounts: accountsOf(gateway) })
    await shop.customerPays((await shop.till.pay(basket)).address)
    await shop.customerPays((await shop.till.pay({ ...basket, reference: 'basket-8', currency: 'USD' })).address)
    await gateway.callbacks.idle()
    expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-8 paid 10.00'])
    expect(gateway.orders.list().map(({ login, currency }) => `${login} ${currency}`)).toEqual([
      'euro EUR',
      'dollar USD',
    ])
    expect((await shop.till.payment('basket-8')).orders).toMatchObject([{ login: 'dollar' }])
  })

  it('refuses a currency that no account takes, and a payment in another account, before anything is sent', async () => {
    const gateway = twoAccounts()
    await gateway.listen()
    const shop = await openShop({ gateway, accounts: accountsOf(gateway) })
    await expect(shop.till.pay({ ...basket, currency: 'GBP' })).rejects.toThrow('No account takes GBP')
    await shop.till.pay(basket)
    await expect(shop.till.pay({ ...basket, account: 'dollar' })).rejects.toMatchObject({ code: 'ERR_OTHER_PAYMENT' })
    expect(gateway.calls('saleForm')).toHaveLength(1)
  })

  it('is not made where they are of two environments: their payments would stand in two places', async () => {
    const gateway = twoAccounts()
    await gateway.listen()
    const there = gateway.clientOptionsFor({ login: 'euro' })
    const live = { ...gateway.clientOptionsFor({ login: 'dollar' }), baseUrl: 'https://gate.example/paynet' }
    await expect(openShop({ gateway, accounts: [there, live] })).rejects.toThrow(
      'createTill: account "dollar" is of the environment "production", and the till is of "test".',
    )
  })

  it('says which account is missing, where a payment of it is to be given back', async () => {
    const gateway = twoAccounts()
    await gateway.listen()
    const store = memoryStore({ clock: gateway.clientOptions.clock }) as Store<never>
    const shop = await openShop({ gateway, store, accounts: accountsOf(gateway), name: 'shop' })
    await shop.customerPays((await shop.till.pay({ ...basket, currency: 'USD' })).address)
    await gateway.callbacks.idle()
    const later = await openShop({ gateway, store, accounts: accountsOf(gateway).slice(0, 1), name: 'shop' })
    await expect(later.till.return('basket-7')).rejects.toMatchObject({
      code: 'ERR_NOT_POSSIBLE',
      message: expect.stringContaining('is of the account "dollar", which this till does not have.'),
    })
    expect(gateway.calls('return')).toHaveLength(0)
  })

  it('keeps a payment with its account after a decline', async () => {
    const gateway = twoAccounts()
    await gateway.listen()
    const shop = await openShop({ gateway, accounts: accountsOf(gateway) })
    const dollars = { ...basket, currency: 'USD' }
    await shop.customerPays((await shop.till.pay(dollars)).address, '101')
    await shop.customerPays((await shop.till.pay(dollars)).address)
    expect(gateway.orders.list().map(({ login, stages }) => `${login} ${stages[0]?.status}`)).toEqual([
      'dollar declined',
      'dollar approved',
    ])
  })
})

describe('a control key that is replaced', () => {
  it('still reads the addresses and callbacks that the old one made', async () => {
    const gateway = createFakeGateway()
    const store = memoryStore({ clock: gateway.clientOptions.clock }) as Store<never>
    const before = await openShop({ gateway, store })
    const { address } = await before.till.pay(basket)
    // From now on the shop signs with another key, at the same address.
    const { controlKey } = gateway.clientOptions
    const till = createTill({
      account: { ...gateway.clientOptions, controlKey: 'K-NEW-0001', previousControlKeys: [controlKey] },
      store,
      address: `${before.origin}/payments`,
      returnTo: ({ reference }) => `/orders/${reference}`,
      onOutcome: () => {},
      clock: gateway.clientOptions.clock,
      wait: quickWait,
    })
    before.serve(till)
    const page = await before.customerPays(address)
    // Status cannot be asked with a key that the gateway does not know; the customer is not refused for that.
    expect(page.status).toBe(200)
    expect(page.url.pathname).toMatch(/^\/payments\/payment\//)
    await till.close()
  })
})

describe('two tills on one store', () => {
  it('are one, under one name: neither opens a second form', async () => {
    const gateway = createFakeGateway()
    const store = memoryStore({ clock: gateway.clientOptions.clock }) as Store<never>
    const [one, other] = [await openShop({ gateway, store }), await openShop({ gateway, store })]
    const [first, second] = await Promise.all([one.till.pay(basket), other.till.pay(basket)])
    expect(second.address).toBe(first.address)
    await one.customerPays(first.address)
    await gateway.callbacks.idle()
    expect([...one.told, ...other.told]).toEqual(['basket-7 paid 10.00'])
    expect(gateway.calls('saleForm')).toHaveLength(1)
  })

  it('are two, under two names: a reference of one is nothing to the other', async () => {
    const gateway = createFakeGateway({
      merchants: [
        { login: 'north', controlKey: 'K-NORTH-0001', endpoints: [{ id: '41' }] },
        { login: 'south', controlKey: 'K-SOUTH-0001', endpoints: [{ id: '42' }] },
      ],
    })
    await gateway.listen()
    const store = memoryStore({ clock: gateway.clientOptionsFor({ login: 'north' }).clock }) as Store<never>
    const north = await openShop({
      gateway,
      store,
      name: 'north',
      accounts: [gateway.clientOptionsFor({ login: 'north' })],
    })
    const south = await openShop({
      gateway,
      store,
      name: 'south',
      accounts: [gateway.clientOptionsFor({ login: 'south' })],
    })
    await north.customerPays((await north.till.pay(basket)).address)
    expect((await south.till.payment('basket-7')).state).toBe('new')
    await south.customerPays((await south.till.pay(basket)).address)
    await gateway.callbacks.idle()
    expect([north.told, south.told]).toEqual([['basket-7 paid 10.00'], ['basket-7 paid 10.00']])
  })
})
