/** Two orders of a payment bring money, and the till gives the later one back: counted in the gateway's books. */

import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { createTill } from '../../src/index.js'
import { memoryStore } from '../../src/store/memory-store.js'
import { passes, quiet } from './acts.js'
import { engines } from './engines.js'
import { basket } from './shop.js'
import { returnMeanwhile, surplusSurvives, twoTills } from './surplus-races.js'
import {
  bothKept,
  laterReturned,
  openForms,
  orderId,
  owingShop,
  paidReturned,
  paysBoth,
  returnsOf,
  surplusShop,
  toldAll,
} from './surplus-shop.js'

describe('a surplus', () => {
  it('is left to a person, unless the till is to give it back', async () => {
    const shop = await surplusShop({ surplus: 'person' })
    await paysBoth(shop)
    for (let round = 0; round < 3; round += 1) await passes(shop, quiet)
    expect([shop.books(), shop.told]).toEqual([bothKept, toldAll.slice(0, 2)])
    expect((await shop.till.report()).surplus.total).toBe(1)
  })

  it('is told once, returned once, and told as returned', async () => {
    const shop = await surplusShop()
    await paysBoth(shop)
    for (let round = 0; round < 3; round += 1) await passes(shop, quiet)
    expect([shop.books(), shop.told, returnsOf(shop)]).toEqual([laterReturned, toldAll, ['basket-7']])
    expect(await shop.till.payment('basket-7')).toMatchObject({ state: 'paid', needsPerson: undefined })
    expect((await shop.till.report()).surplus.total).toBe(0)
  })

  it('of a hold is voided', async () => {
    const shop = await surplusShop()
    await paysBoth(shop, true)
    for (let round = 0; round < 3; round += 1) await passes(shop, quiet)
    expect(shop.books()).toEqual(['basket-7 preauth approved, void approved', 'basket-7.2r preauth approved'])
    expect(shop.told).toEqual(['basket-7 held 12.00', 'basket-7 surplus 10.00', 'basket-7 released 10.00'])
    expect([returnsOf(shop, 'void'), returnsOf(shop)]).toEqual([['basket-7'], []])
  })

  it('of two orders beside the one that was paid is given back twice, once of each', async () => {
    const shop = await surplusShop()
    const { first, second } = await openForms(shop)
    const { address } = await shop.till.pay({ ...basket, amount: '14.00' })
    for (const form of [address, first, second]) await shop.customerPays(form)
    await shop.gateway.callbacks.idle()
    for (let round = 0; round < 4; round += 1) await passes(shop, quiet)
    expect(shop.books()).toEqual([
      'basket-7 sale approved, reversal approved',
      'basket-7.2r sale approved, reversal approved',
      'basket-7.3r sale approved',
    ])
    expect(shop.told.toSorted()).toEqual(
      [
        'basket-7 paid 14.00',
        'basket-7 surplus 10.00',
        'basket-7 surplus 12.00',
        'basket-7 returned 10.00',
        'basket-7 returned 12.00',
      ].toSorted(),
    )
  })

  it('is refused as an option that is no such word', () => {
    const options = { account: createFakeGateway().clientOptions, address: 'https://shop.example/p', surplus: 'void' }
    const make = () =>
      createTill({ ...options, store: memoryStore(), returnTo: () => '/', onOutcome: () => {} } as never)
    expect(make).toThrow('it must be "person" or "return"')
  })
})

describe('a surplus that is not given back yet', () => {
  it('is, once it can be', async () => {
    const { shop } = await owingShop()
    for (let round = 0; round < 3; round += 1) await passes(shop, quiet)
    expect([shop.books(), shop.told, returnsOf(shop)]).toEqual([laterReturned, toldAll, ['basket-7']])
  })

  it.each(['at the till', 'at the gateway', 'at the gateway, without a callback'])(
    'is kept where the customer was given the other order back meanwhile, %s',
    async where => {
      const { shop, warned } = await owingShop()
      if (where.endsWith('callback')) shop.gateway.faults.arm({ fault: 'callback-never', times: 9 })
      if (where === 'at the till') await shop.till.return('basket-7.2r')
      else shop.gateway.act({ action: 'reverse', orderId: orderId(shop, 'basket-7.2r') })
      for (let round = 0; round < 4; round += 1) await passes(shop, quiet)
      expect([shop.books(), shop.told]).toEqual([paidReturned, [...toldAll.slice(0, 2), 'basket-7 returned 12.00']])
      expect(returnsOf(shop)).toEqual(where === 'at the till' ? ['basket-7.2r'] : [])
      expect(warned('WARN_WISH_GONE')).toEqual([expect.stringContaining('so this one is kept')])
    },
  )

  it('waits while it is not known whether the other order goes back', async () => {
    const { shop } = await owingShop()
    shop.gateway.faults.arm({ fault: 'commit-then-drop', operation: 'return' })
    shop.gateway.faults.arm({ fault: 'callback-never', times: 9 })
    shop.gateway.faults.arm({ fault: 'status-lags', times: 6 })
    await shop.till.return('basket-7.2r')
    for (let round = 0; round < 12; round += 1) await passes(shop, quiet)
    expect([shop.books(), returnsOf(shop)]).toEqual([paidReturned, ['basket-7.2r']])
  })

  it.each(['at the till', 'at the gateway'])('is done where a person gave it back, %s', async where => {
    const { shop, warned } = await owingShop()
    // "basket-7" names the payment: a person gives the first order back at the gateway, or with the client.
    if (where === 'at the till')
      await shop.till.client.return({ clientOrderId: 'basket-7', orderId: orderId(shop, 'basket-7') })
    else shop.gateway.act({ action: 'reverse', orderId: orderId(shop, 'basket-7') })
    for (let round = 0; round < 4; round += 1) await passes(shop, quiet)
    expect([shop.books(), shop.told]).toEqual([laterReturned, toldAll])
    expect(returnsOf(shop)).toEqual(where === 'at the till' ? ['basket-7'] : [])
    expect(warned('WARN_WISH_GONE')).toEqual([])
  })

  it('is left to a person where the gateway declines, after one try', async () => {
    const { shop } = await owingShop()
    shop.gateway.outcomes.plan({ outcome: 'declined', operation: 'return', times: 9 })
    for (let round = 0; round < 4; round += 1) await passes(shop, quiet)
    expect([shop.told.at(-1), returnsOf(shop)]).toEqual(['basket-7 failed 10.00', ['basket-7']])
    expect((await shop.till.report()).surplus).toMatchObject({ total: 1, items: [{ reference: 'basket-7' }] })
  })
})

describe('two processes', () => {
  it('on one file give a surplus back once', async () => {
    const { shop, other } = await twoTills('file')
    await Promise.all([shop.till.tick(), other.tick(), shop.till.tick()])
    for (let round = 0; round < 3; round += 1) {
      await passes(shop, quiet)
      await other.tick()
    }
    expect([shop.books(), returnsOf(shop)]).toEqual([laterReturned, ['basket-7']])
  })

  it('never give both orders back, whenever the other one returns what was paid', async () => {
    // At the first of these calls the other process is early enough, at the last one it comes too late.
    expect(await returnMeanwhile('memory', [8, 9])).toEqual(['basket-7.2r', 'basket-7'])
  })
})

describe('a process that dies while it tells a surplus', () => {
  surplusSurvives(
    [
      { at: 9, when: 'after' },
      { at: 12, when: 'before' },
    ],
    engines.memory,
  )
})
