import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defineProfile } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeClock, createFakeGateway, type FakeGateway, type FakeGatewayOptions } from '../src/index.js'
import { call, pay } from './signed-request.js'

/** A merchant that keeps what arrives and answers what it is told to. */
async function startMerchant() {
  const arrived: { method: string; query: URLSearchParams; body: string }[] = []
  const answers: number[] = []
  let noteArrival = (): void => undefined
  const firstArrival = new Promise<void>(resolve => {
    noteArrival = resolve
  })
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { searchParams } = new URL(incoming.url ?? '', 'http://merchant')
      arrived.push({ method: incoming.method ?? '', query: searchParams, body: Buffer.concat(chunks).toString() })
      noteArrival()
      const status = answers.shift() ?? 200
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('OK')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { arrived, answers, firstArrival, url: `http://127.0.0.1:${port}/callback?shop=7`, close }
}

let merchant: Awaited<ReturnType<typeof startMerchant>>
const gateways: FakeGateway[] = []
const fake = (options: FakeGatewayOptions = {}): FakeGateway => {
  const gateway = createFakeGateway({ clock: createFakeClock({ base: () => 1_800_000_000_000 }), ...options })
  gateways.push(gateway)
  return gateway
}
beforeEach(async () => {
  merchant = await startMerchant()
})
afterEach(async () => {
  await Promise.all(gateways.splice(0).map(gateway => gateway.close()))
  await merchant.close()
})

const sale = (gateway: FakeGateway, fields: Record<string, string> = {}) =>
  pay(gateway, 'sale', { clientOrderId: 'o-1', serverCallbackUrl: merchant.url, ...fields })

