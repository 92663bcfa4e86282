import { defineProfile, memoryStore } from '@tillkit/protocol'
import type { Dispatcher } from 'undici'
import { describe, expect, it, vi } from 'vitest'
import { type ClientOptions, createClient, type RequestDispatcher } from '../src/index.js'
import { anyReply, capturing } from './capturing-dispatcher.js'
import { captureRequest, controlKey, saleRequest } from './sample-requests.js'
import { watchedStore } from './watched-store.js'

const open = (options: Partial<ClientOptions>) =>
  createClient({ baseUrl: 'https://gate.example/paynet', endpointId: 39, login: 'merchant', controlKey, ...options })

/** Never answers status, and hands on everything else. */
const withoutStatus = (dispatcher: RequestDispatcher): RequestDispatcher => ({
  dispatch: (options, handler) => options.path.includes('/status/') || dispatcher.dispatch(options, handler),
})

describe('the baseline of a change', () => {
  it('is asked for once, about the same order, at the same endpoint', async () => {
    const { dispatcher, captured } = capturing(anyReply)
    const store = watchedStore()
    await open({ dispatcher, store }).capture(captureRequest, { endpointGroupId: 7 })
    expect(captured.map(({ path }) => path)).toEqual([
      '/paynet/api/v2/status/group/7',
      '/paynet/api/v2/capture/group/7',
    ])
    expect(Object.fromEntries(new URLSearchParams(captured[0]?.body))).toMatchObject({
      client_orderid: 'o-1',
      orderid: '77',
    })
  })

  it('is not taken without a store, for what moves no money, or for what creates', async () => {
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
      const store = watchedStore()
      const call = open({ dispatcher: withoutStatus(dispatcher), store }).capture(captureRequest, {
        timeout: 9_000,
        retries: 3,
      })
      await vi.advanceTimersByTimeAsync(2_999)
      expect(captured).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      expect(await call).toMatchObject({ orderId: '77' })
      expect(store.attempts()).toMatchObject([{ operation: 'capture', end: { kind: 'accepted' } }])
      expect(store.attempts()[0]).not.toHaveProperty('baseline')
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
    const store = watchedStore()
    const call = open({ dispatcher: stuck, store }).capture(captureRequest, { signal: controller.signal })
    await expect(call).rejects.toMatchObject({ code: 'ERR_NOT_SENT', cause: { message: 'enough' } })
    expect([stopped, captured, store.attempts()]).toEqual([['enough'], [], []])
  })

  it.each([
    ['is about another order', { 'merchant-order-id': 'o-2', 'paynet-order-id': '77' }],
    ['is about another order of the gateway', { 'merchant-order-id': 'o-1', 'paynet-order-id': '78' }],
    ['leaves out an id', { 'merchant-order-id': 'o-1' }],
  ])('is none where the reply %s', async (_, ids) => {
    const reply = JSON.stringify({ status: 'approved', 'transaction-type': 'capture', ...ids })
    const { dispatcher } = capturing(anyReply)
    const status = capturing(reply).dispatcher
    const store = watchedStore()
    const either: RequestDispatcher = {
      dispatch: (options, handler) =>
        (options.path.includes('/status/') ? status : dispatcher).dispatch(options, handler),
    }
    await open({ dispatcher: either, store }).capture(captureRequest)
    expect(store.attempts()).toMatchObject([{ operation: 'capture' }])
    expect(store.attempts()[0]).not.toHaveProperty('baseline')
  })

  it('names its stage as the wire profile does, and is of the time when it was asked for', async () => {
    const reply = {
      status: 'processing',
      'transaction-type': 'hold',
      'merchant-order-id': 'o-1',
      'paynet-order-id': '77',
    }
    const status = capturing(JSON.stringify(reply)).dispatcher
    let now = 1000
    const store = watchedStore({ clock: () => now })
    const slow: RequestDispatcher = {
      dispatch(options, handler) {
        now += 500
        return status.dispatch(options, handler)
      },
    }
    const profile = defineProfile({ stages: { hold: 'preauth' } })
    const client = open({ dispatcher: slow, store, profile, clock: () => now })
    await client.capture(captureRequest)
    expect(store.attempts()[0]).toMatchObject({
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
    const store = watchedStore()
    await open({ dispatcher: capturing(JSON.stringify(reply)).dispatcher, store, clock: () => 5 }).capture(
      captureRequest,
    )
    expect(store.attempts()[0]?.baseline).toEqual({
      askedAt: 5,
      status: 'approved',
      outcome: 'approved',
      stage: 'preauth',
      amount: '10.42',
      currency: 'EUR',
      serialNumber: 's-1',
    })
    const silent = watchedStore()
    await open({ dispatcher: capturing(anyReply).dispatcher, store: silent }).capture(captureRequest)
    expect(silent.attempts()[0]).not.toHaveProperty('baseline')
  })
})
