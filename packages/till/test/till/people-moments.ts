/** Two persons, or a person and the gateway, at the moment of a decision. */

import { describe, expect, it } from 'vitest'
import type { Till } from '../../src/index.js'
import type { DocumentStore } from '../../src/store/store.js'
import { ada, bob, minute, passes } from './acts.js'
import type { Engine } from './engines.js'
import { another, failed, givenBack, surplusShop, unknownShop } from './people-deaths.js'
import { byCard } from './shop.js'

/** Defines the tests of two persons, the gateway and a decision at the same moment. */
export const momentsOfDecision = (engine: Engine): void => {
  describe(`at the moment of a decision, in ${engine.name}`, () => {
    it('two persons say the same: it is decided once, and one next order is opened', async () => {
      const { shop, store } = await unknownShop(engine)
      const other = another(shop, store)
      const results = await Promise.all([
        shop.till.decide('basket-7', failed),
        other.decide('basket-7', { ...failed, ...bob }),
      ])
      expect(results.map(each => each.kind === 'done' && each.again).sort()).toEqual([false, true])
      await shop.till.pay(byCard)
      await passes(shop)
      expect(shop.books()).toEqual(['basket-7.2r sale approved'])
      await other.close()
    })

    it('status brings the answer before the decision is written: it is not written, and nothing is opened', async () => {
      const { shop, store } = await unknownShop(engine, 'delayed-commit')
      let brought = 0
      const write: DocumentStore['write'] = async (key, entry, options) => {
        if (entry.body.includes('"decided"') && brought === 0) {
          brought += 1
          shop.gateway.faults.arm('callback-never')
          await shop.gateway.clock.advance(60 * minute)
          await shop.till.client.status({ clientOrderId: 'basket-7' })
        }
        return store.write(key, entry, options)
      }
      const late = another(shop, { ...store, write })
      // Status has shown the order: its request is no longer one that nobody knows the end of.
      expect(await late.decide('basket-7', failed)).toMatchObject({ kind: 'refused', because: 'nothing-to-decide' })
      expect(brought).toBe(1)
      await passes(shop)
      expect((await shop.till.pay(byCard)).kind).toBe('over')
      expect(shop.told).toEqual(['basket-7 paid 10.00'])
      expect(shop.books()).toEqual(['basket-7 sale approved'])
      await late.close()
    })

    it('two persons give back one order each: one goes back', async () => {
      const { shop, store } = await surplusShop(engine)
      const other = another(shop, store)
      const give = (till: Till, order: string) => till.decide('basket-7', { kind: 'give-back', order, ...ada })
      const results = await Promise.all([give(shop.till, 'basket-7'), give(other, 'basket-7.2r')])
      expect(results.map(({ kind }) => kind).sort()).toEqual(['done', 'refused'])
      await passes(shop)
      expect(givenBack(shop)).toHaveLength(1)
      await other.close()
    })
  })
}
