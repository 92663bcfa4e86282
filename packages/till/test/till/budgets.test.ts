/** What each flow costs: how often the store is read and written, and what the gateway is asked. A change of a number is to be looked at. */
import { type DocumentStore, memoryStore, type Store } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { basket, openShop } from './shop.js'

/** A shop whose steps are counted. */
async function countedShop() {
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
  const shop = await openShop({ gateway, store: counting as Store<never> })
  const costOf = async (step: () => Promise<unknown>): Promise<string> => {
    const before = { ...count, requests: gateway.calls().length }
    await step()
    await gateway.callbacks.idle()
    const requests = gateway.calls().slice(before.requests)
    const asked = requests.map(({ operation }) => String(operation)).join(', ') || 'nothing'
    return `${count.reads - before.reads} reads, ${count.writes - before.writes} writes, asked: ${asked}`
  }
  return { shop, costOf }
}

it('a sale by form, told, looked at, asked about, and given back', async () => {
  const { shop, costOf } = await countedShop()
  const { till } = shop
  let address = ''
  const pay = await costOf(async () => {
    address = (await till.pay(basket)).address
  })
  const told = await costOf(() => shop.customerPays(address))
  const look = await costOf(() => till.payment('basket-7'))
  const ask = await costOf(() => till.ask('basket-7'))
  const part = await costOf(() => till.return('basket-7', { amount: '3.00', key: 'cup' }))
  expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 returned 3.00'])
  expect({ pay, told, look, ask, part }).toEqual({
    pay: '1 reads, 2 writes, asked: saleForm',
    told: '5 reads, 2 writes, asked: status, status',
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
