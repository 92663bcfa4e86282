import { createHash, createHmac } from 'node:crypto'
import { Validator } from '@seriousme/openapi-schema-validator'
import { encodeForm } from '@tillkit/signing'
import { type FakeGateway, testCard } from '@tillkit/testing'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, pay, prepare, send } from '../../testing/test/signed-request.js'
import { refuseStranger } from '../src/gateway/control/answer.js'
import { controlRoutes } from '../src/gateway/control/routes.js'
import type { SignatureView } from '../src/gateway/inspection/signatures.js'
import { createGateway, type GatewayOptions } from '../src/index.js'

let gateway: FakeGateway
beforeEach(() => {
  gateway = createGateway({ controlKey: 'K-secret' })
})
afterEach(() => gateway.close())

type Json = Record<string, unknown>

interface Document {
  readonly paths: Record<string, Record<string, { operationId: string; parameters?: { name: string; in: string }[] }>>
}

interface Asked {
  readonly json?: Json
  readonly form?: Record<string, string>
  readonly headers?: Record<string, string>
  readonly origin?: string
}

async function ask(method: string, path: string, { json, form, headers, origin }: Asked = {}) {
  const body = json === undefined ? form && encodeForm(Object.entries(form)) : JSON.stringify(json)
  const { dispatcher } = gateway.clientOptions
  const answer = await request(`${origin ?? gateway.clientOptions.baseUrl.origin}/__gateway/api${path}`, {
    method: method as 'GET',
    ...(dispatcher === undefined ? {} : { dispatcher }),
    headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body }),
  })
  const text = await answer.body.text()
  return { status: answer.statusCode, text, json: JSON.parse(text) as Json, headers: answer.headers }
}

async function sale(fields: Record<string, string> = {}) {
  const { reply } = await pay(gateway, 'sale', { clientOrderId: 'o/1', ...fields })
  return reply['paynet-order-id'] ?? ''
}

