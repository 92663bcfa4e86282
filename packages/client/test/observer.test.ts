import { createHash } from 'node:crypto'
import { type AsyncResponse, operation } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import {
  type ClientObserver,
  type ClientOptions,
  createClient,
  type Exchange,
  type SignedRequest,
} from '../src/index.js'
import { capturing } from './capturing-dispatcher.js'
import { recordAttempts } from './recorded-attempts.js'
import { acceptedBody, controlKey, saleRequest } from './sample-requests.js'

function open(observer: ClientObserver, options: Partial<ClientOptions> = {}) {
  const { dispatcher, captured } = capturing(acceptedBody)
  const base = { baseUrl: 'https://gate.example/paynet', endpointId: 39, login: 'merchant', controlKey, dispatcher }
  let now = 1000
  const clock = () => {
    now += 1
    return now
  }
  return { client: createClient({ ...base, observer, clock, nonce: () => 'n', ...options }), captured }
}

describe('an observer', () => {
  it('sees what was signed before it is sent, and the exchange after', async () => {
    const seen: [string, number, SignedRequest | Exchange][] = []
    const { client, captured } = open({
      signed: signed => seen.push(['signed', captured.length, signed]),
      exchange: exchange => seen.push(['exchange', captured.length, exchange]),
    })
    await client.sale({ ...saleRequest, orderDesc: 'tea', extra: { fancy: 'x' } })
    const control = new URLSearchParams(captured[0]?.body).get('control') ?? ''
    const signed = {
      operation: 'sale',
      login: 'merchant',
      scheme: 'control',
      fingerprint: createHash('sha256').update(control).digest('hex'),
      items: [
        { name: 'endpointId', value: '39' },
        { name: 'clientOrderId', value: 'o-1' },
        { name: 'amount', value: '1042' },
        { name: 'email', value: 'j***@example.com' },
      ],
    }
    expect(seen.map(([what, sent]) => [what, sent])).toEqual([
      ['signed', 0],
      ['exchange', 1],
    ])
    expect(seen[0]?.[2]).toEqual(signed)
    expect(seen[1]?.[2]).toEqual({
      operation: 'sale',
      login: 'merchant',
      path: '/paynet/api/v2/sale/39',
      scheme: 'control',
      clientOrderId: 'o-1',
      orderId: '77',
      startedAt: expect.any(Number),
      finishedAt: expect.any(Number),
      fields: [
        ['client_orderid', 'o-1'],
        ['amount', '10.42'],
        ['currency', 'EUR'],
        ['email', 'j***@example.com'],
        ['credit_card_number', '444444******4448'],
        ['card_printed_name', '***'],
        ['expire_month', '***'],
        ['expire_year', '***'],
        ['cvv2', '***'],
        ['order_desc', 'tea'],
        ['fancy', '***'],
        ['control', '***'],
      ],
      signed,
      httpStatus: 200,
      reply: JSON.parse(acceptedBody),
      ending: 'accepted',
    })
  })

  it('sees a base string with masked values for the OAuth schemes', async () => {
    const seen: SignedRequest[] = []
    const { client } = open({ signed: signed => seen.push(signed) })
    await client.payout({ clientOrderId: 'o-1', amount: '5.00', currency: 'EUR', creditCardNumber: '4444444444444448' })
    expect(seen[0]).toMatchObject({ scheme: 'oauth-hmac-sha1' })
    expect(seen[0]?.baseString).toMatch(
      /^POST&https%3A%2F%2Fgate\.example%2Fpaynet%2Fapi%2Fv2%2Fpayout%2F39&amount%3D5\.00%26/,
    )
    expect(seen[0]?.baseString).toContain('credit_card_number%3D444444%252A%252A%252A%252A%252A%252A4448')
  })

  it('sees how a call failed', async () => {
    const seen: Exchange[] = []
    const dispatcher = {
      reportsStart: true,
      dispatch() {
        throw new Error('no network')
      },
    }
    const { client } = open({ exchange: exchange => seen.push(exchange) }, { dispatcher })
    await expect(client.sale(saleRequest)).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
    expect(seen).toMatchObject([
      { ending: 'not-sent', error: { code: 'ERR_NOT_SENT', message: expect.stringContaining('no network') } },
    ])
    expect(seen[0]).not.toHaveProperty('httpStatus')
  })

  it('cannot break a call by throwing', async () => {
    const broken = () => {
      throw new Error('logging is down')
    }
    const { client } = open({ signed: broken, exchange: broken, unsettled: broken })
    expect(await client.sale(saleRequest)).toMatchObject({ orderId: '77' })
  })
})

describe('an observer that logs over the network', () => {
  it('cannot end the process by rejecting', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    const broken = async () => Promise.reject(new Error('logging is down'))
    const { client } = open({ signed: broken, exchange: broken })
    expect(await client.sale(saleRequest)).toMatchObject({ orderId: '77' })
    await new Promise(resolve => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })
})

describe('a clock that fails while an answer is judged', () => {
  it('leaves the outcome unknown', async () => {
    let calls = 0
    const clock = () => {
      calls += 1
      // Until the request has started it is asked five times, and nothing would be sent without it.
      if (calls > 5) throw new Error('no clock')
      return 1000
    }
    const gateway = createFakeGateway()
    const { baseUrl, endpointId, login, dispatcher } = gateway.clientOptions
    const { client } = open({}, { baseUrl, endpointId, login, dispatcher, clock })
    const refused = client.sale({ ...saleRequest, cvv2: '123' })
    await expect(refused).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', moneyMayHaveMoved: true })
    await gateway.close()
  })
})

describe('an operation of one’s own', () => {
  const extendHold = operation<{ readonly clientOrderId: string; readonly holdDays: string }, AsyncResponse>({
    name: 'EXTEND_HOLD',
    path: '/api/v4/extend-hold',
    signing: { scheme: 'oauth-hmac-sha1' },
    effect: 'changes',
    request: 'ExtendHold',
    response: 'AsyncResponse',
    required: ['holdDays'],
    stages: [],
    wireNames: { holdDays: 'hold-days' },
  })

  it('is signed, sent, told and concluded like the others', async () => {
    const gateway = createFakeGateway({ operations: { extendHold } })
    gateway.handle({ extendHold: () => ({ orderId: '77' }) } as Parameters<typeof gateway.handle>[0])
    const { observer, attempts } = recordAttempts()
    const client = createClient({ ...gateway.clientOptions, observer })
    const request = { clientOrderId: 'o-1', holdDays: '3' }
    expect(await client.send(extendHold, request)).toMatchObject({ orderId: '77' })
    expect(attempts()).toMatchObject([{ operation: 'EXTEND_HOLD', end: { kind: 'accepted', orderId: '77' } }])
    expect(gateway.calls('extendHold')).toHaveLength(1)
    await gateway.close()
  })
})
