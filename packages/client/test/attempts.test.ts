import type { Attempt, AttemptEnd, AttemptsPort } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import {
  AlreadySentError,
  type ClientOptions,
  createClient,
  memoryAttempts,
  type RequestDispatcher,
} from '../src/index.js'
import { anyReply, capturing } from './capturing-dispatcher.js'
import { captureRequest, controlKey, saleRequest } from './sample-requests.js'

const open = (options: Partial<ClientOptions>) =>
  createClient({ baseUrl: 'https://gate.example/paynet', endpointId: 39, login: 'merchant', controlKey, ...options })

/** A port that writes down what it is told. */
function recording(): AttemptsPort & { readonly told: [string, Attempt, AttemptEnd?][] } {
  const told: [string, Attempt, AttemptEnd?][] = []
  return {
    told,
    reserve: async attempt => {
      told.push(['reserve', attempt])
      return { kind: 'reserved' }
    },
    settled: async (attempt, end) => void told.push(['settled', attempt, end]),
    changesOf: async () => [],
  }
}

describe('the client', () => {
  it('says which gateway it is of', () => {
    const { dispatcher } = capturing(anyReply)
    expect(open({ dispatcher, baseUrl: 'https://gate.example/paynet/' }).baseUrl).toBe('https://gate.example/paynet')
  })
})

describe('the attempts port', () => {
  it('is awaited before the first byte and told the ending', async () => {
    const attempts = recording()
    const { dispatcher, captured } = capturing(anyReply)
    let release = (): void => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const port: AttemptsPort = {
      ...attempts,
      reserve: async attempt => {
        const reservation = await attempts.reserve(attempt)
        await held
        return reservation
      },
    }
    const call = open({ dispatcher, attempts: port, clock: () => 1000 }).sale(saleRequest)
    while (attempts.told.length === 0) await new Promise(resolve => setImmediate(resolve))
    expect(captured).toHaveLength(0)
    release()
    await call
    expect(captured).toHaveLength(1)
    const [, attempt] = attempts.told[0]!
    expect(attempt).toEqual({
      attemptId: expect.stringMatching(/^[0-9a-f-]{36}$/),
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
      reservedAt: 1000,
    })
    expect(attempts.told[1]).toEqual([
      'settled',
      attempt,
      { kind: 'accepted', orderId: '77', connection: 'answered', at: 1000 },
    ])
  })

  it('stops the request when it rejects, keeping its reason', async () => {
    const { dispatcher, captured } = capturing(anyReply)
    const attempts = { ...recording(), reserve: () => Promise.reject(new Error('the database is down')) }
    const call = open({ dispatcher, attempts }).sale(saleRequest)
    await expect(call).rejects.toMatchObject({ code: 'ERR_NOT_SENT', cause: { message: 'the database is down' } })
    expect(captured).toHaveLength(0)
    expect(attempts.told).toEqual([])
  })

  it('has its own error of this package passed on', async () => {
    const refusal = new AlreadySentError('used before', { operation: 'sale', field: 'clientOrderId' })
    expect(refusal).toMatchObject({ moneyMayHaveMoved: true })
    const { dispatcher } = capturing(anyReply)
    const attempts = { ...recording(), reserve: () => Promise.reject(refusal) }
    await expect(open({ dispatcher, attempts }).sale(saleRequest)).rejects.toBe(refusal)
  })

  it('does not hide an outcome it could not note, and tells the observer', async () => {
    const { dispatcher } = capturing(anyReply)
    const attempts = { ...recording(), settled: () => Promise.reject(new Error('the database is down')) }
    const seen: unknown[] = []
    const observer = { unsettled: (attempt: Attempt, cause: unknown) => seen.push([attempt.operation, `${cause}`]) }
    expect(await open({ dispatcher, attempts, observer }).sale(saleRequest)).toMatchObject({ orderId: '77' })
    expect(seen).toEqual([['sale', 'Error: the database is down']])
  })

  it('is not asked about reads or about requests that are wrong in themselves', async () => {
    const attempts = recording()
    const { dispatcher } = capturing(anyReply)
    const client = open({ dispatcher, attempts })
    await client.status({ clientOrderId: 'o-1' })
    await expect(client.sale({ ...saleRequest, amount: '10.4' })).rejects.toMatchObject({ field: 'amount' })
    expect(attempts.told).toEqual([])
  })

  it('is given the caller’s attempt id', async () => {
    const attempts = recording()
    const { dispatcher } = capturing(anyReply)
    await open({ dispatcher, attempts }).capture(captureRequest, { attemptId: 'capture-1' })
    expect(attempts.told[0]?.[1]).toMatchObject({ attemptId: 'capture-1', effect: 'changes', orderId: '77' })
  })
})

