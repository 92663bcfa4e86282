import { describe, expect, it } from 'vitest'
import { failingCalls } from './failing-calls.js'
import { type Behaviour, reply } from './gateway-server.js'
import { acceptedBody, captureRequest, controlKey, saleRequest } from './sample-requests.js'

const { now, failures, expectUnknown } = failingCalls()

describe('an answer that is none of the interface’s', () => {
  it('leaves the outcome unknown for HTML with status 200', async () => {
    const { sale } = await expectUnknown(reply({ type: 'text/html', body: '<h1>Welcome</h1>' }), 'ERR_UNREADABLE_REPLY')
    expect(sale.message).toContain('is "text/html", not application/vnd.pay+json')
  })

  it.each([
    `text/html; boundary=${saleRequest.creditCardNumber}`,
    `${saleRequest.creditCardNumber.slice(0, 12)} ${saleRequest.cvv2}`,
    `text/html${saleRequest.creditCardNumber}/x/y`,
  ])('shows nothing of the Content-Type %s but a media type', async type => {
    const { sale } = await expectUnknown(reply({ type, body: '' }), 'ERR_UNREADABLE_REPLY')
    expect(sale.message).not.toMatch(/4444|9876/)
    expect(sale.message).toContain('not application/vnd.pay+json')
  })

  it.each([
    [`text/${saleRequest.creditCardNumber}`, 'text/444444******4448'],
    [`4444-4444.4444_4448/html`, '444444******4448/html'],
    [`text/${controlKey}`, 'text/***'],
  ])('quotes the Content-Type %s without secrets', async (type, shown) => {
    const { sale, capture } = await expectUnknown(reply({ type, body: '' }), 'ERR_UNREADABLE_REPLY')
    expect(sale.message).toContain(`is "${shown}", not application/vnd.pay+json`)
    for (const { message } of [sale, capture]) expect(message).not.toContain(controlKey)
  })

  it('leaves the outcome unknown for a redirect, and does not follow it', async () => {
    await expectUnknown(reply({ status: 307, headers: ['Location: /paynet/elsewhere'] }), 'ERR_UNREADABLE_REPLY')
  })

  it('leaves the outcome unknown for a redirect even in the right media type', async () => {
    await expectUnknown(reply({ status: 303, headers: ['Location: /'], body: acceptedBody }), 'ERR_UNREADABLE_REPLY')
  })

  it('leaves the outcome unknown for a 400 without a body', async () => {
    await expectUnknown(reply({ status: 400, type: null }), 'ERR_UNREADABLE_REPLY')
  })

  it('leaves the outcome unknown for a 400 that is no error record', async () => {
    await expectUnknown(reply({ status: 400, body: '{}' }), 'ERR_UNREADABLE_REPLY')
  })

  it('leaves the outcome unknown for a 202', async () => {
    await expectUnknown(reply({ status: 202, body: acceptedBody }), 'ERR_UNREADABLE_REPLY')
  })

  it('leaves the outcome unknown for JSON that is cut off', async () => {
    await expectUnknown(reply({ body: acceptedBody.slice(0, -5) }), 'ERR_UNREADABLE_REPLY')
  })

  it('leaves the outcome unknown for a key that comes twice, with another value or the same', async () => {
    await expectUnknown(reply({ body: '{"paynet-order-id":"1","paynet-order-id":"2"}' }), 'ERR_UNREADABLE_REPLY')
  })

  it('leaves the outcome unknown for an answer without the record’s fields', async () => {
    const { sale } = await expectUnknown(
      reply({ body: '{"type":"async-response","serial-number":"s-1"}' }),
      'ERR_UNREADABLE_REPLY',
    )
    expect(sale).toMatchObject({ serialNumber: 's-1', received: { 'serial-number': 's-1' } })
  })

  it('leaves the outcome unknown for a body over the limit', async () => {
    await expectUnknown(reply({ body: acceptedBody }), 'ERR_UNREADABLE_REPLY', { maxReplyBytes: 64 })
  })

  it('stops reading a body that never ends', async () => {
    const flood: Behaviour = socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/vnd.pay+json\r\nTransfer-Encoding: chunked\r\n\r\n')
      const pour = () => {
        if (!socket.destroyed) socket.write(`4000\r\n${' '.repeat(0x4000)}\r\n`, pour)
      }
      pour()
    }
    await expectUnknown(flood, 'ERR_UNREADABLE_REPLY')
  })

  it('leaves the outcome unknown for an answer about another order of the gateway’s', async () => {
    now.server.behave(reply({ body: acceptedBody.replace('"77"', '"78"') }))
    const capture = now.client.capture(captureRequest)
    await expect(capture).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', orderId: '77' })
    await expect(capture).rejects.toThrow('is about another order')
  })

  it.each([
    ['merchant-order-id', 'o-2'],
    ['paynet-order-id', '78'],
  ])('is no answer to a question when its %s is another', async (name, id) => {
    const status = { type: 'status-response', status: 'approved', 'merchant-order-id': 'o-1', 'paynet-order-id': '77' }
    now.server.behave(reply({ body: JSON.stringify({ ...status, [name]: id }) }))
    const call = now.client.status(captureRequest)
    await expect(call).rejects.toMatchObject({ code: 'ERR_UNREADABLE_REPLY', moneyMayHaveMoved: false })
  })

  it('does not name the order of an error that is about another one', async () => {
    const body = { type: 'validation-error', 'merchant-order-id': 'o-2', 'paynet-order-id': '78' }
    now.server.behave(reply({ status: 400, body: JSON.stringify(body) }))
    const call = now.client.sale(saleRequest)
    await expect(call).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' })
    await expect(call).rejects.not.toHaveProperty('orderId')
  })

  it('leaves the outcome unknown for an answer about another order', async () => {
    now.server.behave(reply({ body: acceptedBody.replace('"o-1"', '"o-2"') }))
    const call = now.client.sale(saleRequest)
    await expect(call).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', cause: { code: 'ERR_UNREADABLE_REPLY' } })
    await expect(call).rejects.not.toHaveProperty('orderId')
  })
})

