import { Agent, request as httpRequest } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { ReceiveCallbacksOptions } from '../src/index.js'
import { callbackDesk, callbackQuery, controlKey, statusReply } from './callback-desk.js'
import { serve, versions } from './serve.js'
import { serveDesk, until } from './serve-desk.js'

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

/** Sends one delivery over a kept connection. @returns The status of its answer. */
const deliver = (origin: string, query = callbackQuery()) =>
  new Promise<number>((resolve, reject) => {
    httpRequest(`${origin}/callback?${query}`, { agent }, response => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
      .on('error', reject)
      .end()
  })

/** A merchant that counts how often it is asked for: once for each callback. */
function countedDesk(own: Partial<ReceiveCallbacksOptions> = {}) {
  const counted = { merchants: 0 }
  const desk = callbackDesk({
    merchant: () => {
      counted.merchants += 1
      return { controlKeys: controlKey, client: desk.client }
    },
    ...own,
  })
  return Object.assign(counted, { desk })
}

/** Waits until whatever came before has been verified: callbacks are verified in their order, and this one is refused. */
const verifiedBefore = async (origin: string) =>
  expect(await deliver(origin, callbackQuery({}, 'the key of somebody else'))).toBe(403)

describe.each(versions)('a thousand deliveries of one callback at once, under %s', (_version, module) => {
  it('are two calls of the merchant’s function, and none is answered 200 before the first has succeeded', async () => {
    const desk = callbackDesk({ interval: 1000 })
    let succeed = (): void => undefined
    let hasSucceeded = false
    desk.desk.handle = () =>
      new Promise<void>(resolve => {
        succeed = () => {
          hasSucceeded = true
          resolve()
        }
      })
    let arrived = 0
    const app = module()
    app.use((_request, _response, next) => {
      arrived += 1
      next()
    })
    app.all('/callback', desk.handler)
    await using served = await serve(app)
    const early: number[] = []
    const answers = Array.from({ length: 1000 }, () =>
      deliver(served.origin).then(status => {
        if (!hasSucceeded) early.push(status)
        return status
      }),
    )
    await until(() => desk.told.length === 1 && arrived === 1000)
    await verifiedBefore(served.origin)
    expect(early).toEqual([])
    desk.desk.handle = () => undefined
    succeed()
    let open = answers.length
    for (const answer of answers) void answer.then(() => (open -= 1))
    // Those that came meanwhile share a second question, a second later.
    while (open > 0) {
      await setImmediate()
      await desk.clock.advance(100)
    }
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]))
    expect([desk.told.length, early.length]).toEqual([2, 0])
    expect(desk.asked).toHaveLength(2)
  })
})

describe('a function that takes longer than the budget', () => {
  it('is not waited for, and called again when the gateway comes again', async () => {
    const desk = callbackDesk()
    let succeed = (): void => undefined
    desk.desk.handle = () =>
      new Promise<void>(resolve => {
        succeed = resolve
      })
    await using served = await serveDesk(desk)
    const answer = deliver(served.origin)
    await until(() => desk.told.length === 1)
    await desk.clock.advance(5000)
    expect(await answer).toBe(503)
    expect(desk.reports).toMatchObject([{ kind: 'busy' }])
    succeed()
    desk.desk.handle = () => undefined
    expect(await deliver(served.origin)).toBe(200)
    expect(desk.told).toHaveLength(2)
  })

  it('does not stop other orders from being settled', async () => {
    const desk = callbackDesk()
    desk.desk.status = ({ clientOrderId = '', orderId = '' }) => statusReply({ clientOrderId, orderId })
    desk.desk.handle = ({ orderId }) => (orderId === '77' ? new Promise<void>(() => undefined) : undefined)
    await using served = await serveDesk(desk)
    const stuck = deliver(served.origin)
    await until(() => desk.told.length === 1)
    expect(await deliver(served.origin, callbackQuery({ orderid: '78', merchant_order: 'o-2' }))).toBe(200)
    await desk.clock.advance(5000)
    expect(await stuck).toBe(503)
  })
})

describe('news that comes while status is being asked', () => {
  it('is asked about again, not taken for part of the first answer', async () => {
    const counted = countedDesk()
    const { desk } = counted
    let reply = (): void => undefined
    desk.desk.status = () =>
      new Promise(resolve => {
        reply = () => resolve(statusReply({ status: 'processing' }))
      })
    await using served = await serveDesk(desk)
    const first = deliver(served.origin)
    await until(() => desk.asked.length === 1)
    const second = deliver(served.origin)
    await until(() => counted.merchants === 2)
    await verifiedBefore(served.origin)
    desk.desk.status = () => statusReply()
    reply()
    expect([await first, await second]).toEqual([503, 200])
    expect(desk.asked).toHaveLength(2)
  })
})

describe('the pace of questions', () => {
  it('is one a second for an order, however often its callback is replayed', async () => {
    const counted = countedDesk({ interval: 1000 })
    const { desk } = counted
    await using served = await serveDesk(desk)
    expect(await deliver(served.origin)).toBe(200)
    const replays = Array.from({ length: 50 }, () => deliver(served.origin))
    await until(() => counted.merchants === 51)
    await verifiedBefore(served.origin)
    expect(desk.asked).toHaveLength(1)
    await desk.clock.advance(1000)
    expect(new Set(await Promise.all(replays))).toEqual(new Set([200]))
    expect(desk.asked).toHaveLength(2)
  })

  it('falls to one a minute for a callback that is replayed without end, and news still come through', async () => {
    const counted = countedDesk({ interval: 1000 })
    const { desk } = counted
    await using served = await serveDesk(desk)
    const replays: Promise<unknown>[] = []
    for (let second = 1; second <= 600; second += 1) {
      replays.push(deliver(served.origin))
      await until(() => counted.merchants === 2 * second - 1)
      // One of another order comes behind it, and is answered at once.
      expect(await deliver(served.origin, callbackQuery({ orderid: `1${second}`, merchant_order: 'o-2' }))).toBe(503)
      await desk.clock.advance(1000)
    }
    const before = desk.told.length
    expect(desk.asked.filter(({ orderId }) => orderId === '77').length).toBeLessThan(20)
    desk.desk.status = () => statusReply({ transactionType: 'chargeback' })
    await desk.clock.advance(60_000)
    await until(() => desk.told.length > before)
    expect(desk.told.at(-1)).toMatchObject({ kind: 'chargeback' })
    await desk.clock.advance(60_000)
    await Promise.all(replays)
  })

  it('lets no more than a hundred orders be asked about at once', async () => {
    const counted = countedDesk({})
    const { desk } = counted
    let open = (): void => undefined
    const gate = new Promise<void>(resolve => {
      open = resolve
    })
    desk.desk.status = async ({ clientOrderId = '', orderId = '' }) => {
      await gate
      return statusReply({ clientOrderId, orderId })
    }
    await using served = await serveDesk(desk)
    const queries = Array.from({ length: 250 }, (_, index) =>
      callbackQuery({ orderid: `${index}`, merchant_order: `o-${index}` }),
    )
    const answers = queries.map(query => deliver(served.origin, query))
    await until(() => counted.merchants === 250)
    await verifiedBefore(served.origin)
    expect(desk.asked).toHaveLength(100)
    open()
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]))
    expect(desk.told).toHaveLength(250)
  })
})
