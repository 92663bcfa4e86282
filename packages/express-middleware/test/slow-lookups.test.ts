/** Functions of the merchant that never answer, as on a database that is away, or answer with nothing. */
import { setTimeout as nodeTimer } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { ReceiveCallbacksOptions } from '../src/index.js'
import { callbackDesk, callbackQuery, controlKey, statusReply } from './callback-desk.js'
import { send, serveDesk, until } from './serve-desk.js'

const never = () => new Promise<never>(() => undefined)

describe('a merchant that is not found in time', () => {
  it('is 503 when the budget is over', async () => {
    let isAsked = false
    const desk = callbackDesk({
      merchant: () => {
        isAsked = true
        return never()
      },
    })
    await using served = await serveDesk(desk)
    const answer = send(served.origin)
    await until(() => isAsked)
    await desk.clock.advance(5000)
    expect(await answer).toBe(503)
  })

  it('leaves what is left of the budget to the handler', async () => {
    const { client } = callbackDesk()
    let found: (() => void) | undefined
    const merchant: ReceiveCallbacksOptions['merchant'] = () =>
      new Promise(resolve => {
        found = () => resolve({ login: 'merchant', controlKeys: controlKey, client })
      })
    const desk = callbackDesk({ merchant })
    desk.desk.handle = never
    await using served = await serveDesk(desk)
    let answer = 0
    void send(served.origin).then(status => {
      answer = status
    })
    await until(() => found !== undefined)
    await desk.clock.advance(4000)
    found?.()
    await until(() => desk.told.length === 1)
    await desk.clock.advance(1000)
    await until(() => answer !== 0)
    expect(answer).toBe(503)
    expect(desk.reports).toMatchObject([{ kind: 'busy' }])
  })
})

describe('an order that is never found', () => {
  it('does not keep its turn for ever', async () => {
    let isAway = true
    let lookups = 0
    const desk = callbackDesk({
      concurrency: 2,
      order: ({ clientOrderId, orderId }) => {
        lookups += 1
        return isAway ? never() : { order: { clientOrderId, orderId, stages: [] }, expected: { stages: ['sale'] } }
      },
    })
    desk.desk.status = ({ clientOrderId = '', orderId = '' }) => statusReply({ clientOrderId, orderId })
    await using served = await serveDesk(desk)
    const deliver = (number: number) =>
      send(served.origin, callbackQuery({ orderid: `${number}`, merchant_order: `o-${number}` }))
    const stuck = [deliver(1), deliver(2)]
    await until(() => lookups === 2)
    await desk.clock.advance(5000)
    expect(await Promise.all(stuck)).toEqual([503, 503])
    isAway = false
    // Two leases of 30 s.
    await desk.clock.advance(55_000)
    expect(await deliver(3)).toBe(200)
    expect(await deliver(1)).toBe(200)
  })
})

describe('a lookup that finds null, as databases say it', () => {
  it('is a refusal for a merchant, and an unknown order for an order', async () => {
    const nothing = (() => null) as unknown as () => undefined
    const stranger = callbackDesk({ merchant: nothing })
    await using one = await serveDesk(stranger)
    expect(await send(one.origin)).toBe(403)
    expect(stranger.rejections.map(({ reason }) => reason)).toEqual(['unknown-merchant'])
    const early = callbackDesk({ order: nothing })
    await using other = await serveDesk(early)
    expect(await send(other.origin)).toBe(503)
    expect(early.reports.map(({ kind }) => kind)).toEqual(['unknown-order'])
  })
})

describe('a wait that rejects when it is aborted, as that of Node.js does', () => {
  it('does as well as one that resolves', async () => {
    const desk = callbackDesk({ wait: (milliseconds, signal) => nodeTimer(milliseconds, undefined, { signal }) })
    await using served = await serveDesk(desk)
    expect(await send(served.origin)).toBe(200)
    expect(desk.told).toHaveLength(1)
  })
})
