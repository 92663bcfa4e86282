/** What became of an attempt that changed an order, over real HTTP. */

import type { RememberedAttempt } from '@tillkit/protocol'
import { hangUp } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import type { ResolvePosition } from '../src/index.js'
import { closeShops, lagWith, minute, openShop, part, preauthorized, sold, unknown } from './resolving.js'
import { oneTurn } from './watched-store.js'

closeShops()

describe('an attempt that changed', () => {
  it('happened when status shows its stage, and before it did not', async () => {
    const shop = await openShop()
    const ids = await preauthorized(shop)
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.capture({ ...ids, ...part }, { attemptId: 'p-1' }))
    expect(attempt).toMatchObject({
      baseline: { stage: 'preauth', status: 'approved', amount: '10.42', currency: 'EUR' },
      amount: '3.00',
    })
    expect(await shop.client.resolve(attempt)).toMatchObject({
      kind: 'happened',
      order: { ...ids, stages: [{ stage: 'capture', outcome: 'approved', amount: '3.00' }] },
    })
    expect(shop.store.attempts().at(-1)).toMatchObject({ end: { kind: 'accepted', basis: 'status' } })
    expect(shop.gateway.calls('capture')).toHaveLength(1)
  })

  it('a capture is never settled by the `approved` of its preauth', async () => {
    const shop = await openShop()
    const ids = await preauthorized(shop)
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.capture(ids))
    await lagWith(shop, ids, { status: 'approved', transactionType: 'preauth', amount: '10.42', currency: 'EUR' })
    expect(await shop.client.resolve(attempt)).toMatchObject({
      kind: 'cannot-tell-yet',
      reason: 'not-shown',
      needsPerson: false,
    })
  })

  it('an unknown return is never called "did not happen", whatever status answers and however often', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.return({ ...ids, ...part }, { attemptId: 'p-2' }))
    const neverSeen = { type: 'validation-error', errorCode: '4711', httpStatus: 400, status: 'error' }
    const answers = [() => hangUp(), () => neverSeen, () => undefined]
    let position: ResolvePosition | undefined
    for (const answer of [...answers, ...answers, ...answers]) {
      shop.gateway.handle({ status: answer })
      const resolution = await shop.client.resolve(attempt, { position, connectionClosed: true })
      expect(resolution.kind).toBe('cannot-tell-yet')
      position = 'position' in resolution ? resolution.position : position
      await shop.gateway.clock.advance(24 * 60 * minute)
    }
    // Not even when the gateway has never seen the order at all.
    const elsewhere = await openShop()
    const stranger = elsewhere.another({})
    const moved = { ...attempt, baseUrl: elsewhere.gateway.clientOptions.baseUrl.href }
    for (let asked = 0; asked < 3; asked += 1) {
      expect(await stranger.resolve(moved, { connectionClosed: true })).toMatchObject({ reason: 'no-answer' })
      await elsewhere.gateway.clock.advance(24 * 60 * minute)
    }
  })

  it('two equal partial returns are two: neither is inferred from the other', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    await shop.client.return({ ...ids, ...part }, { attemptId: 'p-3' })
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.return({ ...ids, ...part }, { attemptId: 'p-4' }))
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'same-as-before', needsPerson: true })
    expect(shop.gateway.calls('return')).toHaveLength(2)
  })

  it('two equal partial returns are two, also when status had not shown the first one before the second was sent', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    await lagWith(shop, ids, { status: 'approved', transactionType: 'sale', amount: '10.42', currency: 'EUR' })
    await shop.client.return({ ...ids, ...part }, { attemptId: 'p-5' })
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.return({ ...ids, ...part }, { attemptId: 'p-6' }))
    expect(attempt.baseline).toMatchObject({ stage: 'sale' })
    shop.gateway.handle({ status: () => undefined })
    const resolution = await shop.another({}).resolve(attempt)
    expect(resolution).toMatchObject({
      reason: 'equal-change',
      needsPerson: true,
      evidence: { reply: { stage: 'reversal' } },
    })
  })

  it('a return over another amount than the one before it is told apart', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    await shop.client.return({ ...ids, ...part }, { attemptId: 'p-7' })
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.return({ ...ids, amount: '5.00', currency: 'EUR' }, { attemptId: 'p-1' }))
    expect(await shop.client.resolve(attempt)).toMatchObject({ kind: 'happened' })
  })

  it.each([
    ['over another amount than its own', part, { amount: '5.00', currency: 'EUR' }],
    ['in another currency', part, { amount: '3.00', currency: 'USD' }],
    ['without an amount', part, {}],
    ['over a part where it was about the whole', {}, { amount: '3.00', currency: 'EUR' }],
  ])('is not a change that status shows %s', async (_, own, shown) => {
    const shop = await openShop()
    const ids = await preauthorized(shop)
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.capture({ ...ids, ...own } as typeof ids, { attemptId: 'p-1' }))
    await lagWith(shop, ids, { status: 'approved', transactionType: 'capture', ...shown })
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'other-amount', needsPerson: true })
  })

  it('cannot be told without a baseline', async () => {
    const shop = await openShop()
    const ids = await preauthorized(shop)
    shop.gateway.handle({ status: () => hangUp() })
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.capture(ids))
    expect(attempt).not.toHaveProperty('baseline')
    shop.gateway.handle({ status: () => undefined })
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'no-baseline', needsPerson: true })
  })

  it('is told without a baseline by the serial number of its request', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    await shop.client.return({ ...ids, ...part }, { attemptId: 'p-8' })
    const serialNumber = String((await shop.client.return({ ...ids, ...part }, { attemptId: 'p-9' })).serialNumber)
    const { baseline: _baseline, ...attempt } = shop.store.attempts().at(-1) as RememberedAttempt
    const open = { ...attempt, end: { kind: 'unknown', serialNumber, at: 0 } } as const
    expect(await shop.another({ store: undefined }).resolve(open)).toMatchObject({
      kind: 'happened',
      order: { stages: [{ stage: 'reversal', serialNumber }] },
    })
  })

  it.each([
    ['amount', { amount: '5.00', currency: 'EUR' }],
    ['currency', { amount: '3.00', currency: 'USD' }],
  ])('is not told by its serial number where the %s is another', async (_what, money) => {
    const shop = await openShop()
    const ids = await sold(shop)
    const { serialNumber = '' } = await shop.client.return({ ...ids, ...part }, { attemptId: 'p-10' })
    const attempt = shop.store.attempts().at(-1) as RememberedAttempt
    const shows = { status: 'approved', transactionType: 'reversal', byRequestSn: serialNumber, ...money }
    await lagWith(shop, ids, shows)
    const open = { ...attempt, end: { kind: 'unknown', serialNumber, at: 0 } } as const
    expect(await shop.client.resolve(open)).toMatchObject({ reason: 'other-amount', needsPerson: true })
  })

  it('is not told by its serial number where an equal change may be what the gateway shows', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    await shop.client.return({ ...ids, ...part }, { attemptId: 'p-11' })
    const { serialNumber = '' } = await shop.client.return({ ...ids, ...part }, { attemptId: 'p-12' })
    const attempt = shop.store.attempts().at(-1) as RememberedAttempt
    const open = { ...attempt, end: { kind: 'unknown', serialNumber, at: 0 } } as const
    expect(await shop.client.resolve(open)).toMatchObject({ reason: 'equal-change', needsPerson: true })
  })

  it('is not told by a serial number that the gateway passes over', async () => {
    const shop = await openShop()
    const ids = await sold(shop)
    await shop.client.return({ ...ids, ...part }, { attemptId: 'p-13' })
    const serialNumber = String((await shop.client.return({ ...ids, ...part }, { attemptId: 'p-14' })).serialNumber)
    const attempt = shop.store.attempts().at(-1) as RememberedAttempt
    await lagWith(shop, ids, { status: 'approved', transactionType: 'reversal', amount: '3.00', currency: 'EUR' })
    const open = { ...attempt, end: { kind: 'unknown', serialNumber, at: 0 } } as const
    expect(await shop.client.resolve(open)).toMatchObject({ reason: 'same-as-before' })
  })

  it('cannot be told by a client that does not know the other changes', async () => {
    const shop = await openShop()
    const ids = await preauthorized(shop)
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.capture(ids))
    expect(await shop.another({ store: undefined }).resolve(attempt)).toMatchObject({ reason: 'no-store' })
    const broken = { ...shop.store, read: () => Promise.reject(new Error('the database is down')) }
    expect(await shop.another({ store: broken, wait: oneTurn }).resolve(attempt)).toMatchObject({
      reason: 'no-store',
    })
    const hanging = { ...shop.store, read: () => new Promise<never>(() => {}) }
    const patient = shop.another({ store: hanging, wait: oneTurn })
    expect(await patient.resolve(attempt)).toMatchObject({ reason: 'no-store' })
  })
})
