/** What became of an attempt that created an order, over real HTTP. */

import { defineProfile } from '@tillkit/protocol'
import { hangUp } from '@tillkit/testing'
import { Agent } from 'undici'
import { describe, expect, it } from 'vitest'
import { closeShops, lagWith, minute, openShop, positionOf, sale, unknown } from './resolving.js'

closeShops()

describe('an attempt that created', () => {
  it('happened when status knows its order, and the store is told', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('commit-then-drop')
    const attempt = await unknown(shop.client.sale(sale))
    const resolution = await shop.client.resolve(attempt)
    expect(resolution).toMatchObject({
      kind: 'happened',
      order: { clientOrderId: 'o-1', stages: [{ stage: 'sale', outcome: 'approved', amount: '10.42' }] },
      evidence: { reply: { status: 'approved', stage: 'sale' } },
    })
    expect(resolution.explanation).toContain('Status knows the order')
    expect(shop.store.attempts()).toMatchObject([
      { end: { kind: 'accepted', basis: 'status', orderId: expect.stringMatching(/^\d+$/) } },
    ])
    expect(shop.gateway.calls('sale')).toHaveLength(1)
  })

  it('left no trace only after a quiet period and two answers apart, also in another process', async () => {
    const shop = await openShop()
    const { clock } = shop.gateway
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    expect(attempt.end).toMatchObject({ kind: 'unknown', connection: 'closed' })

    const tooEarly = await shop.client.resolve(attempt)
    expect(tooEarly).toMatchObject({
      reason: 'quiet-period',
      needsPerson: false,
      askAgainAt: clock.now() + 15 * minute,
    })

    await clock.advance(15 * minute)
    const first = await shop.client.resolve(attempt, positionOf(tooEarly))
    expect(first).toMatchObject({ reason: 'one-answer', askAgainAt: clock.now() + 5 * minute })

    await clock.advance(5 * minute - 1)
    const tooClose = await shop.client.resolve(attempt, positionOf(first))
    expect(tooClose).toMatchObject({ reason: 'one-answer', askAgainAt: clock.now() + 1 })
    expect(shop.store.attempts()).toMatchObject([{ end: { kind: 'unknown' } }])

    await clock.advance(1)
    const second = await shop.another({}).resolve(attempt, positionOf(tooClose))
    expect(second).toMatchObject({
      kind: 'no-trace',
      evidence: { neverSeenAt: [clock.now() - 5 * minute, clock.now()] },
    })
    expect(second.explanation).toContain('300 s apart, after nothing of the request had been on its way for 900 s')
    expect(shop.store.attempts()).toMatchObject([{ end: { kind: 'no-trace', basis: 'status' } }])
    await shop.client.sale(sale)
    expect(shop.gateway.calls('sale')).toHaveLength(2)
  })

  it('counts no answer from before the quiet period was over', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    const { attemptId, end } = attempt
    await shop.gateway.clock.advance(60 * minute)
    const position = { attemptId, quietSince: end?.at ?? 0, neverSeenAt: (end?.at ?? 0) + minute }
    expect(await shop.client.resolve(attempt, { position })).toMatchObject({ reason: 'one-answer' })
  })

  it('has not been left without a trace when it shows up between two answers', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    await shop.gateway.clock.advance(15 * minute)
    const first = await shop.client.resolve(attempt)
    await shop.another({ store: undefined }).sale(sale)
    await shop.gateway.clock.advance(15 * minute)
    expect(await shop.client.resolve(attempt, positionOf(first))).toMatchObject({ kind: 'happened' })
  })

  it('cannot be told without the gateway’s word for an order it never saw', async () => {
    const { defaultProfile: profile } = await import('@tillkit/protocol')
    const shop = await openShop({ profile })
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    await shop.gateway.clock.advance(24 * 60 * minute)
    const resolution = await shop.client.resolve(attempt)
    expect(resolution).toMatchObject({ reason: 'no-word', needsPerson: true })
    expect(resolution.explanation).toContain('defineProfile({ orderNeverSeen })')
  })

  it('cannot be told when status refuses with another word', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    const own = shop.another({ profile: defineProfile({ orderNeverSeen: '1' }) })
    await shop.gateway.clock.advance(24 * 60 * minute)
    expect(await own.resolve(attempt)).toMatchObject({ reason: 'no-answer', cause: { errorCode: '4711' } })
  })

  it('cannot be told while its connection may be open, unless somebody says that it is not', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    await shop.rewrite(body => body.replace(',"connection":"closed"', ''))
    await shop.gateway.clock.advance(24 * 60 * minute)
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'connection-open' })
    const said = await shop.client.resolve(attempt, { connectionClosed: true })
    expect(said).toMatchObject({ reason: 'quiet-period', position: { quietSince: shop.gateway.clock.now() } })
    await shop.gateway.clock.advance(15 * minute)
    // It need not be said again, and does not begin anew when it is. The store keeps where the way to "no trace" stands.
    const first = await shop.client.resolve(attempt, { connectionClosed: true })
    expect(first).toMatchObject({ reason: 'one-answer' })
  })

  it('cannot be told without a store while its connection may be open, unless somebody says that it is not', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const { end: _end, ...attempt } = await unknown(shop.client.sale(sale))
    const alone = shop.another({ store: undefined })
    await shop.gateway.clock.advance(24 * 60 * minute)
    expect(await alone.resolve(attempt)).toMatchObject({ reason: 'connection-open' })
    const said = await alone.resolve(attempt, { connectionClosed: true })
    expect(said).toMatchObject({ reason: 'quiet-period', position: { quietSince: shop.gateway.clock.now() } })
    await shop.gateway.clock.advance(15 * minute)
    const first = await alone.resolve(attempt, { ...positionOf(said), connectionClosed: true })
    expect(first).toMatchObject({ reason: 'one-answer' })
  })

  it('says nothing of the connection where the dispatcher is the caller’s', async () => {
    const shop = await openShop()
    const dispatcher = new Agent()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.another({ dispatcher }).sale(sale))
    await dispatcher.destroy()
    expect(attempt.end).not.toHaveProperty('connection')
    await shop.gateway.clock.advance(24 * 60 * minute)
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'connection-open' })
  })

  it('cannot be told when status does not answer, and what was learned before is kept', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    await shop.gateway.clock.advance(15 * minute)
    const first = await shop.client.resolve(attempt)
    shop.gateway.faults.arm({ fault: 'drop', operation: 'status' })
    shop.gateway.handle({ status: () => hangUp() })
    const silent = await shop.client.resolve(attempt, positionOf(first))
    expect(silent).toMatchObject({ reason: 'no-answer', needsPerson: false, ...positionOf(first) })
  })

  it.each([
    ['is a preauth', 'preauth', {}],
    ['is over another amount', 'sale', { amount: '11.00' }],
  ] as const)('cannot be told when the order that is found %s', async (_, operation, other) => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    await shop.another({ store: undefined })[operation]({ ...sale, ...other })
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'another-request', needsPerson: true })
  })

  it.each([
    ['capture', 'another-request'],
    ['chargeback', 'another-request'],
    ['dispute', 'not-shown'],
  ])('cannot be told from a %s over other money, and the store is not told', async (transactionType, reason) => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    const ids = { clientOrderId: 'o-1', orderId: '77' }
    await lagWith(shop, ids, { status: 'approved', transactionType, amount: '99.00', currency: 'USD' })
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason, needsPerson: true })
    expect(shop.store.attempts()).toMatchObject([{ end: { kind: 'unknown' } }])
  })

  it('cannot be told from a reply that echoes no ids', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    shop.gateway.handle({ status: () => ({ status: 'approved', transactionType: 'sale' }) })
    expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'other-order' })
  })
})
