/** Attempts that never ended, because the process that sent them did. Over real HTTP. */

import type { RememberedAttempt } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { closeShops, minute, openShop, part, preauthorized, type Shop, sale, sold, unknown } from './resolving.js'
import { dyingStore, oneTurn } from './watched-store.js'

closeShops()

/** A client of a process that ends before it has noted how a request ended. */
function crashing(shop: Shop) {
  return shop.another({ store: dyingStore(shop.store), wait: oneTurn })
}

const last = ({ store }: Shop) => JSON.parse(JSON.stringify(store.attempts().at(-1))) as RememberedAttempt

describe('an attempt that never ended', () => {
  it('is noted as accepted once status shows its order, which then is not made again', async () => {
    const shop = await openShop()
    await crashing(shop).sale(sale)
    expect(last(shop)).not.toHaveProperty('end')
    expect(await shop.client.resolve(last(shop))).toMatchObject({ kind: 'happened' })
    expect(last(shop)).toMatchObject({ end: { kind: 'accepted', basis: 'status', orderId: expect.any(String) } })
    await expect(shop.client.sale(sale)).rejects.toMatchObject({ code: 'ERR_ALREADY_SENT' })
    expect(shop.gateway.calls('sale')).toHaveLength(1)
  })

  it('is noted as accepted once status shows its change, and the order takes another one', async () => {
    const shop = await openShop()
    const ids = await preauthorized(shop)
    await crashing(shop).capture({ ...ids, ...part }, { attemptId: 'capture-1' })
    await expect(shop.client.return({ ...ids, ...part }, { attemptId: 'return-1' })).rejects.toMatchObject({
      code: 'ERR_OPEN_CHANGE',
    })
    expect(await shop.client.resolve(last(shop))).toMatchObject({ kind: 'happened' })
    expect(last(shop)).toMatchObject({ end: { kind: 'accepted', basis: 'status', orderId: ids.orderId } })
    await shop.client.return({ ...ids, ...part }, { attemptId: 'return-1' })
    expect(shop.gateway.calls('return')).toHaveLength(1)
  })

  it('keeps the serial number of its request, by which it is asked about later', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    const { serialNumber } = await shop.client.return({ ...ids, ...part }, { attemptId: 'return-1' })
    await shop.rewrite(body => body.replace(/(?<="operation":"return".*)"kind":"accepted"/, '"kind":"unknown"'))
    expect(last(shop)).toMatchObject({ end: { kind: 'unknown', serialNumber } })
    expect(await shop.client.resolve(last(shop))).toMatchObject({ kind: 'happened' })
    expect(last(shop)).toMatchObject({ end: { kind: 'accepted', basis: 'status', serialNumber } })
  })

  it('is told by the state before it where status does not know the serial number of its request', async () => {
    const shop = await openShop()
    const ids = await preauthorized(shop)
    await crashing(shop).capture({ ...ids, ...part }, { attemptId: 'capture-1' })
    const attempt = { ...last(shop), end: { kind: 'unknown', serialNumber: 'of-nothing', at: 0 } } as const
    // The store never heard of that ending: what is handed over says more.
    expect(last(shop)).not.toHaveProperty('end')
    expect(await shop.client.resolve(attempt)).toMatchObject({
      kind: 'happened',
      order: { stages: [{ stage: 'capture', amount: '3.00' }] },
    })
    expect(shop.gateway.calls('status').slice(-2)).toMatchObject([{ httpStatus: 400 }, { httpStatus: 200 }])
  })

  it('is noted once, however often it is resolved', async () => {
    const shop = await openShop()
    await crashing(shop).sale(sale)
    const noted: string[] = []
    const client = shop.another({ observer: { attempt: (_, end) => void noted.push(end?.kind ?? '') } })
    for (let asked = 0; asked < 3; asked += 1) {
      expect(await client.resolve(last(shop))).toMatchObject({ kind: 'happened' })
    }
    expect(noted).toEqual(['accepted'])
  })

  it('has left no trace only after two answers apart, in whatever process, once nothing can be on its way', async () => {
    const shop = await openShop()
    const baseUrl = 'http://127.0.0.1:1/paynet'
    const lost = shop.another({ store: dyingStore(shop.store), wait: oneTurn, baseUrl })
    await expect(lost.sale(sale)).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
    await shop.rewrite(body => body.replace(baseUrl, shop.client.baseUrl))
    const attempt = last(shop)
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'quiet-period' })
    // It may be sent until the call's 30 seconds are over, and its answer is waited for as long again.
    await shop.gateway.clock.advance(15 * minute)
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'quiet-period' })
    await shop.gateway.clock.advance(minute)
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'one-answer' })
    expect(last(shop)).not.toHaveProperty('end')
    await shop.gateway.clock.advance(5 * minute)
    // Another process goes on where the first one was.
    expect(await shop.another({}).resolve(attempt)).toMatchObject({ kind: 'no-trace' })
    expect(last(shop)).toMatchObject({ end: { kind: 'no-trace', basis: 'status' } })
  })

  it('never left no trace where its answer named an order, though the store was not told', async () => {
    const shop = await openShop()
    const baseUrl = 'http://127.0.0.1:1/paynet'
    const lost = shop.another({ store: dyingStore(shop.store), wait: oneTurn, baseUrl })
    await expect(lost.sale(sale)).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
    await shop.rewrite(body => body.replace(baseUrl, shop.client.baseUrl))
    const attempt = { ...last(shop), end: { kind: 'unknown', orderId: '77', at: 0 } } as const
    for (let times = 0; times < 3; times += 1) {
      await shop.gateway.clock.advance(60 * minute)
      expect(await shop.client.resolve(attempt)).toMatchObject({ kind: 'cannot-tell-yet', reason: 'no-answer' })
    }
    expect(last(shop)).not.toHaveProperty('end')
  })

  it('is noted as accepted where only the caller was told so', async () => {
    const shop = await openShop()
    const { orderId } = await crashing(shop).sale(sale)
    const attempt = { ...last(shop), end: { kind: 'accepted', orderId, at: 0 } } as const
    expect(await shop.client.resolve(attempt)).toMatchObject({ kind: 'happened' })
    expect(last(shop)).toMatchObject({ end: { kind: 'accepted', basis: 'status', orderId } })
  })

  it('stays open while status does not show it', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    shop.gateway.faults.arm('drop')
    await crashing(shop)
      .return({ ...ids, ...part }, { attemptId: 'return-1' })
      .catch(() => {})
    expect(await shop.client.resolve(last(shop))).toMatchObject({ reason: 'not-shown' })
    expect(last(shop)).not.toHaveProperty('end')
    await expect(shop.client.return({ ...ids, ...part }, { attemptId: 'return-2' })).rejects.toMatchObject({
      code: 'ERR_OPEN_CHANGE',
    })
  })
})