describe('the control API', () => {
  it('answers every route', async () => {
    gateway.faults.arm('amount-later')
    const orderId = await sale({ serverCallbackUrl: 'http://127.0.0.1:9/callback', orderDesc: 'A cup' })
    await pay(gateway, 'sale', { clientOrderId: 'o-2', cvv2: '116' })
    await call(gateway, 'payout', { clientOrderId: 'p-1', amount: '10.00', currency: 'EUR', accountNumber: '12345678' })
    await request(`${gateway.clientOptions.baseUrl}/api/v9/none/39`, { dispatcher: gateway.dispatcher, method: 'POST' })
    const form = { amount: '10.00', currency: 'EUR', email: 'ada@shop.test', redirectUrl: 'http://127.0.0.1:9/back' }
    await call(gateway, 'saleForm', { clientOrderId: 'f-1', ...form })
    await gateway.callbacks.idle()
    const asked: readonly (readonly [name: keyof typeof controlRoutes, path: string, json?: Json])[] = [
      ['readGateway', '/'],
      ['readDocument', '/openapi.json'],
      ['listOrders', '/orders'],
      ['readOrder', `/orders/${orderId}`],
      ['readOrder', '/orders/o%2F1'],
      ['actOnOrder', '/orders/o-2/actions', { action: 'correct', status: 'approved' }],
      ['actOnOrder', '/orders/f-1/actions', { action: 'end-form' }],
      ['actOnOrder', '/orders/o-2/actions', { action: 'reverse', amount: '1.00', toldApartBy: 'nothing' }],
      ['actOnOrder', '/orders/o-2/actions', { action: 'correct', status: 'declined', stage: 2 }],
      ['resendCallback', `/orders/${orderId}/callbacks`, {}],
      ['listCalls', '/calls?operation=sale&limit=1'],
      ['listCalls', '/calls'],
      ['readCall', '/calls/1'],
      ['readCall', '/calls/3'],
      ['readCall', '/calls/4'],
      ['listCallbacks', '/callbacks'],
      ['listFaults', '/faults'],
      ['armFault', '/faults', { fault: 'drop', times: 2, operation: 'sale' }],
      ['armFault', '/faults', { fault: 'callback-late', probability: 0.5, delay: 100 }],
      ['armFault', '/faults', { fault: 'callback-before-status', questions: 3 }],
      ['disarmFault', '/faults/2'],
      ['armPreset', '/faults/presets', { preset: 'Callback twice' }],
      ['clearFaults', '/faults'],
      ['planOutcome', '/outcomes', { outcome: 'declined', errorCode: '116', errorMessage: 'Decline, no funds' }],
      ['planOutcome', '/outcomes', { outcome: '3ds', operation: 'sale', amount: '66.60', clientOrderId: 'o-9' }],
      ['listOutcomes', '/outcomes'],
      ['clearOutcomes', '/outcomes'],
      ['listScenarios', '/scenarios'],
      ['readClock', '/clock'],
      ['advanceClock', '/clock', { milliseconds: 1_000 }],
      ['listProblems', '/problems'],
      ['reset', '/reset', {}],
    ]
    expect(new Set(asked.map(([name]) => name))).toEqual(new Set(Object.keys(controlRoutes)))
    for (const [name, path, json] of asked) {
      const { method } = controlRoutes[name]
      const answer = await ask(method, path, json === undefined ? {} : { json })
      expect([path, answer.status, answer.json.error]).toEqual([path, 200, undefined])
    }
  })

  it('describes itself: every route and every parameter of a path is there', async () => {
    const { json } = await ask('GET', '/openapi.json')
    const document = json as unknown as Document
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, method.toUpperCase(), path]),
    )
    const routes = Object.entries(controlRoutes).map(([name, { method, path }]) => [
      name,
      method,
      `/__gateway/api${path}`,
    ])
    expect(described.toSorted()).toEqual(routes.toSorted())
    for (const [path, methods] of Object.entries(document.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters = [] } of Object.values(methods)) {
        expect(parameters.filter(each => each.in === 'path').map(({ name }) => name)).toEqual(inPath)
      }
    }
    expect(document.paths['/__gateway/api/clock']?.post).toMatchObject({
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: { required: ['milliseconds'], properties: { milliseconds: { type: 'integer', minimum: 0 } } },
          },
        },
      },
    })
    expect(document.paths['/__gateway/api/calls']?.get?.parameters).toMatchObject([
      { name: 'operation', in: 'query', required: false, schema: { type: 'string' } },
      { name: 'after', in: 'query', required: false },
      { name: 'limit', in: 'query', schema: { minimum: 1 } },
    ])
  })

  it('describes itself in OpenAPI, says a validator of others', async () => {
    const { json } = await ask('GET', '/openapi.json')
    const validator = new Validator()
    expect(await validator.validate(json)).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('takes a control value apart: with the key, its text is what was digested', async () => {
    const fields = { clientOrderId: 'o-1', amount: '10.00', currency: 'EUR', email: 'ada@shop.test' }
    const prepared = await prepare(gateway, 'sale', fields)
    await send(gateway, prepared)
    const { signature } = (await ask('GET', '/calls/1')).json as { signature: SignatureView }
    expect(signature.covered.map(({ name }) => name)).toEqual(['endpointId', 'clientOrderId', 'amount', 'email'])
    expect(signature.text).toBe('39o-11000ada@shop.test<control key>')
    const digest = createHash('sha1')
      .update((signature.text ?? '').replace('<control key>', 'K-secret'))
      .digest('hex')
    expect(new Map(prepared.parameters).get('control')).toBe(digest)
  })

  it('takes an OAuth signature apart: its text is the base string that was signed', async () => {
    const fields = { clientOrderId: 'p-1', amount: '10.00', currency: 'EUR', accountNumber: '12345678' }
    const prepared = await prepare(gateway, 'payout', fields)
    await send(gateway, prepared)
    const { signature } = (await ask('GET', '/calls/1')).json as { signature: SignatureView }
    expect(signature.covered.map(({ name }) => name)).toContain('oauth_nonce')
    const made = createHmac('sha1', 'K-secret&')
      .update(signature.text ?? '')
      .digest('base64')
    expect(prepared.headers.authorization).toContain(`oauth_signature="${encodeURIComponent(made)}"`)
    expect(JSON.stringify(gateway.calls())).not.toContain(made)
  })

  it('shows an amount that cannot be read as it came, and nothing for a broken header', async () => {
    const prepared = await prepare(gateway, 'sale', { clientOrderId: 'o-1', amount: '10.00', currency: 'EUR' })
    const parameters = prepared.parameters.map(([name, value]): [string, string] => [
      name,
      name === 'amount' ? '1O' : value,
    ])
    await send(gateway, { ...prepared, parameters })
    const payout = await prepare(gateway, 'payout', { clientOrderId: 'p-1', amount: '10.00', currency: 'EUR' })
    await send(gateway, { ...payout, headers: { ...payout.headers, authorization: 'Bearer x' } })
    const [first, second] = await Promise.all(['/calls/1', '/calls/2'].map(path => ask('GET', path)))
    expect(first?.json.signature).toEqual({
      scheme: 'control',
      covered: [
        { name: 'endpointId', value: '39' },
        { name: 'clientOrderId', value: 'o-1' },
        { name: 'amount', value: '1O' },
        { name: 'email', value: '' },
      ],
    })
    expect(second?.json.signature).toBeUndefined()
  })

  it('acts on an order, and calls back about it', async () => {
    const orderId = await sale({ notifyUrl: 'http://127.0.0.1:9/callback' })
    const charged = await ask('POST', `/orders/${orderId}/actions`, { form: { action: 'charge-back', amount: '4.00' } })
    expect(charged.json.stages).toMatchObject([{ stage: 'sale' }, { stage: 'chargeback', amount: '4.00' }])
    await gateway.callbacks.idle()
    const { json } = await ask('GET', `/callbacks?id=${orderId}`)
    expect(json.callbacks).toHaveLength(2)
    const again = await ask('POST', `/orders/${orderId}/actions`, { json: { action: 'approve' } })
    expect(again.status).toBe(409)
    expect(again.json.error).toContain('has ended')
  })

  it('plans outcomes that decide, and forgets those that did not', async () => {
    await ask('POST', '/outcomes', { form: { outcome: 'declined', amount: '66.6', errorCode: '116' } })
    await ask('POST', '/outcomes', { form: { outcome: 'filtered', operation: 'preauth', times: '2' } })
    await pay(gateway, 'sale', { clientOrderId: 'o-1', amount: '66.60' })
    await pay(gateway, 'preauth', { clientOrderId: 'o-2' })
    const stages = gateway.orders.list().map(({ stages: [stage] }) => [stage?.status, stage?.errorCode])
    expect(stages).toEqual([
      ['declined', '116'],
      ['filtered', '100'],
    ])
    expect((await ask('GET', '/outcomes')).json.planned).toEqual([
      { outcome: 'declined', amount: '66.6', errorCode: '116' },
      { outcome: 'filtered', operation: 'preauth', times: 1 },
    ])
    expect((await ask('DELETE', '/outcomes')).json).toEqual({ planned: [] })
    expect(gateway.outcomes.planned()).toEqual([])
  })

  it('arms faults that strike', async () => {
    await ask('POST', '/faults', { form: { fault: 'server-error-after-commit', operation: 'sale' } })
    expect((await pay(gateway, 'sale', { clientOrderId: 'o-1' })).status).toBe(500)
    expect((await ask('GET', '/orders/o-1')).json.stages).toMatchObject([{ status: 'approved' }])
    const { json } = await ask('GET', '/calls')
    expect(json.calls).toMatchObject([{ number: 1, fault: 'server-error-after-commit', httpStatus: 500 }])
  })

  it('answers the request that has the port closed, and is never refused without sockets', async () => {
    await ask('POST', '/faults', { json: { fault: 'refuse-connection' } })
    expect((await ask('GET', '/faults')).json.armed).toMatchObject([{ fault: 'refuse-connection' }])
    await expect(sale()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    const { controlOrigin = '' } = await gateway.listen()
    const closed = await ask('POST', '/faults', { json: { fault: 'refuse-connection' } })
    expect([closed.status, closed.headers.connection]).toEqual([200, 'close'])
    await expect(ask('GET', '/faults')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect((await ask('GET', '/faults', { origin: controlOrigin })).status).toBe(200)
    await gateway.clock.advance(60_000)
    expect((await ask('GET', '/faults')).status).toBe(200)
  })

  it('moves the clock and runs what falls due', async () => {
    gateway = createGateway({ processingTime: 60_000 })
    await sale()
    const before = Number((await ask('GET', '/clock')).json.now)
    expect((await ask('GET', '/orders/o%2F1')).json.stages).toMatchObject([{ status: 'processing' }])
    const { json } = await ask('POST', '/clock', { form: { milliseconds: '60000' } })
    expect(Number(json.now) - before).toBeGreaterThanOrEqual(60_000)
    expect((await ask('GET', '/orders/o%2F1')).json.stages).toMatchObject([{ status: 'approved' }])
  })

  it('lists calls after a number, for a script that follows them', async () => {
    await sale()
    await pay(gateway, 'sale', { clientOrderId: 'o-2' })
    const { json } = await ask('GET', '/calls?after=1')
    expect(json.calls).toMatchObject([{ number: 2 }])
    await ask('POST', '/reset')
    await pay(gateway, 'sale', { clientOrderId: 'o-3' })
    expect((await ask('GET', '/calls?after=2')).json.calls).toMatchObject([{ number: 3 }])
  })

  it('takes JSON apart even when curl calls it a form', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await ask('POST', '/faults', { json: { fault: 'drop' }, headers })
    expect(answer.json.armed).toMatchObject([{ fault: 'drop', times: 1 }])
  })

  it.each([
    ['GET', '/nothing', {}, 404, 'Nothing is at this path.'],
    ['GET', '/orders/none', {}, 404, 'There is no order "none".'],
    ['GET', '/calls/7', {}, 404, 'There is no call 7'],
    ['GET', '/calls/many', {}, 400, '"number" is "many"; it must be a whole number.'],
    ['GET', '/calls?limit=0', {}, 400, '"limit" is 0; it must be 1 or more.'],
    ['GET', '/calls?limt=1', {}, 400, 'The request has no "limt". There is: operation, after, limit.'],
    ['GET', '/orders/%zz', {}, 400, 'percent-encoded'],
    ['PUT', '/clock', {}, 405, 'This path takes GET and POST.'],
    ['POST', '/clock', {}, 400, '"milliseconds" is missing.'],
    ['POST', '/clock', { json: { milliseconds: -1 } }, 400, '"milliseconds" is -1; it must be 0 or more.'],
    ['POST', '/clock', { json: { milliseconds: 1e15 } }, 400, '"milliseconds" is 1000000000000000; it must be'],
    ['POST', '/clock', { json: { milliseconds: 'soon' } }, 400, '"milliseconds" is "soon"; it must be a whole number.'],
    ['POST', '/faults', { json: { fault: 'fire' } }, 400, '"fault" is "fire"; it must be one of "refuse-connection"'],
    ['POST', '/faults', { json: { fault: ['drop'] } }, 400, '"fault" is of type array; it must be one of'],
    ['POST', '/faults', { json: { fault: 'drop', operation: 'sail' } }, 400, '"sail"'],
    ['POST', '/faults', { form: { fault: 'drop', probability: '2' } }, 400, '"probability"'],
    [
      'POST',
      '/outcomes',
      { form: { outcome: 'paid' } },
      400,
      '"outcome" is "paid"; it must be one of "approved", "declined"',
    ],
    ['POST', '/outcomes', { form: { outcome: 'error', operation: 'sail' } }, 400, '"operation" is "sail"'],
    ['POST', '/outcomes', { form: { outcome: 'error', amount: '1,00' } }, 400, '"amount" is "1,00"'],
    ['POST', '/reset', { json: [] as never }, 400, 'The body is no JSON object.'],
  ] as const)('says what is wrong: %s %s %j', async (method, path, asked, status, text) => {
    const answer = await ask(method, path, asked)
    expect([answer.status, answer.json.error]).toEqual([status, expect.stringContaining(text)])
  })

  it('shows no card number, security code, expiry, key or control value', async () => {
    const merchantData = `K-secret ${testCard}`
    const serverCallbackUrl = `http://127.0.0.1:9/${testCard}`
    await sale({ orderDesc: `Card ${testCard} with K-secret`, merchantData, serverCallbackUrl })
    await gateway.callbacks.idle()
    const paths = ['/orders', '/calls', '/calls/1', '/callbacks', '/']
    const shown = (await Promise.all(paths.map(path => ask('GET', path)))).map(({ text }) => text).join()
    for (const secret of [testCard, 'K-secret', '"123"', '"2099"']) expect(shown).not.toContain(secret)
    expect(shown).toContain('Card 444444******4448 with <control key>')
    expect(shown).not.toMatch(/[0-9a-f]{40}/)
  })

  it('can be switched off', async () => {
    const off: GatewayOptions = { dashboard: false }
    gateway = createGateway(off)
    expect((await ask('GET', '/')).status).toBe(404)
  })
})

describe('the control API keeps strangers out', () => {
  beforeEach(async () => {
    await gateway.listen()
  })

  it('lets other machines in where somebody says so, by numbers or the origin it was told, by no other name', () => {
    const check = {
      origin: () => 'http://gateway:4010',
      exposed: () => true,
      settings: { origin: 'https://gateway.test' },
    }
    const ask = (host: string) =>
      refuseStranger({ method: 'GET', url: new URL(`http://${host}/`), headers: {}, body: new Uint8Array() }, check)
    for (const host of ['gateway:4010', '192.0.2.1:4010', '[2001:db8::1]:4010', 'localhost:4010']) ask(host)
    for (const host of ['attacker.example:4010', 'gateway:80', '1.attacker.example']) {
      expect(() => ask(host)).toThrow('are for this machine')
    }
  })

  it('takes a request to a name of this machine only', async () => {
    const rebound = await ask('GET', '/orders', { headers: { host: 'attacker.example' } })
    expect(rebound.status).toBe(403)
    expect(rebound.json.error).toContain('not attacker.example')
    const { port } = gateway.clientOptions.baseUrl
    expect((await ask('GET', '/orders', { headers: { host: `localhost:${port}` } })).status).toBe(200)
    expect((await ask('GET', '/orders', { headers: { host: `localhost.attacker.example:${port}` } })).status).toBe(403)
  })

  it('answers nobody where other machines can reach it, whatever name they say', () => {
    const check = {
      origin: () => 'http://192.0.2.1:4010',
      exposed: () => false,
      settings: { origin: 'https://gateway.test' },
    }
    for (const address of ['http://127.0.0.1:4010/', 'http://192.0.2.1:4010/', 'https://gateway.test/']) {
      const asked = { method: 'GET', url: new URL(address), headers: {}, body: new Uint8Array() }
      expect(() => refuseStranger(asked, check)).toThrow('are for this machine')
    }
  })

  it.each([
    { origin: 'https://attacker.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('changes nothing for a page with %j', async headers => {
    const answer = await ask('POST', '/faults', { form: { fault: 'drop' }, headers })
    expect(answer.status).toBe(403)
    expect(gateway.faults.armed()).toEqual([])
  })

  it('takes what its own pages and programs send', async () => {
    const { origin } = gateway.clientOptions.baseUrl
    const own = { origin, 'sec-fetch-site': 'same-origin' }
    expect((await ask('POST', '/faults', { form: { fault: 'drop' }, headers: own })).status).toBe(200)
    expect((await ask('DELETE', '/faults')).status).toBe(200)
  })

  it('refuses a body that is too large', async () => {
    const answer = await ask('POST', '/reset', { form: { x: 'y'.repeat(300_000) } })
    expect(answer.status).toBe(413)
  })
})
