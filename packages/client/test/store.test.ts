/** What a client with a store sends, and what it writes. */
import { memoryStore, readDocument, type Store } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { type ClientOptions, createClient, type RequestDispatcher } from '../src/index.js'
import { anyReply, capturing } from './capturing-dispatcher.js'
import { captureRequest, controlKey, saleRequest } from './sample-requests.js'
import { watchedStore } from './watched-store.js'

const open = (options: Partial<ClientOptions>) =>
  createClient({ baseUrl: 'https://gate.example/paynet', endpointId: 39, login: 'merchant', controlKey, ...options })

const failing: RequestDispatcher = {
  reportsStart: true,
  dispatch() {
    throw new Error('no network')
  },
}

/** A status reply about the sample sale. */
const saleShown = (status: string): string =>
  JSON.stringify({
    type: 'status-response',
    status,
    'transaction-type': 'sale',
    'merchant-order-id': 'o-1',
    'paynet-order-id': '77',
    amount: '10.42',
    currency: 'EUR',
  })

describe('the client', () => {
  it('says which gateway it is of', () => {
    const { dispatcher } = capturing(anyReply)
    expect(open({ dispatcher, baseUrl: 'https://gate.example/paynet/' }).baseUrl).toBe('https://gate.example/paynet')
  })
})

