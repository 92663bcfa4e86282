import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type AnyGatewayError,
  type AttemptEnd,
  type Client,
  type ClientOptions,
  createClient,
  memoryAttempts,
} from '../src/index.js'
import { type Behaviour, type GatewayServer, reply, startServer } from './gateway-server.js'
import { acceptedBody, captureRequest, controlKey, saleRequest } from './sample-requests.js'

let server: GatewayServer
let client: Client
let ends: (AttemptEnd | undefined)[] = []

const open = (options: Partial<ClientOptions> = {}): Client =>
  createClient({ baseUrl: server.baseUrl, endpointId: 39, login: 'merchant', controlKey, ...options })

beforeEach(async () => {
  server = await startServer(reply({ body: acceptedBody }))
  client = open()
})

afterEach(async () => {
  await server.close()
  await client.close()
})

/** Sends a sale, a capture and a status to a server that behaves so. */
async function failures(behaviour: Behaviour, options: Partial<ClientOptions> = {}) {
  server.behave(behaviour)
  const attempts = memoryAttempts()
  const own = open({ ...options, attempts })
  const failed = (call: Promise<unknown>): Promise<AnyGatewayError> =>
    call.then(
      () => Promise.reject(new Error('the call succeeded')),
      (error: AnyGatewayError) => error,
    )
  const sale = await failed(own.sale(saleRequest))
  const capture = await failed(own.capture(captureRequest))
  const arrivedBeforeStatus = server.arrived.length
  const status = await failed(own.status({ clientOrderId: 'o-1' }))
  ends = attempts.list().map(attempt => attempt.end)
  await own.close()
  return { sale, capture, status, arrivedBeforeStatus }
}

/** Expects what every unclear answer must come to: unknown where money may have moved, sent once, told as it is. */
async function expectUnknown(behaviour: Behaviour, cause: AnyGatewayError['code'], options?: Partial<ClientOptions>) {
  const { sale, capture, status, arrivedBeforeStatus } = await failures(behaviour, options)
  for (const error of [sale, capture]) {
    expect(error).toMatchObject({
      code: 'ERR_OUTCOME_UNKNOWN',
      moneyMayHaveMoved: true,
      clientOrderId: 'o-1',
      cause: { code: cause },
    })
    expect(error.message).toContain('Do not send it again. Ask status with clientOrderId "o-1"')
  }
  expect(status).toMatchObject({ code: cause, moneyMayHaveMoved: false })
  expect(arrivedBeforeStatus).toBe(2)
  expect(server.arrived).toHaveLength(3)
  expect(ends.map(end => end?.ending)).toEqual(['unknown', 'unknown'])
  return { sale, capture, status }
}

describe('a connection that breaks', () => {
  it('leaves the outcome unknown when the other side hangs up before an answer', async () => {
    await expectUnknown(socket => socket.destroy(), 'ERR_TRANSPORT')
  })

  it('leaves the outcome unknown when the other side resets the connection', async () => {
    await expectUnknown(socket => socket.resetAndDestroy(), 'ERR_TRANSPORT')
  })

  it('leaves the outcome unknown when the other side hangs up within the headers', async () => {
    await expectUnknown(socket => socket.end('HTTP/1.1 200 OK\r\nContent-Ty'), 'ERR_TRANSPORT')
  })

  it('leaves the outcome unknown when the other side hangs up within the body', async () => {
    const { sale } = await expectUnknown((socket, request) => {
      reply({ body: acceptedBody, length: acceptedBody.length + 10 })(socket, request)
      socket.end()
    }, 'ERR_TRANSPORT')
    expect(sale).toMatchObject({ cause: { phase: 'receiving' } })
  })

  it('leaves the outcome unknown when the answer is no HTTP', async () => {
    await expectUnknown(socket => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), 'ERR_TRANSPORT')
  })

  it('leaves the outcome unknown when the deadline passes before an answer', async () => {
    const { sale } = await expectUnknown(() => {}, 'ERR_TRANSPORT', { timeout: 50 })
    expect(sale.message).toContain('no answer within 50 ms')
    expect(sale).toMatchObject({ cause: { phase: 'sending' } })
  })

  it('leaves the outcome unknown when the deadline passes within the answer', async () => {
    await expectUnknown(reply({ body: acceptedBody, length: acceptedBody.length + 10 }), 'ERR_TRANSPORT', {
      timeout: 50,
    })
  })

  it('leaves the outcome unknown when the caller aborts after the start', async () => {
    const controller = new AbortController()
    server.behave(() => controller.abort(new Error('the shop is closing')))
    const call = client.sale(saleRequest, { signal: controller.signal })
    await expect(call).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', cause: { code: 'ERR_TRANSPORT' } })
    await expect(call).rejects.toThrow('the shop is closing')
  })

  it('does not send when the caller has aborted before', async () => {
    const call = client.sale(saleRequest, { signal: AbortSignal.abort() })
    await expect(call).rejects.toMatchObject({ code: 'ERR_NOT_SENT', moneyMayHaveMoved: false })
    expect(server.arrived).toHaveLength(0)
  })
})

describe('a connection that cannot be made', () => {
  it('is not sent, and says so for operations of every kind', async () => {
    await server.close()
    const { sale, capture, status } = await failures(() => {})
    for (const error of [sale, capture, status]) {
      expect(error).toMatchObject({ code: 'ERR_NOT_SENT', moneyMayHaveMoved: false, cause: { code: 'ECONNREFUSED' } })
      expect(error.message).toContain('Nothing left this machine')
    }
    expect(server.arrived).toHaveLength(0)
    expect(ends.map(end => end?.ending)).toEqual(['not-sent', 'not-sent'])
  })

  it('is not sent once the client is closed', async () => {
    await client.close()
    await expect(client.sale(saleRequest)).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
    expect(server.arrived).toHaveLength(0)
  })
})

