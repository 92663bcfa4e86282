/** The store's cost of a payment. */

import { createFakeGateway } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { readDocument } from '../../src/rules/kept/entry.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { basket, openShop } from './shop.js'

it('is written four times from being asked for to being told, however many look at it', async () => {
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
    const { orders, telling } = readDocument({ key: 'payment/', version: 1, writeId: 'w', body: each.body })
    const [attempt, stage] = [orders[0]?.attempts[0], orders[0]?.stages[0]]
    return [each.kind, attempt?.end?.kind, stage?.outcome, telling === undefined ? undefined : 'claimed', stage?.told]
  })
  expect(is).toEqual([
    ['written', undefined, undefined, undefined, undefined],
    ['written', 'accepted', undefined, undefined, undefined],
    ['written', 'accepted', 'approved', 'claimed', undefined],
    ['written', 'accepted', 'approved', undefined, 1],
  ])
})
