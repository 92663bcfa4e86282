import { type AttemptsPort, defineProfile, memoryStore } from '@tillkit/protocol'
import type { Dispatcher } from 'undici'
import { describe, expect, it, vi } from 'vitest'
import { type ClientOptions, createClient, memoryAttempts, type RequestDispatcher } from '../src/index.js'
import { anyReply, capturing } from './capturing-dispatcher.js'
import { captureRequest, controlKey, saleRequest } from './sample-requests.js'

const open = (options: Partial<ClientOptions>) =>
  createClient({ baseUrl: 'https://gate.example/paynet', endpointId: 39, login: 'merchant', controlKey, ...options })

const never = () => new Promise<never>(() => {})

describe('an attempts port that never answers', () => {
  it('leaves a request unsent when it does not reserve it before the call ends', async () => {
    const { dispatcher, captured } = capturing(anyReply)
    const controller = new AbortController()
    const reserve = () => {
      controller.abort(new Error('enough'))
      return never()
    }
    const call = open({ dispatcher, attempts: { ...memoryAttempts(), reserve } }).sale(saleRequest, {
      signal: controller.signal,
    })
    await expect(call).rejects.toMatchObject({ code: 'ERR_NOT_SENT', cause: { message: 'enough' } })
    expect(captured).toHaveLength(0)
  })

  it('is held to the deadline of the call', async () => {
    const { dispatcher, captured } = capturing(anyReply)
    const call = open({ dispatcher, attempts: { ...memoryAttempts(), reserve: never } }).sale(saleRequest, {
      timeout: 1,
    })
    await expect(call).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
    await expect(call).rejects.toThrow('no answer within 1 ms')
    expect(captured).toHaveLength(0)
  })

  it('is told that nothing was sent when it reserves after all', async () => {
    const { dispatcher, captured } = capturing(anyReply)
    const controller = new AbortController()
    const attempts = memoryAttempts()
    let late = (): void => {}
    const reserve: AttemptsPort['reserve'] = attempt => {
      controller.abort(new Error('enough'))
      return new Promise(resolve => {
        late = () => resolve(attempts.reserve(attempt))
      })
    }
    const client = open({ dispatcher, attempts: { ...attempts, reserve } })
    await expect(client.sale(saleRequest, { signal: controller.signal })).rejects.toMatchObject({
      code: 'ERR_NOT_SENT',
    })
    late()
    while (attempts.list()[0]?.end === undefined) await new Promise(resolve => setImmediate(resolve))
    expect(attempts.list()).toMatchObject([{ end: { kind: 'not-sent' } }])
    expect(captured).toHaveLength(0)
  })

  it('is told so too where it hands over its reservation without a promise', async () => {
    const { dispatcher, captured } = capturing(anyReply)
    const controller = new AbortController()
    const endings: string[] = []
    const port = {
      ...memoryAttempts(),
      reserve() {
        controller.abort(new Error('enough'))
        return { kind: 'reserved' }
      },
      settled: (_attempt: unknown, end: { readonly kind: string }) => void endings.push(end.kind),
    }
    const client = open({ dispatcher, attempts: port as unknown as AttemptsPort })
    await expect(client.sale(saleRequest, { signal: controller.signal })).rejects.toMatchObject({
      code: 'ERR_NOT_SENT',
      cause: { message: 'enough' },
    })
    await new Promise(resolve => setImmediate(resolve))
    expect(endings).toEqual(['not-sent'])
    expect(captured).toHaveLength(0)
  })

  it('is not waited for longer than five seconds to note an ending, and the observer hears of it', async () => {
    const { dispatcher } = capturing(anyReply)
    const waits: number[] = []
    const wait = async (milliseconds: number) => void waits.push(milliseconds)
    const seen: string[] = []
    const observer = { unsettled: (_attempt: unknown, cause: unknown) => seen.push(String(cause)) }
    const client = open({ dispatcher, wait, observer, attempts: { ...memoryAttempts(), settled: never } })
    expect(await client.sale(saleRequest)).toMatchObject({ orderId: '77' })
    expect(waits).toEqual([5000])
    expect(seen).toEqual(['Error: the attempts port did not note the ending within 5000 ms; it may still do so'])
  })

  it('starts no timer for one that answers at once', async () => {
    const { dispatcher } = capturing(anyReply)
    const waits: number[] = []
    const wait = async (milliseconds: number) => void waits.push(milliseconds)
    await open({ dispatcher, wait, store: memoryStore() }).sale(saleRequest)
    expect(waits).toEqual([])
  })

  it('may take its time within the deadline', async () => {
    const { dispatcher } = capturing(anyReply)
    const attempts = memoryAttempts()
    const slow = () => new Promise(resolve => setImmediate(resolve))
    const port: AttemptsPort = {
      ...attempts,
      reserve: attempt => slow().then(() => attempts.reserve(attempt)),
      settled: (attempt, end) => slow().then(() => attempts.settled(attempt, end)),
    }
    expect(await open({ dispatcher, attempts: port, wait: never }).sale(saleRequest)).toMatchObject({ orderId: '77' })
    expect(attempts.list()).toMatchObject([{ end: { kind: 'accepted' } }])
  })
})

