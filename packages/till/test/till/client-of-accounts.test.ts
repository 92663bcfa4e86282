/** `till.client` of a till with several accounts: each call goes to the account of its order. Counted in the gateway's books. */
import { createClient } from '@tillkit/client'
import { operations } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.js'
import { type DocumentStore, type Store, StoreError } from '../../src/store/store.js'
import { passes } from './acts.js'
import { byCard, card, openShop } from './shop.js'
import { accountOf, booksOf, endpointsAsked, twoAccounts, twoMerchants } from './two-accounts.js'

const dollars = { ...byCard, reference: 'basket-8', currency: 'USD' }
const sale = {
  ...card,
  clientOrderId: 'web-1',
  amount: '10.00',
  currency: 'USD',
  email: 'joan@customer.example',
} as const

/** A shop of both accounts, with a store that counts its reads, and may be away. */
async function openBoth(accounts: 'both' | 'one' = 'both') {
  const gateway = twoMerchants()
  const base = memoryStore({ clock: gateway.clientOptions.clock })
  const store = { reads: 0, isAway: false }
  const counting: DocumentStore = {
    ...base,
    async read(key) {
      store.reads += 1
      if (store.isAway) throw new StoreError('ERR_STORE_SCHEMA', 'The tables are missing.')
      return base.read(key)
    },
  }
  await gateway.listen()
  const [euro, dollar] = twoAccounts(gateway)
  const shop = await openShop({
    gateway,
    store: counting as Store<never>,
    accounts: accounts === 'both' ? [euro, dollar] : [euro],
    name: 'shop',
  })
  const { client } = shop.till
  /** A payment of the second account. */
  const paidInDollars = async () => {
    await shop.till.pay(dollars)
    await gateway.callbacks.idle()
    const [{ orderId = '' } = {}] = (await shop.till.payment('basket-8')).orders
    return { clientOrderId: 'basket-8', orderId }
  }
  return { shop, gateway, client, store, paidInDollars }
}

describe('a request about an order of the second account', () => {
  it('stores its card there, and the card can be charged by that account', async () => {
    const { shop, gateway, client, paidInDollars } = await openBoth()
    const order = await paidInDollars()
    const { cardRefId = '' } = await client.createCardRef(order)
    const charge = { reference: 'month-1', amount: '10.00', currency: 'USD', cardRefId, orderDesc: 'November' }
    await shop.till.pay({ ...charge, absent: true, ipAddress: '203.0.113.7' })
    await passes(shop)
    expect((await shop.till.payment('month-1')).state).toBe('paid')
    expect(booksOf(gateway)).toEqual(['dollar basket-8 sale approved', 'dollar month-1 sale approved'])
  })

  it('goes there, whatever method it is sent by', async () => {
    const { gateway, client, paidInDollars } = await openBoth()
    const order = await paidInDollars()
    const before = gateway.calls('status').length
    await client.status(order)
    await client.send(operations.status, order)
    await client.return({ ...order, amount: '3.00', currency: 'USD' }, { attemptId: 'cup' })
    expect(new Set(endpointsAsked(gateway, 'status').slice(before))).toEqual(new Set(['42 accepted']))
    expect(gateway.calls('status').length - before).toBeGreaterThanOrEqual(3)
    expect(booksOf(gateway)).toEqual(['dollar basket-8 sale approved, reversal approved'])
  })

  it('goes there when it tries the payment once more, as till.pay does', async () => {
    const { shop, gateway, client } = await openBoth()
    await shop.till.pay({ ...dollars, cvv2: '101' })
    await gateway.callbacks.idle()
    await client.sale({ ...sale, clientOrderId: 'basket-8.2r', currency: 'EUR' })
    expect(booksOf(gateway)).toEqual(['dollar basket-8 sale declined', 'dollar basket-8.2r sale approved'])
  })

  it('goes to the account that adopted it', async () => {
    const { shop, gateway, client } = await openBoth()
    const byHand = createClient(gateway.clientOptionsFor({ login: 'dollar' }))
    const { orderId = '' } = await byHand.sale({ ...sale, currency: 'EUR' })
    await byHand.close()
    await shop.till.adopt({ reference: 'basket-9', clientOrderId: 'web-1', orderId, account: 'dollar' })
    await passes(shop)
    await client.return({ clientOrderId: 'web-1', orderId })
    expect(booksOf(gateway)).toEqual(['dollar web-1 sale approved, reversal approved'])
  })

  it('asks what became of a lost answer by the account that sent it', async () => {
    const { shop, gateway, client } = await openBoth()
    gateway.faults.arm({ fault: 'commit-then-drop', operation: 'sale' })
    await expect(client.sale(sale)).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' })
    expect(await shop.till.ask('web-1')).toMatchObject({ state: 'paid' })
    expect(endpointsAsked(gateway, 'status')).toEqual(['42 accepted'])
  })
})

