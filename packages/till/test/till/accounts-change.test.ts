/** Accounts that are added, go, or get other keys while the till runs. Counted in the gateway's books. */
import { defineProfile } from '@tillkit/protocol'
import { signedCallback } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import type { TillAccount } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { passes } from './acts.js'
import { basket, byCard, openShop, type ShopOptions } from './shop.js'
import { booksOf, endpointsAsked, twoAccounts, twoMerchants } from './two-accounts.js'

const dollars = { ...basket, reference: 'basket-8', currency: 'USD' }
const cardInDollars = { ...byCard, reference: 'basket-8', currency: 'USD' }

async function openBoth(accounts?: readonly TillAccount[], options: ShopOptions<never> = {}) {
  const gateway = twoMerchants()
  await gateway.listen()
  const store = memoryStore({ clock: gateway.clientOptions.clock }) as Store<never>
  const shop = await openShop({ gateway, store, accounts: accounts ?? twoAccounts(gateway), name: 'shop', ...options })
  const [euro, dollar] = twoAccounts(gateway)
  return { shop, gateway, store, euro, dollar, accounts: shop.till.accounts }
}

/** Sends the callback of an order as the gateway would with another key. */
async function callBack(
  shop: { readonly origin: string },
  order: { clientOrderId: string; orderId: string },
  controlKey: string,
) {
  const { url } = signedCallback({ ...order, status: 'approved', controlKey })
  return (await fetch(url(`${shop.origin}/payments/callback`))).status
}

describe('till.accounts.list', () => {
  it('says which accounts there are, and no key', async () => {
    const { accounts } = await openBoth()
    expect(accounts.list()).toEqual([
      { login: 'euro', currencies: ['EUR'] },
      { login: 'dollar', currencies: ['USD'] },
    ])
  })
})

describe('an account that is added', () => {
  it('takes payments, callbacks and customers at once, and can be checked', async () => {
    const { shop, gateway, euro, dollar, accounts } = await openBoth()
    await accounts.set([euro])
    await expect(shop.till.pay(dollars)).rejects.toThrow('No account takes USD')
    await accounts.set([euro, dollar])
    const page = await shop.customerPays((await shop.till.pay(dollars)).address)
    expect(page.url.pathname).toBe('/orders/basket-8')
    await gateway.callbacks.idle()
    expect(shop.told).toEqual(['basket-8 paid 10.00'])
    expect(booksOf(gateway)).toEqual(['dollar basket-8 sale approved'])
    expect((await shop.till.check({ account: 'dollar' })).map(({ login }) => login)).toEqual(['dollar'])
    await expect(shop.till.check({ account: 'yen' })).rejects.toThrow('No account has the login "yen".')
  })

  it('is worked for in the background, at a pace of its own', async () => {
    const { shop, gateway, euro, dollar, accounts } = await openBoth(undefined, { statusPerSecond: 1 })
    await accounts.set([euro])
    await accounts.set([euro, dollar])
    gateway.faults.arm({ fault: 'callback-never', times: 2 })
    await shop.till.pay(byCard)
    await shop.till.pay(cardInDollars)
    await passes(shop)
    expect([...shop.told].sort()).toEqual(['basket-7 paid 10.00', 'basket-8 paid 10.00'])
    expect([...endpointsAsked(gateway, 'status')].sort()).toEqual(['41 accepted', '42 accepted'])
  })
})