describe('an attempts port that says no without the attempt that is why', () => {
  it.each([{ kind: 'open-change' }, { kind: 'already-sent', earlier: null }])(
    'leaves the request unsent: %j',
    async answer => {
      const { dispatcher, captured } = capturing(anyReply)
      const reserve = async () => answer as never
      const call = open({ dispatcher, attempts: { ...memoryAttempts(), reserve } }).sale(saleRequest)
      await expect(call).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
      await expect(call).rejects.toThrow('it said no, and not which earlier attempt is why')
      expect(captured).toHaveLength(0)
    },
  )
})

describe('an attempts port that answers neither yes nor no', () => {
  it.each([undefined, null, {}, { kind: 'yes' }])('leaves the request unsent: %j', async answer => {
    const { dispatcher, captured } = capturing(anyReply)
    const reserve = async () => answer as never
    const call = open({ dispatcher, attempts: { ...memoryAttempts(), reserve } }).sale(saleRequest)
    await expect(call).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
    await expect(call).rejects.toThrow('answered neither yes nor no')
    expect(captured).toHaveLength(0)
  })
})

/** Never answers status, and hands on everything else. */
const withoutStatus = (dispatcher: RequestDispatcher): RequestDispatcher => ({
  dispatch: (options, handler) => options.path.includes('/status/') || dispatcher.dispatch(options, handler),
})

