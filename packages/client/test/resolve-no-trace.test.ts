/** What must never end in "no trace": an order that left one, whatever status says of it later. Over real HTTP. */
import { defineProfile, replyFields } from '@tillkit/protocol'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ResolvePosition } from '../src/index.js'
import { reply, startServer } from './gateway-server.js'
import { closeShops, minute, openShop, positionOf, sale, unknown } from './resolving.js'
import { watchedStore } from './watched-store.js'

closeShops()

describe('an attempt that created', () => {
  it('has left a trace where the gateway gave it an order id, whatever status says later', async () => {
    const shop = await openShop()
    const refusal = { type: 'validation-error', errorCode: '5', status: 'error', orderId: '4712' }
    shop.gateway.handle({ sale: () => ({ ...refusal, httpStatus: 400 }) })
    const attempt = await unknown(shop.client.sale(sale))
    expect(attempt.end).toMatchObject({ kind: 'unknown', orderId: '4712', connection: 'answered' })
    let position: ResolvePosition | undefined
    for (let asked = 0; asked < 3; asked += 1) {
      await shop.gateway.clock.advance(24 * 60 * minute)
      const resolution = await shop.client.resolve(attempt, { position })
      expect(resolution).toMatchObject({ reason: 'no-answer', cause: { errorCode: '4711' } })
      position = 'position' in resolution ? resolution.position : undefined
    }
  })

  it.each(['paynet-order-id', 'orderid', 'order-id', 'gate-ref'])(
    'has left a trace where status says that it never saw the order and gives an order id: %s',
    async name => {
      const shop = await openShop()
      shop.gateway.faults.arm('drop')
      const attempt = await unknown(shop.client.sale(sale))
      const server = await startServer(
        reply({ status: 400, body: JSON.stringify({ type: 'validation-error', 'error-code': '4711', [name]: '77' }) }),
      )
      const { origin } = new URL(server.baseUrl)
      const orderId = ['paynet-order-id', 'gate-ref']
      const client = shop.another({
        baseUrl: `${origin}${new URL(attempt.baseUrl).pathname}`,
        profile: defineProfile({ orderNeverSeen: '4711', replyFields: { ...replyFields, orderId } }),
      })
      const moved = { ...attempt, baseUrl: client.baseUrl }
      let position: { readonly position?: ResolvePosition } = {}
      for (let times = 0; times < 3; times += 1) {
        await shop.gateway.clock.advance(60 * minute)
        const resolution = await client.resolve(moved, { ...position, connectionClosed: true })
        expect(resolution).toMatchObject({ kind: 'cannot-tell-yet', reason: 'no-answer' })
        position = 'position' in resolution ? positionOf(resolution) : {}
      }
      await server.close()
    },
  )

  it.each([
    ['a store, which keeps that there is an order', true],
    ['no store, and the next answer is the first again', false],
  ])('has not been left without a trace by two answers between which status knew an order: %s', async (_, kept) => {
    const shop = await openShop()
    const { clock } = shop.gateway
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    const client = kept ? shop.client : shop.another({ store: undefined })
    await clock.advance(15 * minute)
    const first = await client.resolve(attempt)
    expect(first).toMatchObject({ reason: 'one-answer' })
    await clock.advance(5 * minute)
    shop.gateway.handle({
      status: () => ({
        status: 'approved',
        transactionType: 'sale',
        amount: '99.00',
        clientOrderId: 'o-1',
        orderId: '77',
      }),
    })
    const between = await client.resolve(attempt, positionOf(first))
    expect(between).toMatchObject({ reason: 'another-request', needsPerson: true })
    shop.gateway.handle({ status: () => undefined })
    await clock.advance(5 * minute)
    const reason = kept ? 'no-answer' : 'one-answer'
    expect(await client.resolve(attempt, positionOf(between))).toMatchObject({ kind: 'cannot-tell-yet', reason })
  })

  it('has not been left without a trace where it was accepted, though its answer named no order', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    await shop.rewrite(body => body.replace('"kind":"unknown"', '"kind":"accepted"'))
    for (let times = 0; times < 3; times += 1) {
      await shop.gateway.clock.advance(60 * minute)
      expect(await shop.client.resolve(attempt)).toMatchObject({ kind: 'cannot-tell-yet', reason: 'no-answer' })
    }
  })

  it('has not been left without a trace once status has shown its order to any process', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    shop.gateway.handle({
      status: () => ({ status: 'processing', transactionType: 'sale', clientOrderId: 'o-1', orderId: '77' }),
    })
    await shop.another({}).status({ clientOrderId: 'o-1' })
    shop.gateway.handle({ status: () => undefined })
    for (let times = 0; times < 3; times += 1) {
      await shop.gateway.clock.advance(60 * minute)
      expect(await shop.client.resolve(attempt)).toMatchObject({ kind: 'cannot-tell-yet', reason: 'no-answer' })
    }
    await expect(shop.client.sale(sale)).rejects.toMatchObject({ code: 'ERR_ALREADY_SENT', moneyMayHaveMoved: true })
    expect(shop.gateway.calls('sale')).toHaveLength(1)
  })

  it('does not count a quiet period that is said to begin in the future', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const { end: _end, ...attempt } = await unknown(shop.client.sale(sale))
    const now = shop.gateway.clock.now()
    const position = { attemptId: attempt.attemptId, quietSince: now + 60 * minute }
    expect(await shop.client.resolve(attempt, { position })).toMatchObject({
      reason: 'quiet-period',
      position: { quietSince: now },
    })
  })

  it('does not wait for a second answer after one that is said to be from the future', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const { end, ...attempt } = await unknown(shop.client.sale(sale))
    await shop.gateway.clock.advance(60 * minute)
    const now = shop.gateway.clock.now()
    const { attemptId } = attempt
    const position = { attemptId, quietSince: end?.at ?? 0, neverSeenAt: now + 60 * minute }
    expect(await shop.client.resolve(attempt, { position })).toMatchObject({
      reason: 'one-answer',
      askAgainAt: now + 5 * minute,
    })
  })

  it('has not been left without a trace by a failure of the gateway that has the same code', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    shop.gateway.handle({ status: () => ({ type: 'error', status: 'error', errorCode: '4711', httpStatus: 500 }) })
    for (let asked = 0; asked < 3; asked += 1) {
      await shop.gateway.clock.advance(60 * minute)
      expect(await shop.client.resolve(attempt)).toMatchObject({ reason: 'no-answer', needsPerson: false })
    }
  })

  it.each([
    ['a position without a time', {}, { quietSince: Number.NaN }, 'position'],
    ['an order id that could not have been sent', { clientOrderId: 'x'.repeat(200) }, undefined, 'clientOrderId'],
  ])('is not asked about with %s', async (_, wrong, position, field) => {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    const attempt = await unknown(shop.client.sale(sale))
    const { attemptId } = attempt
    const options = position === undefined ? {} : { position: { attemptId, ...position } }
    const call = shop.client.resolve({ ...attempt, ...wrong }, options)
    await expect(call).rejects.toMatchObject({ code: 'ERR_INVALID_REQUEST', field })
    expect(shop.gateway.calls('status')).toHaveLength(0)
  })
})