describe('a list that is refused', () => {
  it.each<[string, (accounts: { euro: TillAccount; dollar: TillAccount }) => readonly TillAccount[], string]>([
    ['is empty', () => [], 'at least one'],
    ['is no list', () => undefined as never, 'at least one'],
    ['has a login twice', ({ euro }) => [euro, euro], 'the same login'],
    ['has no control key', ({ euro, dollar }) => [euro, { ...dollar, controlKey: '' }], 'has no "controlKey"'],
    ['has a misspelt option', ({ euro, dollar }) => [euro, { ...dollar, timeOut: 5 } as TillAccount], '"timeOut"'],
    [
      'has an account of another environment',
      ({ euro, dollar }) => [euro, { ...dollar, baseUrl: 'https://gate.example' }],
      'is of the environment "production"',
    ],
    [
      'has another profile first',
      ({ euro }) => [
        {
          ...euro,
          profile: defineProfile({ formLifetime: 600 }),
        },
      ],
      'another "profile"',
    ],
  ])('since it %s changes nothing', async (_, list, message) => {
    const { shop, gateway, accounts, euro, dollar } = await openBoth()
    const error = await accounts.set(list({ euro, dollar })).catch(cause => cause)
    expect(error).toBeInstanceOf(TypeError)
    expect(error.message).toContain(message)
    expect(error.message).toMatch(/^till\.accounts\.set: |"timeOut"/)
    expect(accounts.list().map(({ login }) => login)).toEqual(['euro', 'dollar'])
    await shop.till.pay(cardInDollars)
    expect(booksOf(gateway)).toEqual(['dollar basket-8 sale approved'])
  })

  it('since what answers visitors cannot be made of it, changes nothing', async () => {
    const secret = 'a secret of thirty-two characters or more'
    const { shop, gateway, accounts, euro, dollar } = await openBoth(undefined, {
      stateSecrets: [{ id: 'one', secret }],
    })
    await expect(accounts.set([{ ...euro, controlKey: secret }, dollar])).rejects.toThrow('holds a control key')
    const page = await shop.customerPays((await shop.till.pay(basket)).address)
    expect(page.url.pathname).toBe('/orders/basket-7')
    expect(booksOf(gateway)).toEqual(['euro basket-7 sale approved'])
  })

  it('changes nothing where it is changed after it was given', async () => {
    const { accounts, euro, dollar } = await openBoth()
    const list = [euro, dollar]
    const set = accounts.set(list)
    list.pop()
    await set
    expect(accounts.list()).toHaveLength(2)
  })
})

describe('a control key that is replaced while the till runs', () => {
  it('signs the next request, and callbacks of the old one count as long as it stands in "previousControlKeys"', async () => {
    const { shop, gateway, euro, dollar, accounts } = await openBoth()
    const { address } = await shop.till.pay(basket)
    const rotated = { ...euro, controlKey: 'K-EURO-0002', previousControlKeys: ['K-EURO-0001'] }
    await accounts.set([rotated, dollar])
    // This gateway does not know the new key: what is signed with it is refused.
    await expect(shop.till.pay({ ...byCard, reference: 'basket-9' })).rejects.toMatchObject({
      code: 'ERR_AUTHENTICATION_REFUSED',
    })
    const page = await shop.customerPays(address)
    expect(page.status).toBe(200)
    await gateway.callbacks.idle()
    const [{ orderId = '' } = {}] = gateway.orders.list()
    const order = { clientOrderId: 'basket-7', orderId }
    // A callback that is verified is 503 while status cannot be asked.
    expect(await callBack(shop, order, 'K-EURO-0001')).toBe(503)
    expect(await callBack(shop, order, 'K-EURO-0002')).toBe(503)
    expect(await callBack(shop, order, 'K-EURO-0003')).toBe(403)
    await accounts.set([{ ...euro, controlKey: 'K-EURO-0002' }, dollar])
    expect(await callBack(shop, order, 'K-EURO-0001')).toBe(403)
    await accounts.set([euro, dollar])
    expect(await callBack(shop, order, 'K-EURO-0001')).toBe(200)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    expect(gateway.calls('saleForm')).toHaveLength(1)
  })

  it('goes on reading the addresses that it made, until it is left out', async () => {
    const { shop, gateway, euro, dollar, accounts } = await openBoth()
    await shop.till.pay(basket)
    const [, address = ''] = gateway.calls('saleForm')[0]?.fields.find(([name]) => name === 'redirect_url') ?? []
    const visit = async () => (await fetch(address, { redirect: 'manual' })).status
    expect(await visit()).toBe(303)
    await accounts.set([{ ...euro, controlKey: 'K-EURO-0002', previousControlKeys: ['K-EURO-0001'] }, dollar])
    expect(await visit()).toBe(303)
    await accounts.set([{ ...euro, controlKey: 'K-EURO-0002' }, dollar])
    // It is refused, and this shop shows its page of errors.
    expect(await visit()).toBe(500)
  })
})

