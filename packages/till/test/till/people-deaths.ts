/** Shops where a person must decide, and a process that dies while it takes the decision. */

import { createFakeGateway } from '@tillkit/testing'
import { expect, it } from 'vitest'
import { createTill, type DecisionRequest, type Till } from '../../src/index.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { ada, minute, passes, quiet } from './acts.js'
import { type Death, dyingStore } from './dying-store.js'
import { type Engine, engines } from './engines.js'
import { quickWait } from './quick-wait.js'
import { readyAccount } from './ready-account.js'
import { basket, byCard, openShop, type Shop } from './shop.js'

export const failed: DecisionRequest = { kind: 'failed', ...ada }

/** Another process of the shop, on the same or a failing store. */
export const another = (shop: Shop, store: DocumentStore): Till =>
  createTill({
    account: readyAccount(shop.gateway),
    store: store as Store<never>,
    address: `${shop.origin}/payments`,
    returnTo: () => '/',
    onOutcome: () => new Promise<never>(() => {}),
    clock: shop.gateway.clientOptions.clock,
    wait: quickWait,
  })

/** A card payment that was not answered; it never arrives, or an hour later. */
export async function unknownShop({ open }: Engine, fault: 'drop' | 'delayed-commit' = 'drop') {
  const gateway = createFakeGateway()
  const store = open(gateway.clientOptions.clock)
  const shop = await openShop({ gateway, store: store as Store<never> })
  gateway.faults.arm({ fault, operation: 'sale', ...(fault === 'drop' ? {} : { delay: 60 * minute }) })
  await shop.till.pay(byCard)
  await passes(shop)
  return { shop, store }
}

/** Two orders were paid. */
export async function surplusShop({ open }: Engine) {
  const gateway = createFakeGateway()
  const store = open(gateway.clientOptions.clock)
  const shop = await openShop({ gateway, store: store as Store<never>, replaceOpenForm: true })
  const first = await shop.till.pay(basket)
  const second = await shop.till.pay({ ...basket, amount: '12.00' })
  await shop.customerPays(second.address)
  await shop.customerPays(first.address)
  await gateway.callbacks.idle()
  return { shop, store }
}

export const givenBack = ({ books }: Shop) => books().filter(line => line.includes('reversal'))

/** Lets a process die, and waits until nothing of it reaches the gateway any more. */
async function dies(shop: Shop, store: DocumentStore, death: Death, work: (till: Till) => Promise<unknown>) {
  const dying = dyingStore(store, death)
  const doomed = another(shop, dying.store)
  await Promise.race([dying.died, work(doomed).catch(() => {})])
  expect(dying.isDead()).toBe(true)
  await new Promise(resolve => setImmediate(resolve))
}

/** Defines a test for each death of a till that takes the decision that a request of unknown outcome failed. */
export const failedSurvives = (deaths: readonly Death[]): void => {
  it.each(deaths)(
    'till.decide, request unknown, process dies $when call $at of its store: said again, it is done, and one order is charged',
    async death => {
      const { shop, store } = await unknownShop(engines.memory)
      await dies(shop, store, death, till => till.decide('basket-7', failed))
      await shop.gateway.clock.advance(quiet)
      expect(await shop.till.decide('basket-7', failed)).toMatchObject({ kind: 'done' })
      await shop.till.pay(byCard)
      await passes(shop)
      expect(shop.told).toEqual(['basket-7 paid 10.00'])
      expect(shop.books()).toEqual(['basket-7.2r sale approved'])
    },
  )
}

/** Defines a test for each death of a till that takes the decision to give an order back. */
export const giveBackSurvives = (deaths: readonly Death[]): void => {
  it.each(deaths)(
    'till.decide, surplus, process dies $when call $at of its store: whoever works next gives one order back, once',
    async death => {
      const { shop, store } = await surplusShop(engines.memory)
      const decision: DecisionRequest = { kind: 'give-back', order: 'basket-7.2r', ...ada }
      await dies(shop, store, death, till => till.decide('basket-7', decision))
      await passes(shop)
      expect(await shop.till.decide('basket-7', decision)).toMatchObject({ kind: 'done' })
      await passes(shop)
      // It died between the reservation and the request: status cannot show that nothing was sent, so a person says so.
      for (const { kind } of await shop.till.questions('basket-7'))
        if (kind === 'unknown') expect(await shop.till.decide('basket-7', failed)).toMatchObject({ kind: 'done' })
      await passes(shop)
      expect(givenBack(shop)).toEqual(['basket-7.2r sale approved, reversal approved'])
      expect(shop.told.filter(line => line.includes('returned'))).toEqual(['basket-7 returned 12.00'])
      expect((await shop.till.payment('basket-7')).state).toBe('paid')
    },
  )
}
