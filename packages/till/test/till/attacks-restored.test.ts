/** Attacks on a store that was put back from a backup: what it lacks is not charged again. Counted in the gateway's books. */

import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { passes } from './acts.js'
import { byCard, openShop, type Shop } from './shop.js'

const minute = 60_000

/** A shop whose store is lost after the first life, and is empty in the second one. */
async function twoLives(lost: (shop: Shop) => Promise<unknown>) {
  const gateway = createFakeGateway()
  const open = () => openShop({ gateway, store: memoryStore({ clock: gateway.clientOptions.clock }) as Store<never> })
  const first = await open()
  await lost(first)
  await first.close()
  await gateway.clock.advance(180 * minute)
  const second = await open()
  await second.till.start({ restored: true })
  return second
}

describe('a payment that the backup lacks', () => {
  it('whose first order never reached the gateway is not charged again for the one that did', async () => {
    const shop = await twoLives(async first => {
      first.gateway.faults.arm({ fault: 'drop', operation: 'sale' })
      await first.till.pay(byCard)
      await passes(first)
      await first.till.decide('basket-7', { kind: 'failed', who: 'ada', why: 'ticket 4711' })
      await first.till.pay(byCard)
      await passes(first)
      expect(first.books()).toEqual(['basket-7.2r sale approved'])
    })
    expect((await shop.till.pay(byCard)).kind).toBe('over')
    await passes(shop)
    expect((await shop.till.pay(byCard)).kind).toBe('over')
    expect(shop.books()).toEqual(['basket-7.2r sale approved'])
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })

  it('goes on after a decline of its second order, where the first one never reached the gateway', async () => {
    const shop = await twoLives(async first => {
      first.gateway.faults.arm({ fault: 'drop', operation: 'sale' })
      await first.till.pay(byCard)
      await passes(first)
      await first.till.decide('basket-7', { kind: 'failed', who: 'ada', why: 'ticket 4711' })
      await first.till.pay({ ...byCard, cvv2: '101' })
      await passes(first)
      expect(first.books()).toEqual(['basket-7.2r sale declined'])
    })
    await shop.till.pay(byCard)
    await passes(shop)
    expect((await shop.till.pay(byCard)).kind).toBe('over')
    expect(shop.books()).toEqual(['basket-7.2r sale declined', 'basket-7.3r sale approved'])
    expect(shop.told).toEqual(['basket-7 declined 10.00', 'basket-7 paid 10.00'])
  })
})