describe('a request about an order that the store does not have', () => {
  it('goes to the first account that takes its currency, else to the first one', async () => {
    const { gateway, client } = await openBoth()
    await client.sale(sale)
    await client.sale({ ...sale, clientOrderId: 'web-2', currency: 'GBP' })
    expect(booksOf(gateway)).toEqual(['dollar web-1 sale approved', 'euro web-2 sale approved'])
  })

  it('goes to the account that it names', async () => {
    const { gateway, client } = await openBoth()
    await client.sale(sale, { account: 'euro' })
    await client.send(operations.sale, { ...sale, clientOrderId: 'web-2', currency: 'EUR' }, { account: 'dollar' })
    expect(booksOf(gateway)).toEqual(['euro web-1 sale approved', 'dollar web-2 sale approved'])
  })

  it('is refused where it names none that is there, and says which are', async () => {
    const { gateway, client, store } = await openBoth()
    const { reads } = store
    const named = { account: 'yen' }
    const message = 'no account has the login "yen". The accounts of this till: "euro", "dollar". Nothing was sent.'
    const error = await client.sale(sale, named).catch(cause => cause)
    expect(error).toBeInstanceOf(TypeError)
    expect(error.message).toBe(`till.client.sale: ${message}`)
    expect([gateway.calls().length, store.reads]).toEqual([0, reads])
  })
})

describe('an order whose account this till does not have', () => {
  it('is an error that says so, and nothing is sent', async () => {
    const { gateway, shop, paidInDollars } = await openBoth()
    const order = await paidInDollars()
    await passes(shop)
    await shop.till.accounts.set([accountOf(gateway, 'euro')])
    const { length } = gateway.calls()
    for (const call of [() => shop.till.client.return(order), () => shop.till.client.status(order)])
      await expect(call()).rejects.toMatchObject({
        code: 'ERR_NOT_POSSIBLE',
        message: expect.stringContaining('is of the account "dollar", which this till does not have.'),
      })
    expect(gateway.calls()).toHaveLength(length)
  })
})

describe('a store that is away', () => {
  it('lets nothing go to an account that was only guessed', async () => {
    const { gateway, client, store, paidInDollars } = await openBoth()
    const order = await paidInDollars()
    const { length } = gateway.calls()
    store.isAway = true
    await expect(client.status(order)).rejects.toMatchObject({ code: 'ERR_NOT_SENT', moneyMayHaveMoved: false })
    expect(gateway.calls()).toHaveLength(length)
    expect(await client.status(order, { account: 'dollar' })).toMatchObject({ status: 'approved' })
    store.isAway = false
  })
})

it('reads nothing more for a till with one account', async () => {
  const { client, store } = await openBoth('one')
  await client.sale({ ...sale, currency: 'EUR' })
  // A sale is one read: that of its reservation.
  expect(store.reads).toBe(1)
})

it('has the address of the first account', async () => {
  const { gateway, client } = await openBoth()
  expect(client.baseUrl).toBe(String(gateway.clientOptionsFor({ login: 'euro' }).baseUrl))
})
