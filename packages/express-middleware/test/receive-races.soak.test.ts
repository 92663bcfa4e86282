import { Agent, request as httpRequest } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { memoryStore } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import type { ReceiveCallbacksOptions } from '../src/index.js'
import { callbackDesk, callbackQuery, controlKey, statusReply } from './callback-desk.js'
import { keepPayment, paymentsIn } from './kept-payments.js'
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
  it('run the handler once, and none is answered 200 before it has succeeded', async () => {
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
    succeed()
    let open = answers.length
    for (const answer of answers) void answer.then(() => (open -= 1))
    // Those that came meanwhile share a second question, a second later.
    while (open > 0) {
      await setImmediate()
      await desk.clock.advance(100)
    }
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]))
    expect([desk.told.length, early.length]).toEqual([1, 0])
    expect(desk.asked).toHaveLength(2)
  })
})

describe('two processes with one store', () => {
  it('tell of an outcome once, and the loser answers 200 after the winner only', async () => {
    const first = callbackDesk()
    const second = callbackDesk({ store: first.options.store })
    let succeed = (): void => undefined
    first.desk.handle = () =>
      new Promise<void>(resolve => {
        succeed = resolve
      })
    await using one = await serveDesk(first)
    await using other = await serveDesk(second)
    const winner = deliver(one.origin)
    await until(() => first.told.length === 1)
    let isAnswered = false
    const loser = deliver(other.origin).finally(() => {
      isAnswered = true
    })
    await until(() => second.asked.length === 1)
    await second.clock.advance(1000)
    expect(isAnswered).toBe(false)
    succeed()
    expect(await winner).toBe(200)
    await second.clock.advance(1000)
    expect(await loser).toBe(200)
    expect(second.told).toEqual([])
  })

  it('hand an outcome over when the first handler outstays its lease, with a higher token', async () => {
    const first = callbackDesk({ lease: 20_000 })
    const second = callbackDesk({ store: first.options.store })
    let succeedLate = (): void => undefined
    first.desk.handle = () =>
      new Promise<void>(resolve => {
        succeedLate = resolve
      })
    await using one = await serveDesk(first)
    await using other = await serveDesk(second)
    const slow = deliver(one.origin)
    await until(() => first.told.length === 1)
    expect(first.told[0]?.signal.aborted).toBe(false)
    await first.clock.advance(20_000)
    expect(await slow).toBe(503)
    expect(first.told[0]?.signal.aborted).toBe(true)
    expect(await deliver(other.origin)).toBe(200)
    expect(second.told[0]?.fencingToken).toBeGreaterThan(first.told[0]?.fencingToken ?? 0)
    // The first one ends after all. It decides nothing any more, and nothing runs again.
    succeedLate()
    expect([await deliver(one.origin), await deliver(other.origin)]).toEqual([200, 200])
    expect([first.told.length, second.told.length]).toEqual([1, 1])
  })
})

describe('an outcome that somebody else is handling for longer than a lease', () => {
  it('is no outcome that was told', async () => {
    const first = callbackDesk({ lease: 60_000 })
    first.desk.handle = () => new Promise<void>(() => undefined)
    const second = callbackDesk({ store: first.options.store, lease: 1000 })
    await using one = await serveDesk(first)
    await using other = await serveDesk(second)
    const slow = deliver(one.origin)
    await until(() => first.told.length === 1)
    const waiting = deliver(other.origin)
    await until(() => second.asked.length === 1)
    let answer = 0
    void waiting.then(status => {
      answer = status
    })
    // It looks again every 250 ms, for as long as its lease.
    for (let looks = 0; looks < 6 && answer === 0; looks += 1) {
      for (let turn = 0; turn < 20; turn += 1) await setImmediate()
      await second.clock.advance(250)
    }
    expect(await waiting).toBe(503)
    expect(second.reports).toMatchObject([{ kind: 'busy', status: 503 }])
    expect(second.told).toEqual([])
    await first.clock.advance(60_000)
    expect(await slow).toBe(503)
  })
})

describe('the signal of a handler that outstays its lease', () => {
  it('is aborted also where the handler looks at it only then', async () => {
    const seen: boolean[] = []
    let goOn: (() => void) | undefined
    const onOutcome: ReceiveCallbacksOptions['onOutcome'] = async (_outcome, context) => {
      await new Promise<void>(resolve => {
        goOn = resolve
      })
      seen.push(context.signal.aborted)
    }
    const desk = callbackDesk({ lease: 1000, onOutcome })
    await using served = await serveDesk(desk)
    const answer = deliver(served.origin)
    await until(() => goOn !== undefined)
    await desk.clock.advance(1000)
    expect(await answer).toBe(503)
    goOn?.()
    await until(() => seen.length === 1)
    expect(seen).toEqual([true])
  })
})

describe('a handler that takes longer than the budget', () => {
  it('is not waited for, and not run again when it succeeds later', async () => {
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
    expect(desk.told[0]?.signal.aborted).toBe(false)
    succeed()
    expect(await deliver(served.origin)).toBe(200)
    expect(desk.told).toHaveLength(1)
  })

  it('does not stop other orders from being settled', async () => {
    const desk = callbackDesk()
    await keepPayment(desk.payments, [{ clientOrderId: 'o-2', end: { kind: 'unknown', at: 0 } }])
    desk.desk.status = ({ clientOrderId = '', orderId = '' }) => statusReply({ clientOrderId, orderId })
    desk.desk.handle = ({ order }) => (order.orderId === '77' ? new Promise<void>(() => undefined) : undefined)
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
      // One of an order that nobody knows comes behind it, and is answered at once.
      expect(await deliver(served.origin, callbackQuery({ orderid: `1${second}`, merchant_order: 'o-2' }))).toBe(200)
      await desk.clock.advance(1000)
    }
    expect(desk.asked.length).toBeLessThan(20)
    desk.desk.status = () => statusReply({ transactionType: 'chargeback' })
    await desk.clock.advance(60_000)
    await until(() => desk.told.length === 2)
    expect(desk.told.map(({ kind }) => kind)).toEqual(['paid', 'chargeback'])
    await desk.clock.advance(60_000)
    await Promise.all(replays)
  })

  it('lets no more orders be asked about at once than it is told', async () => {
    const store = memoryStore()
    for (let index = 0; index < 30; index += 1) {
      await keepPayment(paymentsIn(store), [{ clientOrderId: `o-${index}`, end: { kind: 'unknown', at: 0 } }])
    }
    const counted = countedDesk({ concurrency: 3, store })
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
    const queries = Array.from({ length: 30 }, (_, index) =>
      callbackQuery({ orderid: `${index}`, merchant_order: `o-${index}` }),
    )
    const answers = queries.map(query => deliver(served.origin, query))
    await until(() => counted.merchants === 30)
    await verifiedBefore(served.origin)
    expect(desk.asked).toHaveLength(3)
    open()
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]))
    expect(desk.told).toHaveLength(30)
  })
})
