import { defineProfile } from '@tillkit/protocol'
import { describe, expect, it, vi } from 'vitest'
import { type ExpressModule, oldest, serve } from '../../test/serve.js'
import { readState } from '../state/token.js'
import { type RedirectToHostedFormOptions, redirectToHostedForm } from './customers.js'

const now = 1_800_000_000_000
const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]
const formAddress = 'https://gate.example/paynet/form/init/A1'

/** A client that remembers what it was asked for. It needs its `this`, as a class instance would. */
function stubClient(reply: object = {}) {
  const answer = vi.fn(async function (this: unknown, _request: unknown) {
    if (this !== client) throw new Error('lost its this')
    return { type: 'async-form-response', orderId: '77', redirectUrl: formAddress, ...reply, raw: {} }
  })
  const client = { saleForm: answer, preauthForm: answer, baseUrl: new URL('https://gate.example/paynet') }
  return { client, answer, asked: () => answer.mock.calls.map(([request]) => request as { redirectUrl: string }) }
}

const order = { clientOrderId: 'order-1', amount: '10.00', currency: 'EUR', email: 'joan@customer.example' }

/** Posts once to a server that redirects to a hosted form. */
async function post(
  express: ExpressModule,
  options: Partial<RedirectToHostedFormOptions<'saleForm' | 'preauthForm'>> &
    Pick<RedirectToHostedFormOptions, 'client'>,
) {
  const app = express()
  app.post(
    '/pay',
    redirectToHostedForm<'saleForm' | 'preauthForm'>({
      order: () => order,
      returnUrl: 'https://shop.example/return',
      stateSecrets,
      clock: () => now,
      ...options,
    } as RedirectToHostedFormOptions<'saleForm' | 'preauthForm'>),
  )
  await using served = await serve(app)
  const response = await fetch(`${served.origin}/pay`, { method: 'POST', redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe.each(oldest)('redirectToHostedForm under %s', (_version, express) => {
  it('creates the form and sends the customer there with 303, not to be stored', async () => {
    const { client, asked } = stubClient()
    const { status, headers } = await post(express, { client })
    expect(status).toBe(303)
    expect(headers.get('location')).toBe(formAddress)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(asked()).toEqual([
      { ...order, redirectUrl: expect.stringMatching(/^https:\/\/shop\.example\/return\/[^/]+$/) },
    ])
  })

  it('puts the order and its price into the state, fresh for a day', async () => {
    const { client, asked } = stubClient()
    await post(express, { client })
    const token = asked()[0]?.redirectUrl.split('/').at(-1) ?? ''
    const read = (at: number) => readState({ token, purpose: 'hosted-form', secrets: stateSecrets, now: at })
    expect(await read(now + 86_399_000)).toEqual({
      kind: 'fresh',
      clientOrderId: 'order-1',
      expected: { operation: 'saleForm', amount: '10.00', currency: 'EUR' },
    })
    expect(await read(now + 86_400_000)).toMatchObject({ kind: 'expired' })
  })

  it('takes operation, order and return address from the request', async () => {
    const { client } = stubClient()
    const preauthForm = vi.fn(async () => ({ redirectUrl: formAddress, raw: {} }))
    const { status } = await post(express, {
      client: { ...client, preauthForm },
      operation: request => (request.path === '/pay' ? 'preauthForm' : 'saleForm'),
      order: async request => ({ ...order, clientOrderId: request.path.slice(1) }),
      returnUrl: request => new URL(`https://shop.example${request.path}/return/`),
    })
    expect(status).toBe(303)
    expect(preauthForm).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        clientOrderId: 'pay',
        redirectUrl: expect.stringMatching(/^https:\/\/shop\.example\/pay\/return\/[^/]+$/),
      }),
    )
  })

  it('tells the merchant of the form before the customer is sent anywhere', async () => {
    const { client } = stubClient({ redirectUrl: 'https://elsewhere.example/' })
    const onCreated = vi.fn()
    const { status } = await post(express, { client, onCreated })
    expect(status).toBe(502)
    expect(onCreated).toHaveBeenCalledExactlyOnceWith({
      operation: 'saleForm',
      clientOrderId: 'order-1',
      request: expect.objectContaining({ clientOrderId: 'order-1', redirectUrl: expect.any(String) }),
      form: { redirectUrl: 'https://elsewhere.example/', orderId: '77' },
      reply: expect.objectContaining({ orderId: '77' }),
    })
  })

  it.each([
    'https://elsewhere.example/paynet/form',
    'https://gate.example.elsewhere.example/',
    'https://gate.example@elsewhere.example/',
    'https://gate.example:8443/',
    'http://gate.example/',
    'javascript:alert(1)',
    '/paynet/form',
    '',
  ])('does not follow the gateway to %j', async redirectUrl => {
    const { client } = stubClient({ redirectUrl })
    const { status, headers, text } = await post(express, { client })
    expect([status, headers.get('location'), text]).toEqual([502, null, 'ERR_REDIRECT_REFUSED'])
  })

  it('follows to hosts that are listed, and then to no other', async () => {
    const redirectHosts = ['Pages.Example', '127.0.0.1:8080', 'other.example:443', 'zähler.example']
    for (const [redirectUrl, expected] of [
      ['https://pages.example/form', 303],
      ['http://127.0.0.1:8080/form', 303],
      ['https://other.example/form', 303],
      ['https://other.example:8443/form', 502],
      ['https://xn--zhler-gra.example/form', 303],
      ['http://127.0.0.1:8081/form', 502],
      [formAddress, 502],
    ] as const) {
      const { status } = await post(express, { client: stubClient({ redirectUrl }).client, redirectHosts })
      expect([redirectUrl, status]).toEqual([redirectUrl, expected])
    }
  })

  it("does not send the customer to another order's form", async () => {
    const { client } = stubClient({ clientOrderId: 'order-2' })
    const { status, text } = await post(express, { client })
    expect([status, text]).toEqual([502, 'ERR_ORDER_MISMATCH'])
  })

  it.each([
    ['a form', { redirectUrl: formAddress, orderId: '77' }],
    ['a form whose order id was not said', { redirectUrl: formAddress }],
  ])('sends nothing where the merchant hands back %s, and sends the customer there', async (_case, form) => {
    const { client, answer } = stubClient()
    const onCreated = vi.fn()
    const { status, headers } = await post(express, { client, onCreated, order: () => ({ ...order, form }) })
    expect([status, headers.get('location')]).toEqual([303, formAddress])
    expect([answer.mock.calls, onCreated.mock.calls]).toEqual([[], []])
  })

  it.each([undefined, null])('creates a form where the merchant hands back %s', async form => {
    const { client, asked } = stubClient()
    const made = { ...order, form } as typeof order
    expect((await post(express, { client, order: () => made })).status).toBe(303)
    expect(asked()).toEqual([{ ...order, redirectUrl: expect.any(String) }])
  })

  it.each([
    ['https://elsewhere.example/', 502, 'ERR_REDIRECT_REFUSED'],
    ['javascript:alert(1)', 502, 'ERR_REDIRECT_REFUSED'],
    [undefined, 500, 'Hand back what "onCreated" was given'],
  ])('never follows a form that is handed back to %s, nor opens another one', async (redirectUrl, code, text) => {
    const { client, answer } = stubClient()
    const form = { redirectUrl } as { readonly redirectUrl: string }
    const answered = await post(express, { client, order: () => ({ ...order, form }) })
    expect([answered.status, answered.headers.get('location')]).toEqual([code, null])
    expect(answered.text).toContain(text)
    expect(answer).not.toHaveBeenCalled()
  })

  it('hands on what the client throws', async () => {
    const { client } = stubClient()
    const saleForm = async () => {
      throw Object.assign(new Error('no'), { code: 'ERR_OUTCOME_UNKNOWN' })
    }
    expect(await post(express, { client: { ...client, saleForm } })).toMatchObject({
      status: 500,
      text: 'ERR_OUTCOME_UNKNOWN',
    })
  })

  it.each([
    [
      'a return address that is too long',
      { returnUrl: `https://shop.example/${'x'.repeat(1000)}` },
      'the gateway takes 1024',
    ],
    ['an order without an id', { order: () => ({ ...order, clientOrderId: '' }) }, '"clientOrderId"'],
    ['an order with a return address', { order: () => ({ ...order, redirectUrl: 'x' }) }, '"redirectUrl"'],
    ['no order', { order: () => undefined as never }, '"clientOrderId"'],
    ['an operation without a form', { operation: () => 'sale' as never }, '"operation"'],
    ['a form the client cannot make', { operation: () => 'payoutForm' as never }, '"payoutForm"'],
    ['a plain http return address', { returnUrl: () => 'http://shop.example/' }, '"returnUrl"'],
  ])('sends nothing with %s', async (_case, options, text) => {
    const { client, answer } = stubClient()
    const answered = await post(express, { client, ...options })
    expect(answered.status).toBe(500)
    expect(answered.text).toContain(text)
    expect(answer).not.toHaveBeenCalled()
  })

  it('takes the longest return address from the profile', async () => {
    const profile = defineProfile({ maxLengths: { redirectUrl: 128 } })
    const { text } = await post(express, { client: stubClient().client, profile })
    expect(text).toContain('the gateway takes 128')
  })
})

