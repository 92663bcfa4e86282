/** Hosts that ignore `Accept` and answer with a form, over real HTTP to the gateway in a box. */

import { defaultProfile, defineProfile } from '@tillkit/protocol'
import { createFakeGateway, type FakeGateway } from '@tillkit/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../src/index.js'
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

  it('leaves the outcome unknown for a client whose profile does not say so', async () => {
    const strict = createClient({ ...gateway.clientOptions, profile: defaultProfile })
    await expect(strict.sale(sale)).rejects.toMatchObject({
      code: 'ERR_OUTCOME_UNKNOWN',
      cause: { code: 'ERR_UNREADABLE_REPLY', message: expect.stringContaining('is "text/html"') },
    })
    await strict.close()
  })
})

describe('an answer that is called HTML', () => {
  const { now, expectUnknown } = failingCalls()
  const accepted = 'type=async-response\n&merchant-order-id=o-1\n&paynet-order-id=9007199254740993\n'

  it.each([
    ['a page', '<!doctype html><a href="?type=async-response&paynet-order-id=7">in</a>\n'],
    ['a page after a form', `${accepted}<p>&copy</p>\n`],
    ['a form without a type', 'merchant-order-id=o-1\n&paynet-order-id=7\n'],
    ['a form with an empty type', 'type=\n&paynet-order-id=7\n'],
    ['a form with a name twice', 'type=async-response\n&paynet-order-id=7\n&paynet-order-id=8\n'],
    ['a form that breaks off', 'type=async-response\n&merchant-order-id=o-1\n&paynet-order-id=90071'],
    ['a form with half an escape', 'type=async-response\n&paynet-order-id=7%2\n'],
    ['nothing', ''],
  ])('leaves the outcome unknown where it is %s', async (_what, body) => {
    const answer = reply({ type: 'text/html;charset=utf-8', body })
    await expectUnknown(answer, 'ERR_UNREADABLE_REPLY', { profile })
  })

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