describe('the clock of the store', () => {
  /** An attempt that was lost, a store whose clock a test sets, and a client that has no clock but the machine's. */
  async function lostWith() {
    const shop = await openShop()
    shop.gateway.faults.arm('drop')
    let at = shop.gateway.clock.now()
    const store = watchedStore({ clock: () => at })
    const attempt = await unknown(shop.another({ store }).sale(sale))
    const set = (by: number): void => {
      at += by
    }
    return { attempt, set, asker: () => shop.another({ store, clock: undefined }) }
  }
  afterEach(() => void vi.restoreAllMocks())

  it('that is set ahead between two answers to one process does not make them lie apart', async () => {
    const { attempt, set, asker } = await lostWith()
    const now = vi.spyOn(performance, 'now')
    // A whole number: of two sums with fractions the difference may lack a billionth of a minute.
    const began = Math.ceil(performance.now())
    const pass = (milliseconds: number) => void now.mockReturnValue(began + milliseconds)
    const client = asker()
    pass(0)
    set(60 * minute)
    expect(await client.resolve(attempt)).toMatchObject({ reason: 'one-answer' })
    set(60 * minute)
    pass(5 * minute - 1)
    const again = await client.resolve(attempt)
    expect(again).toMatchObject({ kind: 'cannot-tell-yet', reason: 'one-answer' })
    pass(5 * minute)
    expect(await client.resolve(attempt)).toMatchObject({ kind: 'no-trace' })
  })

  it('counts alone where another process heard the first answer', async () => {
    const { attempt, set, asker } = await lostWith()
    set(60 * minute)
    expect(await asker().resolve(attempt)).toMatchObject({ reason: 'one-answer' })
    set(5 * minute)
    expect(await asker().resolve(attempt)).toMatchObject({ kind: 'no-trace' })
  })
})
