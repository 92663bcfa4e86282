/** Decisions of persons against what the gateway has said, or may have said. */

import { defineProfile } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { learntKey } from '../../src/store/keys.js'
import { memoryStore } from '../../src/store/memory-store.js'
import { type DocumentStore, type Store, StoreError } from '../../src/store/store.js'
import { ada, bob, minute, passes, quiet } from './acts.js'
import { placeOf } from './place.js'
import { readyAccount } from './ready-account.js'
import { byCard, openShop } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

const profile = defineProfile({ orderNeverSeen: '4711' })

describe('a person says that a card payment failed', () => {
  it.each(['delayed-commit', 'commit-then-drop'] as const)(
    'and it is not so where the gateway has called back, though status says that it has never seen the order: %s',
    async fault => {
      watchWarnings()
      const gateway = createFakeGateway({ profile })
      const shop = await openShop({ gateway })
      gateway.faults.arm({ fault, operation: 'sale', ...(fault === 'delayed-commit' ? { delay: 60 * minute } : {}) })
      await shop.till.pay(byCard)
      gateway.faults.arm({ fault: 'status-never-seen', times: 999 })
      await gateway.clock.advance(70 * minute)
      await gateway.callbacks.idle()
      expect(await shop.till.decide('basket-7', { kind: 'failed', ...ada })).toMatchObject({
        kind: 'refused',
        because: 'status-differs',
      })
      expect((await shop.till.pay(byCard)).kind).toBe('wait')
      gateway.faults.clear()
      for (let round = 0; round < 3; round += 1) await passes(shop, 30 * minute)
      expect(shop.told).toEqual(['basket-7 paid 10.00'])
      expect(shop.books()).toEqual(['basket-7 sale approved'])
    },
  )

  it('and it is not so where status refuses by another word than the one that was learnt, and the store does not give that', async () => {
    const gateway = createFakeGateway({ profile })
    const kept = memoryStore({ clock: gateway.clientOptions.clock })
    const failing = { isFailing: false }
    const read: DocumentStore['read'] = async key => {
      if (failing.isFailing && key === learnt) throw new StoreError('ERR_STORE_UNKNOWN', 'The store is down.')
      return kept.read(key)
    }
    // Nobody told the till the gateway's word.
    const accounts = [{ ...readyAccount(gateway), profile: defineProfile({}) }]
    const shop = await openShop({ gateway, accounts, store: { ...kept, read } as Store<never> })
    const learnt = learntKey('merchant', placeOf(shop.till))
    const entry = { body: JSON.stringify({ v: 1, orderNeverSeen: '12' }), due: null, list: null }
    await kept.write(learnt, entry, { after: undefined, id: 'learnt' })
    gateway.faults.arm({ fault: 'drop', operation: 'sale' })
    await shop.till.pay(byCard)
    await passes(shop, quiet)
    for (const isFailing of [false, true]) {
      failing.isFailing = isFailing
      expect(await shop.till.decide('basket-7', { kind: 'failed', ...ada })).toMatchObject({
        kind: 'refused',
        because: 'no-answer',
      })
    }
  })
})

describe('a person says that a card payment arrived', () => {
  it('and what status says of it is kept, though a second person has to say the same', async () => {
    const shop = await openShop({ secondPersonAbove: { EUR: '5.00' } })
    shop.gateway.faults.arm({ fault: 'delayed-commit', operation: 'sale', delay: 60 * minute })
    shop.gateway.faults.arm({ fault: 'callback-never', operation: 'sale' })
    await shop.till.pay(byCard)
    await shop.gateway.clock.advance(70 * minute)
    const orderId = shop.gateway.orders.find('basket-7')?.orderId ?? ''
    expect(await shop.till.decide('basket-7', { kind: 'arrived', orderId, ...ada })).toMatchObject({
      kind: 'needs-second-person',
      payment: { state: 'paid' },
    })
    shop.gateway.faults.arm({ fault: 'drop', operation: 'status', times: 99 })
    expect((await shop.till.pay(byCard)).kind).toBe('over')
    shop.gateway.faults.clear()
    expect(await shop.till.decide('basket-7', { kind: 'arrived', orderId, ...bob })).toMatchObject({
      kind: 'done',
      decision: { who: 'bob', first: { who: 'ada' } },
    })
    await passes(shop, quiet)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    expect(await shop.till.questions('basket-7')).toEqual([])
    expect(shop.books()).toEqual(['basket-7 sale approved'])
  })
})