describe('an error record', () => {
  const record = (fields: Record<string, string>) =>
    JSON.stringify({ type: 'validation-error', 'error-code': '8', 'error-message': 'Unknown currency', ...fields })

  it('leaves the outcome unknown with status 500', async () => {
    const { sale } = await expectUnknown(
      reply({ status: 500, body: record({ type: 'error', 'serial-number': 's-1' }) }),
      'ERR_GATEWAY_FAILURE',
    )
    expect(sale).toMatchObject({ serialNumber: 's-1', cause: { httpStatus: 500, errorCode: '8' } })
  })

  it.each([400, 409, 422])('is a refusal with status %i and no order id', async status => {
    const { sale, capture, arrived } = await failures(reply({ status, body: record({}) }))
    for (const error of [sale, capture]) {
      expect(error).toMatchObject({
        code: 'ERR_REQUEST_REFUSED',
        moneyMayHaveMoved: false,
        httpStatus: status,
        errorCode: '8',
        errorMessage: 'Unknown currency',
      })
    }
    expect(arrived).toMatchObject({ sale: 1, capture: 1 })
    expect(now.ends.map(end => end?.kind)).toEqual(['refused', 'refused'])
  })

  it('says what a refusal left undone, in one sentence after another', async () => {
    const message = 'Order "o-1" was used before. Nothing was created.'
    const { sale, capture, status } = await failures(reply({ status: 400, body: record({ 'error-message': message }) }))
    expect(sale.message).toBe(
      'The gateway refused the sale request of order "o-1" (HTTP 400) and made no order of it. ' +
        `It said: code 8, ${message} Correct the request; this says nothing about earlier attempts.`,
    )
    for (const error of [capture, status]) {
      expect(error.message).toContain('(HTTP 400) and did nothing. It said')
      expect(error.message).toContain(
        ' Correct the request, unless the gateway does not know the order: then another gateway made it, or this one has forgotten it, as a fake gateway does when its process ends; this says',
      )
    }
  })

  it('is a refusal with status 200 where the host answers so', async () => {
    const { sale } = await failures(reply({ body: record({}) }))
    expect(sale).toMatchObject({ code: 'ERR_REQUEST_REFUSED', httpStatus: 200 })
  })

  it.each([200, 402, 409])('of the gateway’s own failure leaves the outcome unknown with status %i', async status => {
    await expectUnknown(reply({ status, body: record({ type: 'error' }) }), 'ERR_GATEWAY_FAILURE')
  })

  it.each(['approved', 'processing'])('that speaks of something %s is no refusal', async status => {
    await expectUnknown(reply({ status: 400, body: record({ status }) }), 'ERR_UNREADABLE_REPLY')
  })

  it.each([
    [401, { type: 'async-response', status: 'approved' }],
    [403, { type: 'validation-error', status: 'processing' }],
    [401, { type: 'async-response' }],
    [400, { type: 'async-response' }],
  ])('with status %i that is contradicted by its own record, %j, is no refusal', async (status, fields) => {
    await expectUnknown(reply({ status, body: record(fields) }), 'ERR_UNREADABLE_REPLY')
  })

  it.each([400, 401, 404, 409])('without a type leaves the outcome unknown with status %i', async status => {
    const body = JSON.stringify({ 'error-code': '8', 'error-message': 'Unknown currency' })
    const { sale, capture } = await failures(reply({ status, body }))
    for (const error of [sale, capture]) {
      expect(error).toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', cause: { code: 'ERR_UNREADABLE_REPLY' } })
    }
    expect(now.ends.map(end => end?.kind)).toEqual(['unknown', 'unknown'])
  })

  it('with an order id refuses a question about it', async () => {
    now.server.behave(reply({ status: 400, body: record({ 'paynet-order-id': '4711' }) }))
    const call = now.client.status({ clientOrderId: 'o-1' })
    await expect(call).rejects.toMatchObject({ code: 'ERR_REQUEST_REFUSED', orderId: '4711' })
  })
})