describe('an attempt that did nothing, and in whose place another one was sent', () => {
  it('has not happened because the other one has', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    shop.gateway.faults.arm('drop')
    const first = await unknown(shop.client.return({ ...ids, ...part }, { attemptId: 'parcel-2' }))
    await shop.client.decide(first, { kind: 'not-sent', note: 'ticket 4711' })
    await shop.client.return({ ...ids, ...part }, { attemptId: 'parcel-2' })
    expect(await shop.client.resolve(first)).toMatchObject({ reason: 'attempt-unknown', needsPerson: true })
    expect(shop.store.attempts().map(({ operation, end }) => [operation, end?.kind])).toEqual([
      ['sale', 'accepted'],
      ['return', 'accepted'],
    ])
    expect(shop.gateway.orders.find(sale.clientOrderId)?.stages).toHaveLength(2)
  })

  it('is not noted as accepted where status shows the order of the other one', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const first = await unknown(shop.client.sale(sale))
    await shop.client.decide(first, { kind: 'no-trace', note: 'ticket 4711' })
    await shop.client.sale(sale)
    for (const stale of [first, { ...first, reservation: 'an-earlier-one' }]) await shop.client.resolve(stale)
    expect(shop.store.attempts().map(({ end }) => end?.kind)).toEqual(['no-trace', 'accepted'])
  })
})