describe('memoryAttempts', () => {
  const failing: RequestDispatcher = {
    reportsStart: true,
    dispatch() {
      throw new Error('no network')
    },
  }

  it('lets an order be sent again that was not sent', async () => {
    const attempts = memoryAttempts()
    await expect(open({ dispatcher: failing, attempts }).sale(saleRequest)).rejects.toMatchObject({
      code: 'ERR_NOT_SENT',
    })
    await open({ dispatcher: capturing(anyReply).dispatcher, attempts }).sale(saleRequest)
    expect(attempts.list().map(each => each.end?.kind)).toEqual(['not-sent', 'accepted'])
  })

  it('refuses an order that was sent, also with another card', async () => {
    const attempts = memoryAttempts()
    const { dispatcher, captured } = capturing(anyReply)
    const client = open({ dispatcher, attempts })
    await client.sale(saleRequest)
    const again = client.sale({ ...saleRequest, creditCardNumber: '4111111111111111', cvv2: '321' })
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
    const attempts = memoryAttempts()
    const { dispatcher, captured } = capturing(anyReply)
    const client = open({ dispatcher, attempts })
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

  it('refuses an order that is under way', async () => {
    const attempts = memoryAttempts()
    const { dispatcher, captured } = capturing(anyReply)
    const client = open({ dispatcher, attempts })
    const results = await Promise.allSettled([client.sale(saleRequest), client.sale(saleRequest)])
    expect(results).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'ERR_ALREADY_SENT', moneyMayHaveMoved: true } },
    ])
    expect(results[1]).not.toHaveProperty('reason.earlierEnding')
    expect(captured).toHaveLength(1)
  })

  it('refuses the same order id with other content, even after a request that was not sent', async () => {
    const attempts = memoryAttempts()
    await expect(open({ dispatcher: failing, attempts }).sale(saleRequest)).rejects.toThrow('no network')
    const other = open({ dispatcher: capturing(anyReply).dispatcher, attempts }).sale({
      ...saleRequest,
      amount: '10.43',
    })
    await expect(other).rejects.toMatchObject({
      code: 'ERR_ALREADY_SENT',
      earlierEnding: 'not-sent',
      moneyMayHaveMoved: false,
    })
    await expect(other).rejects.toThrow('was used before for another request (sale), which was never sent')
  })

  it('says that money may have moved once any attempt at the order was accepted', async () => {
    const attempts = memoryAttempts()
    await expect(open({ dispatcher: failing, attempts }).sale(saleRequest)).rejects.toThrow('no network')
    const client = open({ dispatcher: capturing(anyReply).dispatcher, attempts })
    await client.sale(saleRequest)
    const other = client.sale({ ...saleRequest, amount: '10.43' })
    await expect(other).rejects.toMatchObject({ earlierEnding: 'accepted', moneyMayHaveMoved: true, orderId: '77' })
    await expect(other).rejects.toThrow('another request (sale), which was accepted')
  })

  it('lets two equal partial captures pass, and not one attempt twice', async () => {
    const attempts = memoryAttempts()
    const { dispatcher, captured } = capturing(anyReply)
    const client = open({ dispatcher, attempts })
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

  it('keeps merchants apart', async () => {
    const attempts = memoryAttempts()
    const { dispatcher, captured } = capturing(anyReply)
    await open({ dispatcher, attempts }).sale(saleRequest)
    await open({ dispatcher, attempts, login: 'other' }).sale(saleRequest)
    expect(captured).toHaveLength(2)
  })
})
