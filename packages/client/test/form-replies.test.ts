/** Hosts that ignore `Accept` and answer with a form, over real HTTP to the gateway in a box. */

import { defaultProfile, defineProfile } from '@tillkit/protocol'
import { createFakeGateway, type FakeGateway } from '@tillkit/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Client, createClient, type GatewayError } from '../src/index.js'
import { failingCalls } from './failing-calls.js'
import { reply } from './gateway-server.js'
import { controlKey, saleRequest } from './sample-requests.js'

const profile = defineProfile({ formReplies: true }, 'this test')
const sale = { ...saleRequest, cvv2: '123' }

describe('a gateway that answers with forms', () => {
  let gateway: FakeGateway
  let client: Client

  beforeEach(async () => {
    gateway = createFakeGateway({ profile })
    await gateway.listen()
    client = createClient({ ...gateway.clientOptions, profile })
  })

  afterEach(async () => {
    await client.close()
    await gateway.close()
  })

  it('takes a sale, and status tells of it', async () => {
    const { orderId, raw } = await client.sale(sale)
    expect(raw).toMatchObject({ type: 'async-response', 'merchant-order-id': 'o-1', 'paynet-order-id': orderId })
    const status = await client.status({ clientOrderId: 'o-1', orderId })
    expect(status).toMatchObject({ type: 'status-response', status: 'approved', amount: '10.42', currency: 'EUR' })
    expect(gateway.calls('sale')).toHaveLength(1)
  })

  it('refuses a request with HTTP 200', async () => {
    gateway.handle({ sale: () => ({ httpStatus: 400, type: 'validation-error', errorMessage: 'a & b = 50 %' }) })
    await expect(client.sale(sale)).rejects.toMatchObject({
      code: 'ERR_REQUEST_REFUSED',
      httpStatus: 200,
      errorMessage: 'a & b = 50 %',
    })
  })

  it('leaves the outcome unknown for a client whose profile does not say so, and names the entry that would', async () => {
    const strict = createClient({ ...gateway.clientOptions, profile: defaultProfile })
    const error = await strict.sale(sale).catch((thrown: GatewayError) => thrown)
    expect(error).toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', cause: { code: 'ERR_UNREADABLE_REPLY' } })
    expect(error).toHaveProperty(
      'message',
      expect.stringMatching(/ is a form that is called "text\/html", .* defineProfile with formReplies: true/),
    )
    expect(error).not.toHaveProperty('message', expect.stringContaining('proxy'))
    const [address] = (await strict.check()).findings
    expect(address).toMatchObject({ subject: 'baseUrl', verdict: 'wrong' })
    expect(address?.explanation).toMatch(/^This is not how a gateway answers\. .* defineProfile with formReplies: true/)
    await strict.close()
  })
})

