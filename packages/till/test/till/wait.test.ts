/** `till.wait`: who wakes it, and how often the gateway is asked. */

import { createFakeClock, createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { basket, card, openShop } from './shop.js'

/** A shop whose time is the gateway's, and passes only where a test says so; a payment takes the gateway two minutes. */
async function slowShop({ listens = false } = {}) {
  const now = Date.now()
  const gateway = createFakeGateway({
    processingTime: 120_000,
    maxCalls: 10_000,
    clock: createFakeClock({ base: () => now }),
  })
  const store = memoryStore({ clock: gateway.clock.now }) as DocumentStore as Store<never>
  const options = { gateway, listens, store, wait: gateway.clock.wait }
  const shop = await openShop(options)
  await shop.till.pay({ ...basket, ...card })
  return { gateway, shop, options, asked: () => gateway.calls('status').length }
}

/** Everything under way goes on until it waits for time to pass. */
async function settled(gateway: ReturnType<typeof createFakeGateway>) {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(resolve => setImmediate(resolve))
  await gateway.callbacks.idle()
}

/** Time passes in steps, and what falls due in each is done. */
async function passes(gateway: ReturnType<typeof createFakeGateway>, milliseconds: number) {
  for (let passed = 0; passed < milliseconds; passed += 250) {
    await gateway.clock.advance(250)
    await settled(gateway)
  }
}

describe('a hundred who wait for one payment', () => {
  it('ask the gateway once together, and again with growing pauses', async () => {
    const { gateway, shop, asked } = await slowShop()
    const before = asked()
    const waiting = Promise.all(Array.from({ length: 100 }, () => shop.till.wait('basket-7', { timeout: 100_000 })))
    await passes(gateway, 60_000)
    // At once, after 0.25, 0.75, 1.75, 3.75 and 7.75 seconds, and then every five.
    expect(asked() - before).toBeGreaterThan(12)
    expect(asked() - before).toBeLessThan(20)
    await gateway.clock.advance(50_000)
    expect(new Set((await waiting).map(({ state }) => state))).toEqual(new Set(['open']))
    await settled(gateway)
    const after = asked()
    await gateway.clock.advance(5_000)
    await settled(gateway)
    expect(asked()).toBe(after)
  })
})

describe('two hundred who wait, each for another payment', () => {
  it('ask the gateway no more often together than a till may, and all hear their end', async () => {
    const { gateway, shop } = await slowShop()
    const references = Array.from({ length: 200 }, (_, nth) => `basket-${nth + 100}`)
    for (const reference of references) await shop.till.pay({ ...basket, ...card, reference })
    await gateway.clock.advance(115_000)
    const before = gateway.calls('status').length
    const waiting = references.map(reference => shop.till.wait(reference))
    await passes(gateway, 4_000)
    const asked = gateway.calls('status').length - before
    // Ten at once, and ten a second.
    expect(asked).toBeLessThanOrEqual(10 + 40)
    expect(asked).toBeGreaterThanOrEqual(40)
    // The gateway is done, and calls back: nobody waits for a turn of its own.
    await passes(gateway, 1_500)
    expect(new Set((await Promise.all(waiting)).map(({ state }) => state))).toEqual(new Set(['paid']))
    expect(new Set(shop.told)).toEqual(new Set(['basket-7', ...references].map(each => `${each} paid 10.00`)))
  })

  it('hold no turn once they have left', async () => {
    const { gateway, shop } = await slowShop()
    const references = Array.from({ length: 100 }, (_, nth) => `basket-${nth + 100}`)
    for (const reference of references) await shop.till.pay({ ...basket, ...card, reference })
    const leaving = references.map(reference => ({ reference, end: new AbortController() }))
    const left = leaving.map(({ reference, end }) => shop.till.wait(reference, { signal: end.signal }))
    await passes(gateway, 500)
    for (const { end } of leaving) end.abort()
    await Promise.all(left)
    const before = gateway.calls('status').length
    const last = shop.till.wait('basket-199', { timeout: 2_000 })
    await passes(gateway, 500)
    const asked = gateway.calls('status').slice(before)
    expect(asked.map(({ fields }) => fields.find(([name]) => name === 'client_orderid')?.[1])).toContain('basket-199')
    await passes(gateway, 2_000)
    expect((await last).state).toBe('open')
  })
})

describe('somebody who waits', () => {
  it('is woken by a callback that is told here, before any look or question of its own', async () => {
    const { gateway, shop, asked } = await slowShop()
    await gateway.clock.advance(115_000)
    const waiting = shop.till.wait('basket-7')
    await settled(gateway)
    // The next question of the one who waits is at 115.25, 115.75, 116.75 and 118.75 seconds.
    await passes(gateway, 4_500)
    const before = asked()
    // The gateway is done at 120 seconds; the next question of the one who waits would come at 122.75.
    await passes(gateway, 750)
    let state: string | undefined
    void waiting.then(payment => {
      state = payment.state
    })
    await settled(gateway)
    expect(state).toBe('paid')
    // The callback's own question, and none of the one who waits.
    expect(asked() - before).toBe(1)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })

  it('learns within a second what another process was told', async () => {
    const { gateway, shop, options } = await slowShop({ listens: true })
    // The callback goes to the first shop; somebody waits at the second, which cannot reach the gateway.
    const { baseUrl: _, ...account } = gateway.clientOptions
    const other = await openShop({ ...options, accounts: [{ ...account, baseUrl: 'http://127.0.0.1:1/paynet' }] })
    let state: string | undefined
    void other.till.wait('basket-7', { timeout: 200_000 }).then(payment => {
      state = payment.state
    })
    await settled(gateway)
    await passes(gateway, 120_000)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    await passes(gateway, 1_000)
    expect(state).toBe('paid')
    expect(other.told).toEqual([])
  })

  it('waits no longer than was said, than its signal, or than the till is open', async () => {
    const { gateway, shop } = await slowShop()
    const hanging = new AbortController()
    const byTimeout = shop.till.wait('basket-7', { timeout: 3_000 })
    const bySignal = shop.till.wait('basket-7', { signal: hanging.signal })
    const byClosing = shop.till.wait('basket-7')
    await settled(gateway)
    await gateway.clock.advance(3_000)
    expect((await byTimeout).state).toBe('open')
    hanging.abort()
    expect((await bySignal).state).toBe('open')
    await shop.close()
    expect((await byClosing).state).toBe('open')
  })

  it('is told at once of what is over', async () => {
    const { gateway, shop } = await slowShop()
    await gateway.clock.advance(121_000)
    await settled(gateway)
    const before = gateway.calls('status').length
    expect((await shop.till.wait('basket-7')).state).toBe('paid')
    expect(gateway.calls('status')).toHaveLength(before)
  })
})
