/** When a wait asks, and what makes it ask sooner or not at all, over real HTTP. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { day, expectedSale, ids, minute, orderOf, saleOf, start, startWatching, type Watching } from './watching.js'

let watching: Watching
beforeEach(async () => {
  watching = await startWatching()
})
afterEach(() => watching.close())

/** A client whose pauses end only when they are cut short, and what waits until so many have begun. */
function patient() {
  let begun = 0
  let tell = (): void => {}
  const client = watching.another({
    wait: (_milliseconds, signal) => {
      begun += 1
      tell()
      return new Promise(resolve => signal.addEventListener('abort', () => resolve()))
    },
  })
  const paused = async (times = 1): Promise<void> => {
    while (begun < times) {
      await new Promise<void>(resolve => {
        tell = resolve
      })
    }
  }
  return { client, paused }
}

describe('awaitOutcome, its schedule', () => {
  const unfinished = () => watching.sell('217')

  it('asks as the public documents say: every 3 to 5 s for five minutes, then every 5 to 10 minutes for an hour', async () => {
    await watching.client.awaitOutcome(await unfinished())
    const { pauses } = watching
    expect(pauses.slice(0, 100)).toEqual(Array(100).fill(3_000))
    expect(pauses.slice(100)).toEqual(Array(12).fill(5 * minute))
    expect(watching.gateway.calls('status')).toHaveLength(113)
  })

  it('spreads its questions by chance', async () => {
    const slow = watching.another({ random: () => 0.5 })
    const deadline = watching.clock.now() + 10_000
    await slow.awaitOutcome(await unfinished(), { deadline })
    expect(watching.pauses).toEqual([4_000, 4_000, 2_000])
  })

  it('follows the schedule of the profile or of the call for fourteen days', async () => {
    const schedule = [{ atLeast: day, atMost: day, lasting: 14 * day }]
    const ended = await watching.client.awaitOutcome(await unfinished(), { schedule })
    expect(ended).toMatchObject({ kind: 'still-unknown', reason: 'time-is-up', asked: 15 })
    expect(watching.clock.now() - start).toBe(14 * day)
  })

  it('asks a last time at the deadline', async () => {
    const deadline = watching.clock.now() + 7_000
    const ended = await watching.client.awaitOutcome(await unfinished(), { deadline })
    expect(ended).toMatchObject({ kind: 'still-unknown', reason: 'time-is-up' })
    expect(watching.pauses).toEqual([3_000, 3_000, 1_000])
    expect(watching.gateway.calls('status')).toHaveLength(4)
  })

  it('ends at the deadline even on a clock that stands still', async () => {
    const still = watching.another({ clock: () => start, wait: async () => {} })
    const schedule = [{ atLeast: 1_000, atMost: 1_000, times: 1 }]
    const ended = await still.awaitOutcome(await unfinished(), { schedule, deadline: start + 5_000 })
    expect(ended).toMatchObject({ kind: 'still-unknown', reason: 'time-is-up', asked: 3 })
  })

  it('asks once when the deadline is over already', async () => {
    const question = await watching.sell()
    expect(await watching.client.awaitOutcome(question, { deadline: start - 1 })).toMatchObject({ kind: 'approved' })
    expect(watching.pauses).toEqual([])
  })

  it('waits for a callback only, between the end of the schedule and the deadline', async () => {
    const schedule = [{ atLeast: 1_000, atMost: 1_000, times: 1 }]
    const deadline = watching.clock.now() + day
    await watching.client.awaitOutcome(await unfinished(), { schedule, deadline })
    expect(watching.pauses).toEqual([1_000, day - 1_000])
  })

  it.each([
    ['"deadline"', { deadline: Number.NaN }],
    ['"schedule" must list', { schedule: [] }],
    ['"signal" is "now"; it must be an AbortSignal.', { signal: 'now' as unknown as AbortSignal }],
  ])('refuses an option that cannot work: %s', async (text, options) => {
    const question = await watching.sell()
    await expect(watching.client.awaitOutcome(question, options)).rejects.toThrow(text)
  })
})

describe('awaitOutcome, aborted', () => {
  it('ends at once, in the middle of a pause', async () => {
    const controller = new AbortController()
    const { client, paused } = patient()
    const waiting = client.awaitOutcome(await watching.sell('217'), { signal: controller.signal })
    await paused()
    controller.abort()
    expect(await waiting).toMatchObject({ kind: 'still-unknown', reason: 'aborted', asked: 1 })
    expect(client.wake({ clientOrderId: 'o-1' })).toBe(0)
  })

  it('ends at once, in the middle of a question', async () => {
    const controller = new AbortController()
    const question = await watching.sell()
    watching.gateway.handle({
      status: async () => {
        controller.abort()
        return undefined
      },
    })
    const ended = await watching.client.awaitOutcome(question, { signal: controller.signal })
    expect(ended).toMatchObject({ kind: 'still-unknown', reason: 'aborted', asked: 0 })
  })

  it('asks nothing when it was aborted before', async () => {
    const question = await watching.sell()
    const ended = await watching.client.awaitOutcome(question, { signal: AbortSignal.abort() })
    expect(ended).toMatchObject({ kind: 'still-unknown', reason: 'aborted' })
    expect(watching.gateway.calls('status')).toHaveLength(0)
  })

  it('ends when its client is closed', async () => {
    const { client, paused } = patient()
    const question = await watching.sell('217')
    const waiting = client.awaitOutcome(question)
    await paused()
    await client.close()
    expect(await waiting).toMatchObject({ kind: 'still-unknown', reason: 'aborted' })
    expect(await client.awaitOutcome(question)).toMatchObject({ reason: 'aborted', asked: 0 })
  })
})