describe('a client with a store', () => {
  it('writes the attempt before the first byte, and how it ended', async () => {
    const store = memoryStore({ clock: () => 1_000 })
    const { dispatcher, captured } = capturing(anyReply)
    const written: unknown[] = []
    let release = (): void => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const write: Store['write'] = async (key, entry, options) => {
      written.push([key, readDocument({ key, version: 1, writeId: options.id, body: entry.body }).orders])
      if (written.length === 1) await held
      return store.write(key, entry, options)
    }
    const call = open({ dispatcher, store: { ...store, write }, clock: () => 77, timeout: 30_000 }).sale(saleRequest)
    while (written.length === 0) await new Promise(resolve => setImmediate(resolve))
    expect(captured).toHaveLength(0)
    release()
    await call
    expect(captured).toHaveLength(1)
    const attempt = {
      attemptId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      reservation: expect.stringMatching(/^[0-9a-f-]{36}\.\d+$/),
      operation: 'sale',
      effect: 'creates',
      stages: ['sale'],
      login: 'merchant',
      baseUrl: 'https://gate.example/paynet',
      endpointId: '39',
      clientOrderId: 'o-1',
      amount: '10.42',
      currency: 'EUR',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      reservedAt: 1_000,
      sendBy: expect.any(Number),
    }
    const order = { clientOrderId: 'o-1', login: 'merchant', stages: [] }
    const end = { kind: 'accepted', orderId: '77', connection: 'answered', at: 1_000 }
    const key = 'payment/production/merchant/o-1'
    expect(written).toEqual([
      [key, [{ ...order, attempts: [attempt] }]],
      [key, [{ ...order, orderId: '77', attempts: [{ ...attempt, end }] }]],
    ])
  })

  it('writes until when a byte may leave: the store’s time and what is left of the call', async () => {
    const store = watchedStore({ clock: () => 5_000 })
    await open({ dispatcher: capturing(anyReply).dispatcher, store, timeout: 600_000 }).sale(saleRequest)
    const [attempt] = store.attempts()
    expect(attempt?.sendBy).toBeGreaterThan(5_000)
    expect(attempt?.sendBy).toBeLessThanOrEqual(605_000)
  })

  it('writes nothing about reads of orders that it has not sent, or requests that are wrong in themselves', async () => {
    const store = watchedStore()
    const client = open({ dispatcher: capturing(anyReply).dispatcher, store })
    await client.status({ clientOrderId: 'o-1' })
    await expect(client.sale({ ...saleRequest, amount: '10.4' })).rejects.toMatchObject({ field: 'amount' })
    expect((await store.list({ limit: 10 })).total).toBe(0)
  })

  it('measures no time where the store answers at once, as memory does', async () => {
    const waits: number[] = []
    const wait = async (milliseconds: number) => {
      waits.push(milliseconds)
      await new Promise(resolve => setImmediate(resolve))
    }
    const client = open({ dispatcher: capturing(anyReply).dispatcher, store: memoryStore(), wait })
    await client.sale(saleRequest)
    await client.capture(captureRequest)
    await client.status({ clientOrderId: 'o-1', orderId: '77' })
    expect(waits).toEqual([])
  })

  it('keeps the caller’s attempt id', async () => {
    const store = watchedStore()
    await open({ dispatcher: capturing(anyReply).dispatcher, store }).capture(captureRequest, {
      attemptId: 'capture-1',
    })
    expect(store.attempts()).toMatchObject([{ attemptId: 'capture-1', effect: 'changes', orderId: '77' }])
  })

  it('lets an order be sent again that was not sent, and keeps the attempt that was', async () => {
    const store = watchedStore()
    await expect(open({ dispatcher: failing, store }).sale(saleRequest)).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
    expect(store.attempts()).toMatchObject([{ end: { kind: 'not-sent' } }])
    await open({ dispatcher: capturing(anyReply).dispatcher, store }).sale(saleRequest)
    expect(store.attempts()).toMatchObject([{ end: { kind: 'accepted' } }])
  })

  it('refuses an order that was sent, also with another card', async () => {
    const store = watchedStore()
    const { dispatcher, captured } = capturing(anyReply)
    await open({ dispatcher, store }).sale(saleRequest)
    // Another process, later.
    const again = open({ dispatcher, store: { ...store } }).sale({
      ...saleRequest,
      creditCardNumber: '4111111111111111',
      cvv2: '321',
    })
    await expect(again).rejects.toMatchObject({
      name: 'AlreadySentError',
      code: 'ERR_ALREADY_SENT',
      field: 'clientOrderId',
      earlierEnding: 'accepted',
      orderId: '77',
      moneyMayHaveMoved: true,
    })
    await expect(again).rejects.toThrow('was sent before and was accepted')
    expect(captured).toHaveLength(1)
  })

  it('says where the first form is when a hosted form is asked for again, wherever the browser would come back to', async () => {
    const store = watchedStore()
    const { dispatcher, captured } = capturing(anyReply)
    const client = open({ dispatcher, store })
    const form = { clientOrderId: 'o-1', amount: '10.42', currency: 'EUR', email: 'joan@customer.example' }
    await client.saleForm({ ...form, redirectUrl: 'https://shop.example/return/a' })
    const again = await client.saleForm({ ...form, redirectUrl: 'https://shop.example/return/b' }).catch(error => error)
    expect(again.message).toContain('was sent before and was accepted')
    expect(again).toMatchObject({
      code: 'ERR_ALREADY_SENT',
      earlier: { operation: 'saleForm', amount: '10.42', end: { redirectUrl: 'https://gate.example/form/1' } },
    })
    expect(Object.keys(again)).not.toContain('earlier')
    expect(captured).toHaveLength(1)
  })

  it('refuses an order that is under way, in whatever process', async () => {
    const store = watchedStore()
    const { dispatcher, captured } = capturing(anyReply)
    const clients = [open({ dispatcher, store }), open({ dispatcher, store: { ...store } })]
    const results = await Promise.allSettled([...clients, ...clients].map(client => client.sale(saleRequest)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: 'ERR_ALREADY_SENT', moneyMayHaveMoved: true })
    }
    expect(captured).toHaveLength(1)
  })

  it('refuses the same order id with other content, even after a request that was not sent', async () => {
    const store = watchedStore()
    await expect(open({ dispatcher: failing, store }).sale(saleRequest)).rejects.toThrow('no network')
    const other = open({ dispatcher: capturing(anyReply).dispatcher, store }).sale({ ...saleRequest, amount: '10.43' })
    await expect(other).rejects.toMatchObject({
      code: 'ERR_ALREADY_SENT',
      earlierEnding: 'not-sent',
      moneyMayHaveMoved: false,
    })
    await expect(other).rejects.toThrow('was used before for another request (sale), which was never sent')
    // Fingerprints are made with the control key, see ADR 0031.
    const corrected = open({ dispatcher: capturing(anyReply).dispatcher, store, controlKey: 'another-control-key' })
    await expect(corrected.sale(saleRequest)).rejects.toThrow('made with another control key counts as another')
  })

  it('says that money may have moved once any attempt at the order was accepted', async () => {
    const store = watchedStore()
    const client = open({ dispatcher: capturing(anyReply).dispatcher, store })
    await client.sale(saleRequest)
    const other = client.sale({ ...saleRequest, amount: '10.43' })
    await expect(other).rejects.toMatchObject({ earlierEnding: 'accepted', moneyMayHaveMoved: true, orderId: '77' })
    await expect(other).rejects.toThrow('another request (sale), which was accepted')
  })

  it('lets two equal partial captures pass, and not one attempt twice', async () => {
    const { dispatcher, captured } = capturing(anyReply)
    const client = open({ dispatcher, store: watchedStore() })
    const part = { ...captureRequest, amount: '3.00', currency: 'EUR' }
    await client.capture(part, { attemptId: 'b' })
    await client.capture(part, { attemptId: 'c' })
    await expect(client.capture(part, { attemptId: 'c' })).rejects.toMatchObject({
      code: 'ERR_ALREADY_SENT',
      field: 'attemptId',
      moneyMayHaveMoved: true,
    })
    expect(captured.filter(({ path }) => path.includes('/capture/'))).toHaveLength(2)
  })

  it('keeps merchants apart, unless they have one name', async () => {
    const store = watchedStore()
    const { dispatcher, captured } = capturing(anyReply)
    await open({ dispatcher, store }).sale(saleRequest)
    await open({ dispatcher, store, login: 'other' }).sale(saleRequest)
    expect(captured).toHaveLength(2)
    const request = { ...saleRequest, clientOrderId: 'o-2' }
    await open({ dispatcher, store, name: 'shop' }).sale(request)
    const other = open({ dispatcher, store, name: 'shop', login: 'other' }).sale(request)
    await expect(other).rejects.toMatchObject({ code: 'ERR_ALREADY_SENT' })
    expect(captured).toHaveLength(3)
  })

  it('keeps test and production apart', async () => {
    const store = watchedStore()
    const { dispatcher, captured } = capturing(anyReply)
    for (const environment of ['test', 'production'] as const)
      await open({ dispatcher, store, environment }).sale(saleRequest)
    expect(captured).toHaveLength(2)
  })
})