describe('an answer that is none of the interface’s', () => {
  it('leaves the outcome unknown for HTML with status 200', async () => {
    const { sale } = await expectUnknown(reply({ type: 'text/html', body: '<h1>Welcome</h1>' }), 'ERR_UNREADABLE_REPLY')
    expect(sale.message).toContain('is "text/html", not application/vnd.pay+json')
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

  it('leaves the outcome unknown for an answer about another order', async () => {
    server.behave(reply({ body: acceptedBody.replace('"o-1"', '"o-2"') }))
    const call = client.sale(saleRequest)
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
    const { sale, capture, arrivedBeforeStatus } = await failures(reply({ status, body: record({}) }))
    for (const error of [sale, capture]) {
      expect(error).toMatchObject({
        code: 'ERR_REQUEST_REFUSED',
        moneyMayHaveMoved: false,
        httpStatus: status,
        errorCode: '8',
        errorMessage: 'Unknown currency',
      })
    }
    expect(arrivedBeforeStatus).toBe(2)
    expect(ends.map(end => end?.ending)).toEqual(['refused', 'refused'])
  })

  it('is a refusal with status 200 where the host answers so', async () => {
    const { sale } = await failures(reply({ body: record({}) }))
    expect(sale).toMatchObject({ code: 'ERR_REQUEST_REFUSED', httpStatus: 200 })
  })

  it.each([400, 200, 500])('with status %i and an order id is no refusal: an order exists', async httpStatus => {
    server.behave(reply({ status: httpStatus, body: record({ 'paynet-order-id': '4711' }) }))
    for (const call of [client.sale(saleRequest), client.capture(captureRequest)]) {
      await expect(call).rejects.toMatchObject({
        code: 'ERR_OUTCOME_UNKNOWN',
        orderId: '4711',
        moneyMayHaveMoved: true,
      })
    }
  })

  it('with an order id refuses a question about it', async () => {
    server.behave(reply({ status: 400, body: record({ 'paynet-order-id': '4711' }) }))
    const call = client.status({ clientOrderId: 'o-1' })
    await expect(call).rejects.toMatchObject({ code: 'ERR_REQUEST_REFUSED', orderId: '4711' })
  })
})

describe('a failed authentication', () => {
  const now = Date.UTC(2026, 0, 2, 3, 9, 5)
  const headers = ['Date: Fri, 02 Jan 2026 03:04:05 GMT']

  it.each([401, 403])('with status %i is a refusal that compares the clocks', async status => {
    server.behave(reply({ status, headers, body: '{"type":"error","error-message":"Signature mismatch"}' }))
    const own = open({ clock: () => now })
    const call = own.sale(saleRequest)
    await expect(call).rejects.toMatchObject({ code: 'ERR_AUTHENTICATION_REFUSED', clockDifference: 300 })
    await expect(call).rejects.toThrow('Our clock is 300 s ahead of the gateway’s')
    await own.close()
  })

  it('is unknown for money when something else than the gateway says so, and says what may be wrong', async () => {
    server.behave(reply({ status: 403, headers, type: 'text/html', body: '<h1>Forbidden</h1>' }))
    const call = client.sale(saleRequest)
    await expect(call).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', cause: { code: 'ERR_UNREADABLE_REPLY' } })
    await expect(call).rejects.toThrow('Login, key or clock may be wrong')
    await expect(client.status({ clientOrderId: 'o-1' })).rejects.toMatchObject({ code: 'ERR_AUTHENTICATION_REFUSED' })
  })
})

describe('an answer that is one', () => {
  it('keeps all nineteen digits of an id that is a JSON number', async () => {
    server.behave(reply({ body: '{"type":"async-response","paynet-order-id":9223372036854775807}' }))
    const accepted = await client.sale(saleRequest)
    expect(accepted.orderId).toBe('9223372036854775807')
    expect(accepted.raw).toEqual({ type: 'async-response', 'paynet-order-id': '9223372036854775807' })
    expect(Object.keys(accepted)).toEqual(['type', 'orderId'])
  })

  it('hands over a word of status that nobody has heard of', async () => {
    server.behave(reply({ body: '{"type":"status-response","status":"pondering","paynet-order-id":77}' }))
    expect(await client.status({ clientOrderId: 'o-1' })).toMatchObject({ status: 'pondering', orderId: '77' })
  })

  it('takes parameters of the media type', async () => {
    server.behave(reply({ type: 'Application/vnd.pay+json; charset=UTF-8', body: acceptedBody }))
    expect(await client.sale(saleRequest)).toMatchObject({ orderId: '77' })
  })

  it('waits through an interim answer', async () => {
    server.behave((socket, request) => {
      socket.write('HTTP/1.1 102 Processing\r\n\r\n')
      reply({ body: acceptedBody })(socket, request)
    })
    expect(await client.sale(saleRequest)).toMatchObject({ orderId: '77' })
  })

  it('comes over one connection for one request after another', async () => {
    await client.sale(saleRequest)
    await client.capture(captureRequest)
    expect(server.arrived.map(({ head }) => head.split(' ')[1])).toEqual([
      '/paynet/api/v2/sale/39',
      '/paynet/api/v2/capture/39',
    ])
  })
})
