/** Ids that are written otherwise than the interface has them: neither believed nor overlooked. */

import { defineProfile, replyFields } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { createClient } from '../src/index.js'
import { capturing } from './capturing-dispatcher.js'
import { failingCalls } from './failing-calls.js'
import { reply } from './gateway-server.js'
import { recordAttempts } from './recorded-attempts.js'
import { acceptedBody, captureRequest, controlKey, saleRequest } from './sample-requests.js'

const { now, open, failures, expectUnknown } = failingCalls()

const accepted = (fields: object) => JSON.stringify({ ...JSON.parse(acceptedBody), ...fields })
const refused = (fields: object) =>
  reply({ status: 400, body: JSON.stringify({ type: 'validation-error', 'error-code': '8', ...fields }) })

describe('a word in place of an id', () => {
  it.each([true, false, 'null'])('is no order id of an accepted request: %s', async value => {
    const { sale } = await expectUnknown(
      reply({ body: accepted({ 'paynet-order-id': value }) }),
      'ERR_UNREADABLE_REPLY',
    )
    expect(sale).not.toHaveProperty('orderId')
    expect(sale.message).toContain('has a word that is no id in place of one')
    expect(now.ends[0]).not.toHaveProperty('orderId')
    expect(now.ends[0]).toMatchObject({ serialNumber: '00000000-0000-0000-0000-000002d9b22a' })
  })

  it('is no serial number either', async () => {
    const { sale } = await expectUnknown(reply({ body: accepted({ 'serial-number': true }) }), 'ERR_UNREADABLE_REPLY')
    expect(sale).toMatchObject({ orderId: '77' })
    expect(sale).not.toHaveProperty('serialNumber')
  })

  it.each(['paynet-order-id', 'orderid'])('does not make a refusal of an error: %s', async name => {
    const { sale, capture } = await failures(refused({ [name]: true }))
    expect(sale).toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', cause: { code: 'ERR_UNREADABLE_REPLY' } })
    expect(sale).not.toHaveProperty('orderId')
    expect(capture).toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', orderId: '77' })
    expect(now.ends.map(end => end?.orderId)).toEqual([undefined, undefined])
  })

  it('is no answer of status', async () => {
    const body = { type: 'status-response', status: 'approved', 'merchant-order-id': 'o-1', 'paynet-order-id': true }
    now.server.behave(reply({ body: JSON.stringify(body) }))
    const call = now.client.status({ clientOrderId: 'o-1' })
    await expect(call).rejects.toMatchObject({ code: 'ERR_UNREADABLE_REPLY', moneyMayHaveMoved: false })
  })

  it('is no card reference', async () => {
    now.server.behave(reply({ body: accepted({ 'card-ref-id': false }) }))
    await expect(now.client.createCardRef(captureRequest)).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' })
  })
})

describe('an error with an order id under another name', () => {
  it.each(['paynet_order_id', 'order-id', 'order_id', 'orderId', 'PAYNET-ORDER-ID'])(
    'is no refusal: %s',
    async name => {
      const { sale, capture } = await failures(refused({ [name]: '4712' }))
      for (const error of [sale, capture]) {
        expect(error).toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', moneyMayHaveMoved: true })
        expect(error.message).toContain('what reads like an order id: an order may exist')
      }
      expect(sale).not.toHaveProperty('orderId')
      expect(now.ends.map(end => end?.kind)).toEqual(['unknown', 'unknown'])
    },
  )

  it('names the id that requests name so', async () => {
    const { sale } = await failures(refused({ orderid: '4712' }))
    expect(sale).toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', orderId: '4712' })
  })

  it.each(['client_orderid', 'client-order-id', 'merchant_order', 'merchant_order_id', 'clientOrderId'])(
    'is a refusal where it is the merchant’s own: %s',
    async name => {
      const { sale, capture } = await failures(refused({ [name]: 'o-1' }))
      for (const error of [sale, capture]) expect(error).toMatchObject({ code: 'ERR_REQUEST_REFUSED' })
    },
  )

  it('is a refusal where the profile says that it is the merchant’s', async () => {
    const profile = defineProfile({ replyFields: { ...replyFields, clientOrderId: ['shop-order-id'] } })
    const { sale } = await failures(refused({ 'shop-order-id': 'o-1' }), { profile })
    expect(sale).toMatchObject({ code: 'ERR_REQUEST_REFUSED' })
  })

  it.each(['client_orderid', 'merchant_order'])('is no answer where that is another one: %s', async name => {
    const { sale, capture, status } = await failures(refused({ [name]: 'o-2' }))
    for (const error of [sale, capture]) {
      expect(error).toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' })
      expect(error.message).toContain('is about another order')
    }
    expect(status).toMatchObject({ code: 'ERR_UNREADABLE_REPLY' })
  })

  it.each(['order-id', 'paynet_order_id'])('is a refusal where nothing stands there: %s', async name => {
    const { sale } = await failures(refused({ [name]: ' ' }))
    expect(sale).toMatchObject({ code: 'ERR_REQUEST_REFUSED' })
    const { sale: again } = await failures(refused({ [name]: null }))
    expect(again).toMatchObject({ code: 'ERR_REQUEST_REFUSED' })
  })

  it('is still the answer to a question', async () => {
    const { status } = await failures(refused({ 'order-id': '4712' }))
    expect(status).toMatchObject({ code: 'ERR_REQUEST_REFUSED', errorCode: '8' })
  })
})

describe('an answer about another order', () => {
  it('leaves nothing of that order behind: no id, and no form to open', async () => {
    const form = { 'merchant-order-id': 'o-2', 'redirect-url': 'https://gate.example/form/of-another' }
    const { observer, attempts } = recordAttempts()
    const { dispatcher } = capturing(accepted(form))
    const client = createClient({
      baseUrl: 'https://gate.example',
      endpointId: 39,
      login: 'm',
      controlKey,
      observer,
      dispatcher,
    })
    const { clientOrderId, amount, currency, email } = saleRequest
    const redirectUrl = 'https://shop.example/back'
    const opened = client.saleForm({ clientOrderId, amount, currency, email, redirectUrl })
    await expect(opened).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' })
    const [attempt] = attempts()
    expect(attempt?.end).toStrictEqual({ kind: 'unknown', connection: 'answered', at: expect.any(Number) })
  })
})

// What `String(value)` makes of a value that is missing, and what other languages write.
const words = ['undefined', 'NaN', ' null ', '[object Object]', 'NONE', 'True']

describe('a word for nothing in place of an id', () => {
  it.each(words)('%j is no order id in a reply, and what was sent ends unknown', async word => {
    const { sale } = await expectUnknown(reply({ body: accepted({ 'paynet-order-id': word }) }), 'ERR_UNREADABLE_REPLY')
    expect(sale).not.toHaveProperty('orderId')
    expect(now.ends[0]).not.toHaveProperty('orderId')
  })

  it.each(words)('%j is not sent as an id', async word => {
    const { observer, attempts } = recordAttempts()
    const client = open({ observer })
    const calls = {
      clientOrderId: client.sale({ ...saleRequest, clientOrderId: word }),
      orderId: client.capture({ ...captureRequest, orderId: word }),
      byRequestSn: client.status({ ...captureRequest, byRequestSn: word }),
      cardRefId: client.getCardInfo({ cardRefId: word }),
    }
    for (const [field, call] of Object.entries(calls)) {
      await expect(call).rejects.toMatchObject({ code: 'ERR_INVALID_REQUEST', field })
    }
    expect([now.server.arrived, attempts()]).toEqual([[], []])
    await client.close()
  })
})