describe('the orders of one payment', () => {
  it.each([
    ['a blank', 'order 7'],
    ['a slash', 'order/7'],
    ['a letter that not every alphabet has', 'ordér-7'],
    ['what ends like a later order and is none', 'order-7.1r'],
    ['such an ending in capitals', 'order-7.2R'],
    ['more than 100 characters', 'o'.repeat(101)],
  ])('have no id with %s', async (_, clientOrderId) => {
    const { dispatcher, captured } = capturing(anyReply)
    const store = watchedStore()
    const client = open({ dispatcher, store })
    await expect(client.sale({ ...saleRequest, clientOrderId })).rejects.toMatchObject({ field: 'clientOrderId' })
    expect(captured).toHaveLength(0)
    await open({ dispatcher }).sale({ ...saleRequest, clientOrderId })
    expect(captured).toHaveLength(1)
  })

  it('have ids that differ in more than case', async () => {
    const { dispatcher, captured } = capturing(anyReply)
    const client = open({ dispatcher, store: watchedStore() })
    await client.sale(saleRequest)
    const other = client.sale({ ...saleRequest, clientOrderId: 'O-1' })
    await expect(other).rejects.toMatchObject({ code: 'ERR_INVALID_REQUEST', field: 'clientOrderId' })
    await expect(other).rejects.toThrow('the store has a payment "o-1"')
    expect(captured).toHaveLength(1)
  })

  it('are opened one after the other: the next once status says that the last one failed', async () => {
    let now = 1_000_000
    const clock = () => now
    const store = watchedStore({ clock })
    let status = 'processing'
    const { dispatcher, captured } = capturing(path => (path.includes('/status/') ? saleShown(status) : anyReply))
    const client = open({ dispatcher, store, clock })
    const second = { ...saleRequest, clientOrderId: 'o-1.2r' }
    await expect(client.sale({ ...second, clientOrderId: 'o-9.2r' })).rejects.toMatchObject({
      moneyMayHaveMoved: false,
    })
    await client.sale(saleRequest)
    for (const word of ['processing', 'unknown']) {
      status = word
      now += 10
      await client.status({ clientOrderId: 'o-1', orderId: '77' })
      await expect(client.sale(second)).rejects.toThrow('order "o-1" of the same payment is not known to have failed')
    }
    status = 'declined'
    await expect(client.sale(second)).rejects.toMatchObject({ code: 'ERR_ALREADY_SENT' })
    now += 10
    await client.status({ clientOrderId: 'o-1', orderId: '77' })
    await client.sale(second)
    await expect(client.sale({ ...second, clientOrderId: 'o-1.3r' })).rejects.toThrow('is not known to have failed')
    expect(captured.filter(({ path }) => path.includes('/sale/'))).toHaveLength(2)
  })

  it('are opened by what status said last, whatever the clocks of the machines say that asked', async () => {
    let now = 1_000_000
    const store = watchedStore({ clock: () => now })
    let status = 'processing'
    const { dispatcher, captured } = capturing(path => (path.includes('/status/') ? saleShown(status) : anyReply))
    const [ahead, behind] = [3_600_000, -3_600_000].map(wrong =>
      open({ dispatcher, store, clock: () => now + wrong }),
    ) as [ReturnType<typeof open>, ReturnType<typeof open>]
    await ahead.sale(saleRequest)
    await ahead.status({ clientOrderId: 'o-1', orderId: '77' })
    now += 1_000
    status = 'declined'
    await behind.status({ clientOrderId: 'o-1', orderId: '77' })
    const { items } = await store.list({ limit: 1 })
    expect(items.flatMap(each => readDocument(each).orders[0]?.stages)).toMatchObject([
      { status: 'declined', askedAt: 1_001_000 },
    ])
    await ahead.sale({ ...saleRequest, clientOrderId: 'o-1.2r' })
    expect(captured.filter(({ path }) => path.includes('/sale/'))).toHaveLength(2)
  })

  it.each([
    ['approved', 'it is approved. A second one would charge twice.'],
    ['processing', 'use the id of a later order for another try.'],
  ])('are not sent again once status showed them as %s, though nothing seemed to be sent', async (status, message) => {
    const store = watchedStore()
    await expect(open({ dispatcher: failing, store }).sale(saleRequest)).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
    const { dispatcher, captured } = capturing(path => (path.includes('/status/') ? saleShown(status) : anyReply))
    const client = open({ dispatcher, store })
    await client.status({ clientOrderId: 'o-1', orderId: '77' })
    const again = client.sale(saleRequest)
    await expect(again).rejects.toMatchObject({ code: 'ERR_ALREADY_SENT', moneyMayHaveMoved: true })
    await expect(again).rejects.toThrow(`status shows this order already; ${message}`)
    expect(captured).toHaveLength(1)
  })

  it('are no more once one of them was approved', async () => {
    const { dispatcher } = capturing(path => (path.includes('/status/') ? saleShown('approved') : anyReply))
    const client = open({ dispatcher, store: watchedStore() })
    await client.sale(saleRequest)
    await client.status({ clientOrderId: 'o-1', orderId: '77' })
    const second = client.sale({ ...saleRequest, clientOrderId: 'o-1.2r' })
    await expect(second).rejects.toThrow(
      'order "o-1" of the same payment was approved. A second one would charge twice.',
    )
  })
})