describe('the baseline of a change', () => {
  it('is asked for once, about the same order, at the same endpoint', async () => {
    const { dispatcher, captured } = capturing(anyReply)
    const attempts = memoryAttempts()
    await open({ dispatcher, attempts }).capture(captureRequest, { endpointGroupId: 7 })
    expect(captured.map(({ path }) => path)).toEqual([
      '/paynet/api/v2/status/group/7',
      '/paynet/api/v2/capture/group/7',
    ])
    expect(Object.fromEntries(new URLSearchParams(captured[0]?.body))).toMatchObject({
      client_orderid: 'o-1',
      orderid: '77',
    })
  })

  it('is not taken without a port, for what moves no money, or for what creates', async () => {
    const { dispatcher, captured } = capturing(anyReply)
    await open({ dispatcher }).capture(captureRequest)
    const client = open({ dispatcher, store: memoryStore() })
    await client.createCardRef(captureRequest)
    await client.sale({ ...saleRequest, clientOrderId: 'o-2' })
    expect(captured.some(({ path }) => path.includes('/status/'))).toBe(false)
  })

  it('takes a third of the time at most, and none of the change’s where status never answers', async () => {
    vi.useFakeTimers()
    try {
      const { dispatcher, captured } = capturing(anyReply)
      const attempts = memoryAttempts()
      const call = open({ dispatcher: withoutStatus(dispatcher), attempts }).capture(captureRequest, {
        timeout: 9_000,
        retries: 3,
      })
      await vi.advanceTimersByTimeAsync(2_999)
      expect(captured).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      expect(await call).toMatchObject({ orderId: '77' })
      expect(attempts.list()).toMatchObject([{ operation: 'capture', end: { kind: 'accepted' } }])
      expect(attempts.list()[0]).not.toHaveProperty('baseline')
    } finally {
      vi.useRealTimers()
    }
  })

  it('takes five seconds at most', async () => {
    vi.useFakeTimers()
    try {
      const { dispatcher, captured } = capturing(anyReply)
      const call = open({ dispatcher: withoutStatus(dispatcher), store: memoryStore() }).capture(captureRequest, {
        timeout: 60_000,
      })
      await vi.advanceTimersByTimeAsync(4_999)
      expect(captured).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      expect(await call).toMatchObject({ orderId: '77' })
    } finally {
      vi.useRealTimers()
    }
  })

  it('is asked for once, also where that fails', async () => {
    const { dispatcher, captured } = capturing(anyReply)
    const asked: string[] = []
    const failing: RequestDispatcher = {
      dispatch(options, handler) {
        if (!options.path.includes('/status/')) return dispatcher.dispatch(options, handler)
        asked.push(options.path)
        handler.onRequestStart?.({ abort: () => {} } as unknown as Dispatcher.DispatchController, {})
        handler.onResponseError?.({} as never, new Error('reset'))
        return true
      },
    }
    const client = open({ dispatcher: failing, store: memoryStore(), retries: 2, wait: async () => {} })
    await client.capture(captureRequest)
    expect([asked.length, captured.length]).toEqual([1, 1])
  })

  it('is given up with the call, of which nothing is sent then', async () => {
    const { dispatcher, captured } = capturing(anyReply)
    const stopped: string[] = []
    const controller = new AbortController()
    const stuck: RequestDispatcher = {
      dispatch(options, handler) {
        if (!options.path.includes('/status/')) return dispatcher.dispatch(options, handler)
        const abort = (reason: Error) => stopped.push(reason.message)
        handler.onRequestStart?.({ abort } as unknown as Dispatcher.DispatchController, {})
        controller.abort(new Error('enough'))
        return true
      },
    }
    const attempts = memoryAttempts()
    const call = open({ dispatcher: stuck, attempts }).capture(captureRequest, { signal: controller.signal })
    await expect(call).rejects.toMatchObject({ code: 'ERR_NOT_SENT', cause: { message: 'enough' } })
    expect([stopped, captured, attempts.list()]).toEqual([['enough'], [], []])
  })

  it.each([
    ['is about another order', { 'merchant-order-id': 'o-2', 'paynet-order-id': '77' }],
    ['is about another order of the gateway', { 'merchant-order-id': 'o-1', 'paynet-order-id': '78' }],
    ['leaves out an id', { 'merchant-order-id': 'o-1' }],
  ])('is none where the reply %s', async (_, ids) => {
    const reply = JSON.stringify({ status: 'approved', 'transaction-type': 'capture', ...ids })
    const { dispatcher } = capturing(anyReply)
    const status = capturing(reply).dispatcher
    const attempts = memoryAttempts()
    const either: RequestDispatcher = {
      dispatch: (options, handler) =>
        (options.path.includes('/status/') ? status : dispatcher).dispatch(options, handler),
    }
    await open({ dispatcher: either, attempts }).capture(captureRequest)
    expect(attempts.list()).toMatchObject([{ operation: 'capture' }])
    expect(attempts.list()[0]).not.toHaveProperty('baseline')
  })

  it('names its stage as the wire profile does, and is of the time when it was asked for', async () => {
    const reply = {
      status: 'processing',
      'transaction-type': 'hold',
      'merchant-order-id': 'o-1',
      'paynet-order-id': '77',
    }
    const status = capturing(JSON.stringify(reply)).dispatcher
    const attempts = memoryAttempts()
    let now = 1000
    const slow: RequestDispatcher = {
      dispatch(options, handler) {
        now += 500
        return status.dispatch(options, handler)
      },
    }
    const profile = defineProfile({ stages: { hold: 'preauth' } })
    const client = open({ dispatcher: slow, attempts, profile, clock: () => now })
    await client.capture(captureRequest)
    expect(attempts.list()[0]).toMatchObject({
      reservedAt: 1500,
      baseline: { stage: 'preauth', status: 'processing', askedAt: 1000 },
    })
  })

  it('is kept only where the reply is about this order, and holds no card data', async () => {
    const reply = {
      status: 'approved',
      'transaction-type': 'preauth',
      'merchant-order-id': 'o-1',
      'paynet-order-id': '77',
      'serial-number': 's-1',
      amount: '10.42',
      currency: 'EUR',
      bin: '444444',
      'last-four-digits': '4448',
      'cardholder-name': 'John Smith',
    }
    const attempts = memoryAttempts()
    await open({ dispatcher: capturing(JSON.stringify(reply)).dispatcher, attempts, clock: () => 5 }).capture(
      captureRequest,
    )
    expect(attempts.list()[0]?.baseline).toEqual({
      askedAt: 5,
      status: 'approved',
      outcome: 'approved',
      stage: 'preauth',
      amount: '10.42',
      currency: 'EUR',
      serialNumber: 's-1',
    })
    const silent = memoryAttempts()
    await open({ dispatcher: capturing(anyReply).dispatcher, attempts: silent }).capture(captureRequest)
    expect(silent.list()[0]).not.toHaveProperty('baseline')
  })
})

describe('memoryAttempts', () => {
  it('forgets the attempt that ended first beyond its capacity, and none whose outcome is open', async () => {
    const { dispatcher } = capturing(anyReply)
    const attempts = memoryAttempts({ capacity: 2 })
    const client = open({ dispatcher, attempts })
    const stuck = open({
      attempts,
      dispatcher: {
        dispatch(_options, handler) {
          handler.onRequestStart?.({ abort: () => {} } as never, {})
          handler.onResponseError?.({} as never, new Error('reset'))
          return true
        },
      },
    })
    await expect(stuck.sale(saleRequest)).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' })
    for (const clientOrderId of ['o-2', 'o-3', 'o-4', 'o-5']) await client.sale({ ...saleRequest, clientOrderId })
    expect(attempts.list().map(each => each.clientOrderId)).toEqual(['o-1', 'o-4', 'o-5'])
  })

  it.each([0, -1, 1.5, Number.NaN, '10'])('refuses the capacity %j', capacity => {
    expect(() => memoryAttempts({ capacity: capacity as number })).toThrow('"capacity" is')
  })
})