describe('an answer that is called HTML', () => {
  const { now, expectUnknown } = failingCalls()
  const accepted = 'type=async-response\n&merchant-order-id=o-1\n&paynet-order-id=9007199254740993\n'

  it.each([
    ['a page', '<!doctype html><a href="?type=async-response&paynet-order-id=7">in</a>\n', 'a proxy or another server'],
    ['a page after a form', `${accepted}<p>&copy</p>\n`, 'a proxy or another server'],
    ['nothing', '', 'a proxy or another server'],
    ['a form without a type', 'merchant-order-id=o-1\n&paynet-order-id=7\n', 'has no "type"'],
    ['a form with an empty type', 'type=\n&paynet-order-id=7\n', 'has no "type"'],
    ['a form with a name twice', 'type=async-response\n&paynet-order-id=7\n&paynet-order-id=8\n', 'has a name twice'],
    [
      'a form that breaks off',
      'type=async-response\n&merchant-order-id=o-1\n&paynet-order-id=90071',
      'has no line feed at its end',
    ],
    ['a form with half an escape', 'type=async-response\n&paynet-order-id=7%2\n', '"paynet-order-id" is not UTF-8'],
    ['a form with a name that is no UTF-8', `${accepted}&n%C8=7\n`, 'has a name that is not UTF-8'],
    ['a form with half an escape in a name', `${accepted}&n%2=7\n`, 'has a name that is not UTF-8'],
  ])('leaves the outcome unknown where it is %s, and says so', async (_what, body, problem) => {
    const answer = reply({ type: 'text/html;charset=utf-8', body })
    const { sale: error } = await expectUnknown(answer, 'ERR_UNREADABLE_REPLY', { profile })
    expect(error.message).toContain(problem)
  })

  // "Èâ" in windows-1251: https://encoding.spec.whatwg.org/#legacy-single-byte-encodings
  it.each(['name=%C8%E2', 'bank-name=\xC8\xE2', 'descriptor=SALE-50%', 'x-shop-note=%C8%E2'])(
    'is taken where only %j cannot be decoded, which decides nothing',
    async field => {
      const { baseUrl, behave } = now.server
      behave(reply({ type: 'text/html;charset=utf-8', body: `${accepted}&${field}\n`, encoding: 'latin1' }))
      const client = createClient({ baseUrl, endpointId: 39, login: 'merchant', controlKey, profile })
      const { orderId, raw } = await client.sale(saleRequest)
      expect(orderId).toBe('9007199254740993')
      // As the URL Standard reads a form: https://url.spec.whatwg.org/#urlencoded-parsing
      const read = field.startsWith('descriptor') ? 'SALE-50%' : '\uFFFD\uFFFD'
      expect(raw[field.split('=')[0] ?? '']).toBe(read)
      await client.close()
    },
  )

  it('is a refusal where only its message cannot be decoded', async () => {
    const { baseUrl, behave } = now.server
    behave(reply({ type: 'text/html', body: 'type=validation-error\n&error-code=1\n&error-message=%CE%F8\n' }))
    const client = createClient({ baseUrl, endpointId: 39, login: 'merchant', controlKey, profile })
    await expect(client.sale(saleRequest)).rejects.toMatchObject({ code: 'ERR_REQUEST_REFUSED', errorCode: '1' })
    await client.close()
  })

  it.each(['status', 'amount', 'currency', 'merchant-order-id', 'paynet-order-id', 'order-stage', 'error-code'])(
    'says nothing of an order where its %s cannot be decoded',
    async name => {
      const { baseUrl, behave } = now.server
      const fields = { type: 'status-response', status: 'approved', amount: '10.42', currency: 'EUR' }
      const body = Object.entries({ ...fields, [name]: '10%C2' }).map(([each, value]) => `${each}=${value}\n`)
      behave(reply({ type: 'text/html', body: body.join('&') }))
      const client = createClient({ baseUrl, endpointId: 39, login: 'merchant', controlKey, profile, retries: 0 })
      await expect(client.status({ clientOrderId: 'o-1' })).rejects.toMatchObject({
        code: 'ERR_UNREADABLE_REPLY',
        message: expect.stringContaining(`is a form whose "${name}" is not UTF-8 in percent-encoding`),
      })
      await client.close()
    },
  )

  it('keeps the digits of ids where it is a form, and what was encoded', async () => {
    const { baseUrl, behave } = now.server
    behave(reply({ type: 'text/html;charset=utf-8', body: `${accepted}&note=a%26b%3D%C3%A9+c%0A\n` }))
    const client = createClient({ baseUrl, endpointId: 39, login: 'merchant', controlKey, profile })
    const { orderId, raw } = await client.sale(saleRequest)
    expect(orderId).toBe('9007199254740993')
    expect(raw).toEqual({
      type: 'async-response',
      'merchant-order-id': 'o-1',
      'paynet-order-id': '9007199254740993',
      note: 'a&b=é c',
    })
    await client.close()
  })

  it('is a proxy’s where the profile does not say that the gateway answers so', async () => {
    await expectUnknown(reply({ type: 'text/html;charset=utf-8', body: accepted }), 'ERR_UNREADABLE_REPLY')
  })
})