describe('an order number that cannot name a payment', () => {
  it.each([
    ['#1001', 'write "#1001" as "1001" and every order number like that, if no two become the same'],
    ['SO/2026/1', 'write "SO/2026/1" as "SO-2026-1"'],
    ['№ 7', 'write "№ 7" as "7"'],
  ])('is refused with a name that can: %s', async (clientOrderId, words) => {
    const client = open({ dispatcher: failing, store: memoryStore() })
    await expect(client.sale({ ...saleRequest, clientOrderId })).rejects.toMatchObject({
      code: 'ERR_INVALID_REQUEST',
      field: 'clientOrderId',
      message: expect.stringContaining(words),
    })
  })

  it('is taken where no store is: section 2 of the specification allows any', async () => {
    const { dispatcher, captured } = capturing(anyReply)
    await open({ dispatcher }).sale({ ...saleRequest, clientOrderId: '#1001' })
    expect(captured).toHaveLength(1)
  })

  it.each(['№', 'x'.repeat(101)])('is refused without one where none can be made of it: %s', async clientOrderId => {
    const client = open({ dispatcher: failing, store: memoryStore() })
    await expect(client.sale({ ...saleRequest, clientOrderId })).rejects.toThrow(/(?:only|allowed)\. The second order/)
  })
})
