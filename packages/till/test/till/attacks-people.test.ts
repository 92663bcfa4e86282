/** A person decides beside what happens at the same time: nothing moves twice. Counted in the gateway's books. */

import { defaultProfile } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it, vi } from 'vitest'
import { followUpGone } from '../../src/rules/delivery/delivery.js'
import { readDocument } from '../../src/rules/kept/entry.js'
import { decideMatter } from '../../src/rules/people/decide.js'
import type { PaymentDocument } from '../../src/state/document.js'
import { documentKey } from '../../src/store/keys.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { ada, passes } from './acts.js'
import { placeOf } from './place.js'
import { basket, openShop, type Shop, type ShopOptions } from './shop.js'

const minute = 60_000

/** A shop where two forms of a payment were paid, and nothing can be sent for the moment. */
async function surplusShop(options: ShopOptions<never> = {}) {
  const shop = await openShop({ replaceOpenForm: true, ...options })
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const first = await shop.till.pay(basket)
  const second = await shop.till.pay({ ...basket, amount: '12.00' })
  await shop.customerPays(second.address)
  await shop.customerPays(first.address)
  await shop.gateway.callbacks.idle()
  expect(shop.told).toEqual(['basket-7 paid 12.00', 'basket-7 surplus 10.00'])
  return shop
}

const orderId = ({ gateway }: Shop, clientOrderId: string) => gateway.orders.find(clientOrderId)?.orderId ?? ''

describe('an order that a person decided to give back', () => {
  it.each(['charge-back', 'reverse'] as const)('is kept where the other one went back meanwhile: %s', async action => {
    const shop = await surplusShop()
    shop.gateway.faults.arm({ fault: 'drop', operation: 'status', times: 99 })
    shop.gateway.faults.arm({ fault: 'refuse-connection', times: 99 })
    await shop.till.decide('basket-7', { kind: 'give-back', order: 'basket-7', ...ada })
    expect(shop.gateway.calls('return')).toHaveLength(0)
    shop.gateway.faults.clear()
    shop.gateway.act({ action, orderId: orderId(shop, 'basket-7.2r') })
    await shop.gateway.callbacks.idle()
    for (let round = 0; round < 4; round += 1) await passes(shop)
    expect(shop.gateway.calls('return')).toHaveLength(0)
    expect(shop.books()[0]).toBe('basket-7 sale approved')
  })
})

describe('a decision to give back that came to nothing', () => {
  it('counts anew where there is surplus again, and once while it is under way', async () => {
    const gateway = createFakeGateway()
    const store = memoryStore({ clock: gateway.clientOptions.clock })
    const shop = await surplusShop({ gateway, store: store as Store<never> })
    const { stored, at } = await store.read(documentKey({ clientOrderId: 'basket-7' }, placeOf(shop.till)))
    if (stored === undefined) throw new Error('The payment is not in the store.')
    const giveBack = (document: PaymentDocument) => {
      const facts = { person: ada, at, profile: defaultProfile }
      const verdict = decideMatter(document, { kind: 'give-back', order: 'basket-7' }, facts)
      if (verdict.kind !== 'done') throw new Error(verdict.kind)
      return verdict
    }
    const first = giveBack(readDocument(stored))
    expect([first.again, giveBack(first.document).again]).toEqual([false, true])
    // The other order went back meanwhile, so that this one was kept; then that return was taken back.
    const second = giveBack((first.document.wishes ?? []).reduce(followUpGone, first.document))
    expect([second.again, second.document.wishes]).toMatchObject([
      false,
      [{ clientOrderId: 'basket-7', name: 'return' }],
    ])
  })
})

describe('an order that was declined, and approved after the next one was paid', () => {
  /** A shop that gives surplus back, where the first order is corrected to approved after the second one was paid. */
  async function correctedShop(hold = false) {
    const shop = await openShop({ surplus: 'return' })
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    await shop.customerPays((await shop.till.pay({ ...basket, hold })).address, '101')
    await shop.gateway.callbacks.idle()
    await shop.customerPays((await shop.till.pay({ ...basket, hold })).address)
    await shop.gateway.callbacks.idle()
    return { ...shop, correct: (status: 'approved' | 'declined' = 'approved') => correct(shop, status) }
  }
  const correct = (shop: Shop, status: 'approved' | 'declined') =>
    shop.gateway.act({ action: 'correct', status, orderId: orderId(shop, 'basket-7') })

  it.each([
    { hold: false, name: 'return', back: 'sale approved, reversal approved', other: 'sale approved' },
    { hold: true, name: 'void', back: 'preauth approved, void approved', other: 'preauth approved' },
  ])('is given back once: $name', async ({ hold, name, back, other }) => {
    const shop = await correctedShop(hold)
    shop.correct()
    for (let round = 0; round < 4; round += 1) await passes(shop, 30 * minute)
    expect(shop.books()).toEqual([`basket-7 ${back}`, `basket-7.2r ${other}`])
    expect(shop.gateway.calls(name)).toHaveLength(1)
  })

  it('and is declined again before it is given back: nothing is sent, and a person is needed', async () => {
    const shop = await correctedShop()
    shop.gateway.faults.arm({ fault: 'refuse-connection', times: 1 })
    shop.correct()
    shop.correct('declined')
    for (let round = 0; round < 4; round += 1) await passes(shop, 30 * minute)
    expect(shop.gateway.calls('return')).toHaveLength(0)
    expect(shop.books()[1]).toBe('basket-7.2r sale approved')
  })
})

describe('a part that a person gave up', () => {
  it.each([true, false])(
    'and that arrives an hour later is told, and nothing more goes back by a sum that is a guess (called back: %s)',
    async isCalledBack => {
      const shop = await openShop()
      vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
      await shop.customerPays((await shop.till.pay(basket)).address)
      await shop.gateway.callbacks.idle()
      shop.gateway.faults.arm({ fault: 'delayed-commit', operation: 'return', delay: 60 * minute })
      if (!isCalledBack) shop.gateway.faults.arm({ fault: 'callback-never', times: 9 })
      await shop.till.return('basket-7', { amount: '3.00', key: 'parcel-2' })
      await passes(shop)
      expect(await shop.till.decide('basket-7', { kind: 'failed', ...ada })).toMatchObject({ kind: 'done' })
      for (let round = 0; round < 3; round += 1) await passes(shop, 60 * minute)
      if (isCalledBack) expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 returned 3.00'])
      await shop.till.return('basket-7').catch(() => undefined)
      for (let round = 0; round < 3; round += 1) await passes(shop, 60 * minute)
      await shop.till.return('basket-7').catch(() => undefined)
      await passes(shop)
      const amounts = shop.gateway.orders
        .find('basket-7')
        ?.stages.map(({ stage, amount, status }) => `${stage} ${amount} ${status}`)
      expect(amounts).toEqual(['sale 10.00 approved', 'reversal 3.00 approved'])
      expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 returned 3.00'])
    },
  )
})
