/** What a payment costs the store. */
import { type DocumentStore, memoryStore, type Store } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { basket, openShop } from './shop.js'

it('is written five times from being asked for to being told, however many look at it', async () => {
  const gateway = createFakeGateway()
  const store = memoryStore({ clock: gateway.clientOptions.clock })
  const written: { readonly kind: string; readonly body: string }[] = []
  const counting: DocumentStore = {
    ...store,
    async write(key, entry, options) {
      const result = await store.write(key, entry, options)
      written.push({ kind: result.kind, body: entry.body })
      return result
    },
  }
  const shop = await openShop({ gateway, store: counting as Store<never> })
  await shop.customerPays((await shop.till.pay(basket)).address)
  await gateway.callbacks.idle()
  for (let look = 0; look < 3; look += 1) {
    await shop.till.payment('basket-7')
    await shop.till.tick()
    await shop.till.pay(basket)
  }
  expect(shop.told).toEqual(['basket-7 paid 10.00'])
  const is = written.map(each => {
    const { orders, telling } = JSON.parse(each.body)
    const [{ attempts, stages }] = orders
    return [
      each.kind,
      attempts[0].end?.kind,
      stages[0]?.outcome,
      telling === undefined ? undefined : 'claimed',
      stages[0]?.told,
    ]
  })
  expect(is).toEqual([
    ['written', undefined, undefined, undefined, undefined],
    ['written', 'accepted', undefined, undefined, undefined],
    ['written', 'accepted', 'approved', undefined, undefined],
    ['written', 'accepted', 'approved', 'claimed', undefined],
    ['written', 'accepted', 'approved', undefined, 1],
  ])
})