describe('an account that goes', () => {
  it('is gone once nothing is open of it', async () => {
    const { shop, gateway, euro, accounts } = await openBoth()
    await shop.till.pay(cardInDollars)
    await passes(shop)
    expect(shop.told).toEqual(['basket-8 paid 10.00'])
    await accounts.set([euro])
    expect(accounts.list().map(({ login }) => login)).toEqual(['euro'])
    await expect(shop.till.return('basket-8')).rejects.toMatchObject({ code: 'ERR_NOT_POSSIBLE' })
    expect(gateway.calls('return')).toHaveLength(0)
  })

  it.each<[string, (shop: Awaited<ReturnType<typeof openBoth>>) => Promise<unknown>]>([
    ['a form is open', ({ shop }) => shop.till.pay(dollars)],
    [
      'an answer was lost',
      ({ shop, gateway }) => {
        gateway.faults.arm({ fault: 'commit-then-drop', operation: 'sale' })
        return shop.till.pay(cardInDollars)
      },
    ],
    ['a decline may be corrected', ({ shop }) => shop.till.pay({ ...cardInDollars, cvv2: '101' })],
    [
      'a capture is not shown yet',
      ({ shop, gateway }) =>
        shop.till
          .pay({ ...cardInDollars, hold: true })
          .then(() => gateway.callbacks.idle())
          .then(() => shop.till.capture('basket-8')),
    ],
  ])('stays while %s, and says of how many payments', async (_, pay) => {
    const opened = await openBoth()
    const { shop, gateway, euro, accounts } = opened
    await shop.till.pay({ ...dollars, reference: 'basket-9' })
    await shop.till.pay(byCard)
    await pay(opened)
    const before = booksOf(gateway)
    await expect(accounts.set([euro])).rejects.toMatchObject({
      code: 'ERR_ACCOUNT_IN_USE',
      openPayments: 2,
      message: expect.stringContaining('"dollar" has 2 open payments'),
    })
    expect(accounts.list().map(({ login }) => login)).toEqual(['euro', 'dollar'])
    expect(booksOf(gateway)).toEqual(before)
  })

  it('can go once its last decline is thirty-one days old', async () => {
    const { shop, gateway, euro, accounts } = await openBoth()
    await shop.till.pay({ ...cardInDollars, cvv2: '101' })
    await passes(shop)
    await gateway.clock.advance(30 * 86_400_000)
    await expect(accounts.set([euro])).rejects.toMatchObject({ code: 'ERR_ACCOUNT_IN_USE', openPayments: 1 })
    await gateway.clock.advance(86_400_000)
    await accounts.set([euro])
    expect(accounts.list()).toHaveLength(1)
  })

  it('takes no new payment meanwhile where its "currencies" is empty, and ends what is open', async () => {
    const { shop, gateway, euro, dollar, accounts } = await openBoth()
    const { address } = await shop.till.pay(dollars)
    await accounts.set([euro, { ...dollar, currencies: [] }])
    await expect(shop.till.pay({ ...dollars, reference: 'basket-9' })).rejects.toThrow('No account takes USD')
    expect((await shop.till.pay(dollars)).address).toBe(address)
    await shop.customerPays(address)
    await gateway.callbacks.idle()
    await passes(shop)
    expect(shop.told).toEqual(['basket-8 paid 10.00'])
    await accounts.set([euro])
    expect(booksOf(gateway)).toEqual(['dollar basket-8 sale approved'])
  })

  it('counts the payments of this till only', async () => {
    const { shop, gateway, store, euro, dollar, accounts } = await openBoth()
    const other = await openShop({ gateway, store, accounts: [dollar], name: 'shop-2' })
    await other.till.pay(dollars)
    await accounts.set([euro])
    expect(accounts.list()).toHaveLength(1)
    await other.customerPays((await other.till.pay(dollars)).address)
    await gateway.callbacks.idle()
    expect([shop.told, other.told]).toEqual([[], ['basket-8 paid 10.00']])
  })

  it('leaves the addresses readable that its key has made for other accounts', async () => {
    const { shop, gateway, dollar, accounts } = await openBoth()
    const { address } = await shop.till.pay(dollars)
    // Addresses are signed with the key of the first account.
    await accounts.set([dollar])
    const page = await shop.customerPays(address)
    expect(page.url.pathname).toBe('/orders/basket-8')
    await gateway.callbacks.idle()
    expect(shop.told).toEqual(['basket-8 paid 10.00'])
  })
})
