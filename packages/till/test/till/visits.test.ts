/** Customers who come back: what they see, what the merchant is told of, and how often status is asked. */

import { createFakeGateway } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { brokenStore } from './broken-store.js'
import { basket, openShop, type ShopOptions } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

/** A shop whose customer has paid on the form and is on the way back; no callback comes. */
async function onTheWayBack(options: ShopOptions<never> = {}, cvv2?: string) {
  let address = ''
  const { gateway = createFakeGateway() } = options
  gateway.faults.arm('callback-never')
  const shop = await openShop({
    ...options,
    gateway,
    before({ url = '' }, response) {
      if (address !== '' || !url.startsWith('/payments/return/')) return
      address = url
      response.writeHead(200).end('The customer lingers.')
    },
  })
  await shop.customerPays((await shop.till.pay(basket)).address, cvv2)
  return { shop, gateway, comesBack: () => fetch(new URL(address, shop.origin), { redirect: 'manual' }) }
}

it('a customer who comes back brings the outcome, which is told once, however many windows do so', async () => {
  const { shop, comesBack } = await onTheWayBack()
  const answers = await Promise.all(Array.from({ length: 20 }, comesBack))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(303))
  expect(shop.told).toEqual(['basket-7 paid 10.00'])
})

it('a customer whose payment is under way waits for five questions, and the payment goes on being looked after', async () => {
  const gateway = createFakeGateway({ processingTime: 60_000 })
  const { shop, comesBack } = await onTheWayBack({ gateway })
  expect((await comesBack()).status).toBe(303)
  expect(gateway.calls('status')).toHaveLength(5)
  expect([shop.told, (await shop.till.payment('basket-7')).state]).toEqual([[], 'open'])
  await gateway.clock.advance(120_000)
  expect((await comesBack()).status).toBe(303)
  expect(shop.told).toEqual(['basket-7 paid 10.00'])
})

it('a question carries the ids of the order', async () => {
  const { gateway, comesBack } = await onTheWayBack()
  await comesBack()
  const { orderId } = gateway.orders.find('basket-7') ?? {}
  expect(gateway.calls('status').map(({ fields }) => Object.fromEntries(fields))).toMatchObject([
    { client_orderid: 'basket-7', orderid: orderId },
  ])
})

it('a customer goes on where the store can never take what status says, and the merchant is warned', async () => {
  const warned = watchWarnings()
  const gateway = createFakeGateway()
  const { store, refuses } = brokenStore(memoryStore({ clock: gateway.clientOptions.clock }))
  const { shop, comesBack } = await onTheWayBack({ gateway, store: store as Store<never> })
  refuses.isOn = true
  const { status, headers } = await comesBack()
  expect([status, headers.get('location')]).toEqual([303, expect.stringMatching(/^\/payments\/payment\//)])
  expect([shop.told, warned('WARN_STORE_FAILED').length]).toEqual([[], 1])
  refuses.isOn = false
  await comesBack()
  expect(shop.told).toEqual(['basket-7 paid 10.00'])
})