describe('an answer that is one', () => {
  it('keeps all nineteen digits of an id that is a JSON number', async () => {
    now.server.behave(reply({ body: '{"type":"async-response","paynet-order-id":9223372036854775807}' }))
    const accepted = await now.client.sale(saleRequest)
    expect(accepted.orderId).toBe('9223372036854775807')
    expect(accepted.raw).toEqual({ type: 'async-response', 'paynet-order-id': '9223372036854775807' })
    expect(Object.keys(accepted)).toEqual(['type', 'orderId'])
  })

  it('hands over a word of status that nobody has heard of', async () => {
    now.server.behave(reply({ body: '{"type":"status-response","status":"pondering","paynet-order-id":77}' }))
    expect(await now.client.status({ clientOrderId: 'o-1' })).toMatchObject({ status: 'pondering', orderId: '77' })
  })

  it('takes parameters of the media type', async () => {
    now.server.behave(reply({ type: 'Application/vnd.pay+json; charset=UTF-8', body: acceptedBody }))
    expect(await now.client.sale(saleRequest)).toMatchObject({ orderId: '77' })
  })

  it('waits through an interim answer', async () => {
    now.server.behave((socket, request) => {
      socket.write('HTTP/1.1 102 Processing\r\n\r\n')
      reply({ body: acceptedBody })(socket, request)
    })
    expect(await now.client.sale(saleRequest)).toMatchObject({ orderId: '77' })
  })

  it('comes over one connection for one request after another', async () => {
    await now.client.sale(saleRequest)
    await now.client.capture(captureRequest)
    expect(now.server.arrived.map(({ head }) => head.split(' ')[1])).toEqual([
      '/paynet/api/v2/sale/39',
      '/paynet/api/v2/capture/39',
    ])
  })
})