describe('a callback', () => {
  it('warns once of each address where nothing takes callbacks', async () => {
    const warned: string[] = []
    const gateway = fake({ warn: text => warned.push(text) })
    const warningsOf = async (serverCallbackUrl: string, clientOrderId: string) => {
      warned.length = 0
      await sale(gateway, { serverCallbackUrl, clientOrderId })
      await gateway.callbacks.idle()
      return warned.filter(text => text.startsWith('The callback to '))
    }
    const shown = merchant.url.replace('?shop=7', '')
    merchant.answers.push(404, 404, 503, 200)
    expect(await warningsOf(merchant.url, 'o-1')).toEqual([
      `The callback to ${shown} was answered with 404: does your shop take callbacks there? This is said once.`,
    ])
    expect(await warningsOf(merchant.url, 'o-2')).toEqual([])
    expect(await warningsOf(`${shown}/other`, 'o-3')).toEqual([])
    expect(await warningsOf(`${shown}/other`, 'o-4')).toEqual([])
    // Nobody listens on this port.
    const nowhere = 'http://127.0.0.1:9/callback'
    expect(await warningsOf(`${nowhere}?shop=7`, 'o-5')).toEqual([
      `The callback to ${nowhere} was not answered (connect ECONNREFUSED 127.0.0.1:9): does your shop listen there? This is said once.`,
    ])
    expect(await warningsOf(nowhere, 'o-6')).toEqual([])
    expect(gateway.callbacks.list().map(({ httpStatus }) => httpStatus)).toEqual([
      404,
      404,
      503,
      200,
      undefined,
      undefined,
    ])
  })

  it('that the fault "callback-dead-host" keeps from its address is nothing to warn of', async () => {
    const warned: string[] = []
    const gateway = fake({ warn: text => warned.push(text) })
    gateway.faults.arm('callback-dead-host')
    await sale(gateway)
    await gateway.callbacks.idle()
    expect(gateway.callbacks.list()).toHaveLength(1)
    expect(warned.filter(text => text.includes('callback'))).toEqual([])
  })

  it('is a GET with a control value over status, order id and merchant order', async () => {
    const gateway = fake({ controlKey: 'K' })
    const { reply } = await sale(gateway)
    await gateway.callbacks.idle()
    const orderId = reply['paynet-order-id'] ?? ''
    expect(merchant.arrived).toHaveLength(1)
    const { method, query } = merchant.arrived[0] ?? { query: new URLSearchParams() }
    expect(method).toBe('GET')
    const control = createHash('sha1').update(`approved${orderId}o-1K`).digest('hex')
    expect(Object.fromEntries(query)).toMatchObject({
      shop: '7',
      status: 'approved',
      orderid: orderId,
      merchant_order: 'o-1',
      client_orderid: 'o-1',
      type: 'sale',
      amount: '10.00',
      'last-four-digits': '4448',
      control,
    })
    expect(gateway.callbacks.list()).toMatchObject([{ orderId, attempt: 1, httpStatus: 200, at: 1_800_000_000_000 }])
    expect(JSON.stringify(gateway.callbacks.list())).not.toContain(control)
  })

  it('waits for the processing time, and tells a decline with its reason', async () => {
    const gateway = fake({ processingTime: 2_000 })
    await sale(gateway, { cvv2: '116' })
    await gateway.clock.advance(1_999)
    await gateway.callbacks.idle()
    expect(merchant.arrived).toEqual([])
    await gateway.clock.advance(1)
    expect(Object.fromEntries(merchant.arrived[0]?.query ?? [])).toMatchObject({
      status: 'declined',
      error_code: '116',
      error_message: 'Decline, insufficient funds',
    })
  })

  it('to a name below localhost stays on this machine, whatever a name server says', async () => {
    const gateway = fake()
    await sale(gateway, { serverCallbackUrl: merchant.url.replace('127.0.0.1', 'shop.localhost') })
    await gateway.callbacks.idle()
    expect(gateway.callbacks.list()).toMatchObject([{ httpStatus: 200 }])
    expect(merchant.arrived).toHaveLength(1)
  })

  it('never speaks of an unknown outcome', async () => {
    const gateway = fake()
    await sale(gateway, { cvv2: '217' })
    await gateway.clock.advance(86_400_000)
    await gateway.callbacks.idle()
    expect(merchant.arrived).toEqual([])
  })

  it('speaks of the first transaction only at server_callback_url, of later ones too at notify_url', async () => {
    const gateway = fake()
    for (const [clientOrderId, field] of [
      ['o-1', 'serverCallbackUrl'],
      ['o-2', 'notifyUrl'],
    ] as const) {
      const { reply } = await pay(gateway, 'preauth', { clientOrderId, [field]: merchant.url })
      await call(gateway, 'capture', { clientOrderId, orderId: reply['paynet-order-id'] ?? '' })
      await gateway.callbacks.idle()
    }
    const told = merchant.arrived.map(({ query }) => `${query.get('merchant_order')} ${query.get('type')}`)
    expect(told.sort()).toEqual(['o-1 preauth', 'o-2 capture', 'o-2 preauth'])
  })

  it.each(['capture', 'void', 'return'] as const)('of a %s goes where that request wants it', async operation => {
    const gateway = fake()
    const { reply } = await pay(gateway, 'preauth', { clientOrderId: 'o-1' })
    const ids = { clientOrderId: 'o-1', orderId: reply['paynet-order-id'] ?? '' }
    await call(gateway, operation, { ...ids, serverCallbackUrl: merchant.url })
    await gateway.callbacks.idle()
    const stage = operation === 'return' ? 'cancel' : operation
    expect(merchant.arrived.map(({ query }) => query.get('type'))).toEqual([stage])
  })

  it('of an executed payout goes where that request wants it', async () => {
    const gateway = fake()
    const money = { amount: '10.00', currency: 'EUR', accountNumber: 'GB33BUKB20201555555555' }
    const { reply } = await call(gateway, 'payoutCheck', { clientOrderId: 'p-1', ...money })
    const ids = { clientOrderId: 'p-1', orderId: reply['paynet-order-id'] ?? '' }
    await call(gateway, 'payoutPay', { ...ids, serverCallbackUrl: merchant.url })
    await gateway.callbacks.idle()
    expect(merchant.arrived.map(({ query }) => query.get('type'))).toEqual(['payout'])
  })

  it('goes out from a gateway that was closed and listens again', async () => {
    const gateway = fake()
    await gateway.listen()
    await gateway.close()
    await gateway.listen()
    await sale(gateway)
    await gateway.callbacks.idle()
    expect(gateway.callbacks.list()).toMatchObject([{ attempt: 1, httpStatus: 200 }])
  })

  it('goes out after an answer that was lost', async () => {
    const gateway = fake()
    gateway.faults.arm('commit-then-drop')
    await expect(sale(gateway)).rejects.toThrow()
    await gateway.callbacks.idle()
    expect(merchant.arrived).toHaveLength(1)
  })

  it('is a POST where the profile says so, and named as the profile names it', async () => {
    const callbackParameters = { status: 'state', orderId: 'id', clientOrderId: ['mine'], control: 'digest' }
    const gateway = fake({ profile: defineProfile({ callbackMethod: 'POST', callbackParameters }) })
    await sale(gateway)
    await gateway.callbacks.idle()
    const { method, query, body } = merchant.arrived[0] ?? { query: new URLSearchParams(), body: '' }
    expect(method).toBe('POST')
    expect([...query.keys()]).toEqual(['shop'])
    const form = new URLSearchParams(body)
    expect(form.get('state')).toBe('approved')
    expect(form.get('mine')).toBe('o-1')
    expect(form.get('digest')).toMatch(/^[0-9a-f]{40}$/)
  })

  it('is repeated on the clock, with the same parameters, until it is taken', async () => {
    const gateway = fake()
    merchant.answers.push(500, 302)
    await sale(gateway)
    await gateway.callbacks.idle()
    await gateway.clock.advance(60_000)
    await gateway.clock.advance(80_400)
    await gateway.clock.advance(14 * 86_400_000)
    expect(gateway.callbacks.list().map(({ attempt, httpStatus }) => [attempt, httpStatus])).toEqual([
      [1, 500],
      [2, 302],
      [3, 200],
    ])
    expect(new Set(merchant.arrived.map(({ query }) => query.toString())).size).toBe(1)
  })

  it('is given up after thirty repetitions within fourteen days when nobody answers', async () => {
    const gateway = fake()
    await merchant.close()
    await sale(gateway)
    await gateway.callbacks.idle()
    await gateway.clock.advance(14 * 86_400_000)
    await gateway.clock.advance(86_400_000)
    const deliveries = gateway.callbacks.list()
    expect(deliveries).toHaveLength(31)
    expect(deliveries.every(({ error, httpStatus }) => error !== undefined && httpStatus === undefined)).toBe(true)
    const gaps = deliveries.slice(1).map(({ at }, index) => at - (deliveries[index]?.at ?? 0))
    expect(gaps.every((gap, index) => index === 0 || gap > (gaps[index - 1] ?? 0))).toBe(true)
    merchant = await startMerchant()
  })

  it('never leaves this machine unless it is allowed to', async () => {
    const gateway = fake()
    await sale(gateway, { serverCallbackUrl: 'https://shop.example/callback' })
    await sale(gateway, { clientOrderId: 'o-2', serverCallbackUrl: 'not an address' })
    await gateway.callbacks.idle()
    await gateway.clock.advance(14 * 86_400_000)
    expect(gateway.callbacks.list().map(({ error }) => error)).toEqual([
      'shop.example is not this machine, so it was not called. Set "allowCallbacksTo" to "anywhere" if you mean it.',
      'This is no http or https address.',
    ])
  })

  // RFC 1918, RFC 3927 and RFC 4193: the developer's network. RFC 1122 and RFC 4291: no address, which systems take for their own.
  it.each([
    ...[
      '192.168.0.1',
      '10.0.0.1',
      '172.16.0.1',
      '169.254.169.254',
      '0.0.0.0',
      '[::]',
      '[fd00::1]',
      '[::ffff:10.0.0.1]',
    ],
    ...['router', 'localhost.shop.example', '127.0.0.1.shop.example'],
  ])('never reaches %s of the developer’s network', async host => {
    const gateway = fake()
    await sale(gateway, { serverCallbackUrl: `http://${host}:8080/`, notifyUrl: `http://${host}:8080/` })
    await gateway.callbacks.idle()
    await gateway.clock.advance(14 * 86_400_000)
    expect(gateway.callbacks.list()).toMatchObject([{ error: expect.stringContaining('is not this machine') }])
  })

  it('is sent once more on request', async () => {
    const gateway = fake()
    const { reply } = await sale(gateway)
    await gateway.callbacks.idle()
    await gateway.callbacks.resend(reply['paynet-order-id'] ?? '')
    expect(merchant.arrived).toHaveLength(2)
    expect(merchant.arrived[0]?.query.toString()).toBe(merchant.arrived[1]?.query.toString())
    await expect(gateway.callbacks.resend('1')).rejects.toThrow('There is no order "1"')
    const silent = await pay(gateway, 'sale', { clientOrderId: 'o-2' })
    await expect(gateway.callbacks.resend(silent.reply['paynet-order-id'] ?? '')).rejects.toThrow(
      'asked a callback for',
    )
  })

  it('fires by itself on a clock of real time', async () => {
    const gateway = fake({ clock: createFakeClock({ base: Date.now, realTime: true }), processingTime: 5 })
    await sale(gateway)
    await merchant.firstArrival
    expect(merchant.arrived[0]?.query.get('status')).toBe('approved')
  })
})
