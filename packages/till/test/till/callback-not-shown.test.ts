/** Money goes back at the gateway, and more does before status is asked: status shows the last movement, and a callback alone tells of the first. */
import { signedCallback } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { ada, minute, passes } from './acts.js'
import { orderOf } from './outsider.js'
import { byCard, openShop, type Shop } from './shop.js'

const hour = 60 * minute

/** The gateway calls about the first movement, which status does not show. */
async function calls(shop: Shop): Promise<number> {
  const { controlKey } = shop.gateway.clientOptions
  const extra = { type: 'reversal', amount: '4.00' }
  const called = signedCallback({ controlKey, status: 'approved', ...orderOf(shop), extra })
  return (await fetch(called.url(`${shop.origin}/payments/callback`))).status
}

/** A shop of whose sale 4.00 and then the rest were given back at the gateway's screens. Of the first movement there is a callback alone. */
async function coveredShop() {
  const shop = await openShop()
  await shop.till.pay(byCard)
  await shop.gateway.callbacks.idle()
  shop.gateway.faults.arm({ fault: 'callback-never', times: 99 })
  const { orderId } = orderOf(shop)
  shop.gateway.act({ orderId, action: 'reverse', amount: '4.00' })
  shop.gateway.act({ orderId, action: 'charge-back' })
  expect(await calls(shop)).toBe(503)
  await passes(shop, minute)
  expect(shop.told.splice(0)).toEqual(['basket-7 paid 10.00', 'basket-7 chargeback 6.00'])
  expect(await shop.till.questions('basket-7')).toEqual([])
  for (let passed = 0; passed < hour; passed += 10 * minute) await passes(shop, 10 * minute)
  return shop
}

describe('a callback of what status does not show', () => {
  it('is asked of a person after an hour, and no sum is said meanwhile', async () => {
    const shop = await coveredShop()
    expect(await shop.till.questions('basket-7')).toMatchObject([
      { kind: 'not-shown', callbacks: [{ status: 'approved', stage: 'reversal', amount: '4.00' }] },
    ])
    const payment = await shop.till.payment('basket-7')
    expect(payment.totals).toBeUndefined()
    expect(payment.uncertain).toContain('the return over 4.00 is approved, and status never showed that')
    expect(payment.needsPerson).toContain('said what status does not show')
    expect((await shop.till.report()).needsPerson).toMatchObject({ total: 1 })
    // It is answered now: the gateway need not call any more.
    expect(await calls(shop)).toBe(200)
    expect(shop.told).toEqual([])
  })

  it('is told once a person takes up what the gateway’s screens say', async () => {
    const shop = await coveredShop()
    const stages = shop.gateway.orders.find('basket-7')?.stages ?? []
    const serialNumbers = stages.flatMap(each => each.serialNumbers[0] ?? [])
    await shop.till.adopt({ reference: 'basket-7', serialNumbers })
    expect(await shop.till.questions('basket-7')).toEqual([])
    expect(shop.told).toEqual(['basket-7 returned 4.00'])
    expect((await shop.till.payment('basket-7')).totals).toMatchObject({ captured: '10.00', returned: '10.00' })
  })

  it('is noted where no more can be known, and no sum is said for good', async () => {
    const shop = await coveredShop()
    const noted = () => shop.till.decide('basket-7', { kind: 'noted', ...ada })
    expect(await noted()).toMatchObject({ kind: 'refused', because: 'under-way' })
    await shop.gateway.clock.advance(10 * minute)
    expect(await noted()).toMatchObject({ kind: 'done', again: false })
    expect(await shop.till.questions('basket-7')).toEqual([])
    const { totals, needsPerson, timeline } = await shop.till.payment('basket-7')
    expect([totals, needsPerson]).toEqual([undefined, undefined])
    expect(timeline.map(({ text }) => text).slice(-2)).toEqual([
      'A callback with the right key said that the return over 4.00 is approved. Status did not show that within an hour: a person must look it up at the gateway.',
      'ada decided that no more can be known of what callbacks said of order basket-7. The reason given: "ticket 4711".',
    ])
    expect(await calls(shop)).toBe(200)
    expect(await shop.till.questions('basket-7')).toEqual([])
  })
})