describe('awaitOutcome, told of a callback', () => {
  it('asks at once instead of waiting for its next question', async () => {
    await watching.close()
    watching = await startWatching({ processingTime: 2 * minute })
    const { client, paused } = patient()
    const waiting = client.awaitOutcome(await watching.sell())
    await paused()
    await watching.clock.advance(2 * minute)
    expect(client.wake({ clientOrderId: 'o-2' })).toBe(0)
    expect(client.wake({ clientOrderId: 'o-1' })).toBe(1)
    expect(await waiting).toMatchObject({ kind: 'approved', evidence: 'status-reply', asked: 2 })
    expect(client.wake({ clientOrderId: 'o-1' })).toBe(0)
  })

  it('is told by the gateway’s own callback, which it does not believe', async () => {
    await watching.close()
    watching = await startWatching({ processingTime: 2 * minute })
    const { client, paused } = patient()
    const woken: number[] = []
    const shop = createServer((request, response) => {
      const clientOrderId = new URL(request.url ?? '', 'http://shop.test').searchParams.get('client_orderid') ?? ''
      woken.push(client.wake({ clientOrderId }))
      response.end('OK')
    })
    await new Promise<void>(resolve => shop.listen(0, '127.0.0.1', resolve))
    const { port } = shop.address() as AddressInfo
    const { orderId } = await client.sale({ ...saleOf('116'), serverCallbackUrl: `http://127.0.0.1:${port}/` })
    const waiting = client.awaitOutcome({ ...ids(orderId), ...expectedSale })
    await paused()
    await watching.clock.advance(2 * minute)
    expect(await waiting).toMatchObject({ kind: 'declined', evidence: 'status-reply' })
    expect(woken).toEqual([1])
    expect(watching.gateway.calls('status')).toHaveLength(2)
    await new Promise(resolve => shop.close(resolve))
  })

  it('asks again after a question that the callback overtook', async () => {
    const question = await watching.sell()
    let count = 0
    watching.gateway.handle({
      status: () => {
        count += 1
        if (count > 1) return undefined
        watching.client.wake({ clientOrderId: 'o-1' })
        return { status: 'processing', transactionType: 'sale', ...orderOf(question) }
      },
    })
    expect(await watching.client.awaitOutcome(question)).toMatchObject({ kind: 'approved' })
    expect(watching.pauses).toEqual([])
  })

  it('asks again even where that was to be the last question', async () => {
    const question = await watching.sell()
    let count = 0
    watching.gateway.handle({
      status: () => {
        count += 1
        if (count === 1) watching.client.wake({ clientOrderId: 'o-1' })
        return count === 1 ? { status: 'processing', transactionType: 'sale', ...orderOf(question) } : undefined
      },
    })
    const ended = await watching.client.awaitOutcome(question, { deadline: start })
    expect(ended).toMatchObject({ kind: 'approved', asked: 2 })
  })

  it('asks often again, should status lag behind the callback', async () => {
    const schedule = [
      { atLeast: 1_000, atMost: 1_000, times: 1 },
      { atLeast: day, atMost: day, times: 2 },
    ]
    const question = await watching.sell()
    const processing = { status: 'processing', transactionType: 'sale', ...orderOf(question) }
    let count = 0
    watching.gateway.handle({
      status: () => {
        count += 1
        if (count === 3) watching.client.wake({ clientOrderId: 'o-1' })
        return count < 5 ? processing : undefined
      },
    })
    await watching.client.awaitOutcome(question, { schedule })
    expect(watching.pauses).toEqual([1_000, day, 1_000])
  })

  it('wakes every wait for the order, and none that was ended', async () => {
    const { client, paused } = patient()
    const question = await watching.sell('217')
    const ending = [new AbortController(), new AbortController()] as const
    const [first, second] = ending.map(({ signal }) => client.awaitOutcome(question, { signal }))
    await paused(2)
    expect(client.wake({ clientOrderId: 'o-1' })).toBe(2)
    await paused(4)
    ending[0].abort()
    expect(await first).toMatchObject({ reason: 'aborted', asked: 2 })
    expect(client.wake({ clientOrderId: 'o-1' })).toBe(1)
    await paused(5)
    ending[1].abort()
    expect(await second).toMatchObject({ reason: 'aborted', asked: 3 })
  })
})
