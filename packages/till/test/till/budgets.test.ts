/** The cost of each flow: how often the store is read and written, and what the gateway is asked. A change of a number is to be looked at. */

import { createFakeGateway } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { ada, capturesHolds, passes } from './acts.js'
import { basket, byCard, openShop, type ShopOptions } from './shop.js'

/** A shop whose steps are counted. */
async function countedShop(options: Pick<ShopOptions<never>, 'onOutcome'> = {}) {
  const gateway = createFakeGateway()
  const store = memoryStore({ clock: gateway.clientOptions.clock })
  const count = { reads: 0, writes: 0 }
  const counting: DocumentStore = {
    ...store,
    read(key) {
      if (key.startsWith('payment/')) count.reads += 1
      return store.read(key)
    },
    write(key, entry, options) {
      if (key.startsWith('payment/')) count.writes += 1
      return store.write(key, entry, options)
    },
  }
  let back: string | undefined
  const shop = await openShop({
    gateway,
    ...options,
    store: counting as Store<never>,
    before({ url = '' }, response) {
      if (back !== undefined || !url.startsWith('/payments/return/')) return
      back = url
      response.writeHead(200).end('The customer lingers.')
    },
  })
  const costOf = async (step: () => Promise<unknown>): Promise<string> => {
    const before = { ...count, requests: gateway.calls().length }
    await step()
    await gateway.callbacks.idle()
    const requests = gateway.calls().slice(before.requests)
    const asked = requests.map(({ operation }) => String(operation)).join(', ') || 'nothing'
    return `${count.reads - before.reads} reads, ${count.writes - before.writes} writes, asked: ${asked}`
  }
  /** The customer who has paid on the form comes back, or looks once more. */
  const comesBack = (redirect: 'follow' | 'manual' = 'follow') =>
    fetch(new URL(String(back), shop.origin), { redirect })
  return { shop, costOf, comesBack }
}

it('a sale by form, told, looked at, asked about, and given back', async () => {
  const { shop, costOf, comesBack } = await countedShop()
  const { till, gateway } = shop
  let address = ''
  const pay = await costOf(async () => {
    address = (await till.pay(basket)).address
  })
  const told = await costOf(async () => {
    await shop.customerPays(address)
    await gateway.callbacks.idle()
    await comesBack()
  })
  const look = await costOf(() => till.payment('basket-7'))
  const ask = await costOf(() => till.ask('basket-7'))
  const part = await costOf(() => till.return('basket-7', { amount: '3.00', key: 'cup' }))
  expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 returned 3.00'])
  expect({ pay, told, look, ask, part }).toEqual({
    pay: '1 reads, 2 writes, asked: saleForm',
    told: '3 reads, 2 writes, asked: status, status',
    look: '1 reads, 0 writes, asked: nothing',
    ask: '3 reads, 0 writes, asked: status',
    part: '3 reads, 4 writes, asked: status, return, status, status',
  })
})

it('a return of the whole', async () => {
  const { shop, costOf } = await countedShop()
  await shop.customerPays((await shop.till.pay(basket)).address)
  await shop.gateway.callbacks.idle()
  expect(await costOf(() => shop.till.return('basket-7'))).toBe(
    '3 reads, 4 writes, asked: status, return, status, status',
  )
})

it('a customer who comes back from the form, as far as the page of the payment', async () => {
  const { shop, costOf, comesBack } = await countedShop()
  shop.gateway.faults.arm('callback-never')
  await shop.customerPays((await shop.till.pay(basket)).address)
  const bringsNews = await costOf(() => comesBack('manual'))
  const again = await costOf(() => comesBack('manual'))
  expect(shop.told).toEqual(['basket-7 paid 10.00'])
  expect({ bringsNews, again }).toEqual({
    bringsNews: '1 reads, 2 writes, asked: status',
    again: '1 reads, 0 writes, asked: status',
  })
})

it('a customer who looks at the first page of 3DS, and at the last one again', async () => {
  const { shop, costOf } = await countedShop()
  const { address } = await shop.till.pay({ ...byCard, cvv2: '321' })
  const look = () => fetch(address, { redirect: 'manual' })
  const first = await costOf(look)
  await shop.customerPays(address, '321')
  await shop.gateway.callbacks.idle()
  const again = await costOf(look)
  expect(shop.told).toEqual(['basket-7 paid 10.00'])
  expect({ first, again }).toEqual({
    first: '2 reads, 2 writes, asked: status',
    again: '1 reads, 0 writes, asked: status',
  })
})

it('a hold that the handler captures', async () => {
  const { shop, costOf } = await countedShop({ onOutcome: capturesHolds })
  const { address } = await shop.till.pay({ ...basket, hold: true })
  const captured = await costOf(async () => {
    await shop.customerPays(address)
    await shop.gateway.callbacks.idle()
    await shop.till.tick()
  })
  expect(shop.told).toEqual(['basket-7 held 10.00', 'basket-7 paid 10.00'])
  expect(captured).toBe('5 reads, 7 writes, asked: status, status, status, capture, status, status')
})

it('a decision that a request did nothing', async () => {
  const { shop, costOf } = await countedShop()
  shop.gateway.faults.arm({ fault: 'drop', operation: 'sale' })
  await shop.till.pay(byCard)
  await passes(shop)
  const decided = await costOf(() => shop.till.decide('basket-7', { kind: 'failed', ...ada }))
  expect(decided).toBe('1 reads, 1 writes, asked: status')
})