describe('redirectToHostedForm', () => {
  const right = { client: stubClient().client, order: () => order, returnUrl: 'https://shop.example/', stateSecrets }

  it('makes a handler with a name', () => {
    expect(redirectToHostedForm(right).name).toBe('redirectToHostedFormHandler')
  })

  it.each([
    ['"client"', { client: undefined }],
    ['"saleForm"', { client: {}, redirectHosts: ['gate.example'] }],
    ['"operation"', { operation: 'sale' }],
    ['"payoutForm"', { operation: 'payoutForm' }],
    ['"order"', { order: order }],
    ['"returnUrl"', { returnUrl: '/return' }],
    ['"returnUrl"', { returnUrl: 'http://shop.example/' }],
    ['"returnUrl" ends in a parameter', { returnUrl: 'https://shop.example/return/:state' }],
    ['"stateSecrets"', { stateSecrets: [] }],
    ['"stateSecrets"', { stateSecrets: 'the first secret, 32 bytes long.' }],
    ['"stateSecrets"', { stateSecrets: [{ id: 'one', secret: 'short' }] }],
    ['"stateSecrets"', { stateSecrets: [{ id: '', secret: 'x'.repeat(32) }] }],
    ['"stateSecrets"', { stateSecrets: [...stateSecrets, ...stateSecrets] }],
    ['"redirectHosts"', { redirectHosts: [] }],
    ['"redirectHosts"', { redirectHosts: ['https://gate.example'] }],
    ['"redirectHosts"', { redirectHosts: ['gate.example:port'] }],
    ['"redirectHosts"', { client: { saleForm: async () => undefined } }],
    ['"stateLifetime"', { stateLifetime: 0.5 }],
    ['"clock"', { clock: now }],
    ['"onCreated"', { onCreated: 'log' }],
    ['"store"', { store: {} }],
  ])('names %s when it is wrong', (name, options) => {
    const build = () => redirectToHostedForm({ ...right, ...options } as RedirectToHostedFormOptions)
    expect(build).toThrow(TypeError)
    expect(build).toThrow(name)
  })

  it('never shows a secret that is too short', () => {
    const build = () => redirectToHostedForm({ ...right, stateSecrets: [{ id: 'one', secret: 'hunter2' }] })
    expect(build).toThrow(/^(?!.*hunter2)/s)
  })
})
