/** Functions of the merchant and of the client that never answer, as on a database that is away, or answer with nothing. */
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

  it('leaves the rest of the budget to the merchant’s function', async () => {
    const { client } = callbackDesk()
    let found: (() => void) | undefined
    const merchant: ReceiveCallbacksOptions['merchant'] = () =>
      new Promise(resolve => {
        found = () => resolve({ controlKeys: controlKey, client })
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

describe.each([
  ['status', 'status' as const],
  ['a merchant’s function', 'handle' as const],
])('%s that never answers', (_case, stuckAt) => {
  it('holds up no other order for ever', async () => {
    const desk = callbackDesk()
    const answering = ({ clientOrderId = '', orderId = '' }) => statusReply({ clientOrderId, orderId })
    desk.desk.status = answering
    desk.desk[stuckAt] = never
    await using served = await serveDesk(desk)
    const deliver = (number: number) =>
      send(served.origin, callbackQuery({ orderid: `${number}`, merchant_order: `o-${number}` }))
    const stuck = Array.from({ length: 100 }, (_, index) => deliver(index + 10))
    await until(() => (stuckAt === 'status' ? desk.asked : desk.told).length === 100)
    await desk.clock.advance(5000)
    expect(new Set(await Promise.all(stuck))).toEqual(new Set([503]))
    Object.assign(desk.desk, { status: answering, handle: () => undefined })
    // A minute of work at most.
    await desk.clock.advance(55_000)
    expect(await deliver(3)).toBe(200)
  })
})

describe('a lookup that finds null, as databases say it', () => {
  it('is a refusal for a merchant', async () => {
    const desk = callbackDesk({ merchant: (() => null) as unknown as () => undefined })
    await using served = await serveDesk(desk)
    expect(await send(served.origin)).toBe(403)
    expect(desk.rejections.map(({ reason }) => reason)).toEqual(['unknown-merchant'])
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
