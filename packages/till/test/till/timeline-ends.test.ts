/** How a change ended, as `tillkit return` reads it out of the timeline: compared with the gateway's books. */

import { describe, expect, it } from 'vitest'
import { endOf } from '../../../cli/src/till/moved.js'
import type { Payment } from '../../src/rules/pay/payment.js'
import { ada, chargedShop, passes, stages } from './acts.js'
import { basket, openShop, type Shop } from './shop.js'

const cup = { amount: '3.00', key: 'cup' }
const saucer = { amount: '2.00', key: 'saucer' }

const endNow = async ({ till }: Shop, key?: string) =>
  endOf({ name: 'return', key, of: 'basket-7' }, await till.payment('basket-7'))

const orderIdIn = ({ gateway }: Shop) => gateway.orders.find('basket-7')?.orderId ?? ''

const correct = (shop: Shop, status: 'approved' | 'declined') =>
  shop.gateway.act({ action: 'correct', status, orderId: orderIdIn(shop) })

/** The answers are lost to so many returns. */
const loseAnswers = ({ gateway }: Shop, times: number) =>
  gateway.faults.arm({ fault: 'commit-then-drop', operation: 'return', times })

describe('a return', () => {
  it.each([
    ['a part', cup],
    ['the whole', undefined],
  ])('was sent, though its answer was lost: %s', async (_, part) => {
    const shop = await chargedShop()
    loseAnswers(shop, 1)
    expect((await shop.till.return('basket-7', part)).kind).toBe('unknown')
    expect(await endNow(shop, part?.key)).toEqual({ kind: 'processing' })
    await passes(shop)
    expect(stages(shop).slice(1)).toEqual([`reversal ${part?.amount ?? '10.00'} approved`])
    expect(await endNow(shop, part?.key)).toEqual({ kind: 'sent' })
  })

  it('was declined, though its answer was lost, and another one was sent', async () => {
    const shop = await chargedShop()
    await shop.till.return('basket-7', saucer)
    await passes(shop)
    loseAnswers(shop, 1)
    shop.gateway.outcomes.plan({ outcome: 'declined', operation: 'return' })
    await shop.till.return('basket-7', cup)
    await passes(shop)
    expect(stages(shop).slice(1)).toEqual(['reversal 2.00 approved', 'reversal 3.00 declined'])
    expect(await endNow(shop, 'saucer')).toEqual({ kind: 'sent' })
    expect((await endNow(shop, 'cup')).kind).toBe('declined')
  })

  it('that was declined was sent once the gateway approved it late, and not for certain once it takes that back', async () => {
    const shop = await chargedShop()
    shop.gateway.outcomes.plan({ outcome: 'declined', operation: 'return' })
    await shop.till.return('basket-7', cup)
    await passes(shop)
    expect((await endNow(shop, 'cup')).kind).toBe('declined')
    correct(shop, 'approved')
    await passes(shop)
    expect(stages(shop).slice(1)).toEqual(['reversal 3.00 approved'])
    expect(await endNow(shop, 'cup')).toEqual({ kind: 'sent' })
    correct(shop, 'declined')
    await passes(shop)
    expect(await endNow(shop, 'cup')).toEqual({ kind: 'processing' })
    await shop.till.decide('basket-7', { kind: 'settled', outcome: 'declined', ...ada })
    expect((await endNow(shop, 'cup')).kind).toBe('declined')
  })
  it('of one of two orders that were both paid is not taken for that of the other one', async () => {
    const shop = await openShop({ replaceOpenForm: true })
    const first = await shop.till.pay(basket)
    await passes(shop)
    await shop.customerPays((await shop.till.pay({ ...basket, amount: '12.00' })).address)
    await passes(shop)
    await shop.till.return('basket-7.2r')
    await passes(shop)
    await shop.customerPays(first.address)
    await passes(shop)
    shop.gateway.outcomes.plan({ outcome: 'declined', operation: 'return' })
    await shop.till.return('basket-7')
    await passes(shop)
    expect(shop.books()).toEqual([
      'basket-7 sale approved, reversal declined',
      'basket-7.2r sale approved, reversal approved',
    ])
    const payment = await shop.till.payment('basket-7')
    expect(endOf({ name: 'return', key: undefined, of: 'basket-7.2r' }, payment)).toEqual({ kind: 'sent' })
    expect(endOf({ name: 'return', key: undefined, of: 'basket-7' }, payment).kind).toBe('declined')
  })
  it('is not over for certain once the gateway names other money for it', () => {
    const about = { order: 1, clientOrderId: 'basket-7', text: '' }
    const stage = { ...about, nth: 2, stage: 'reversal' as const }
    const timeline = [
      { ...about, kind: 'requested', request: 'r-2', operation: 'return', key: 'cup' },
      { ...about, kind: 'answered', request: 'r-2', ended: 'accepted', basis: 'answer', serialNumber: 's-2' },
      { ...stage, kind: 'status', status: 'approved', outcome: 'approved', serialNumber: 's-2', amount: '3.00' },
    ] as const
    const ofCup = { name: 'return', key: 'cup', of: 'basket-7' }
    const endBy = (entries: Payment['timeline']) =>
      endOf(ofCup, { reference: 'basket-7', timeline: entries } as Payment)
    expect(endBy(timeline)).toEqual({ kind: 'sent' })
    expect(endBy([...timeline, { ...stage, kind: 'restated', amount: '2.00' }])).toEqual({ kind: 'processing' })
  })
})
