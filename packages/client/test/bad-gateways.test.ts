/** Gateways that misbehave, and the grade each of their answers must end in: for a sale, a capture and a question. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Agent } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AnyGatewayError, type Client, createClient } from '../src/index.js'
import { acceptedBody, captureRequest, controlKey, saleRequest } from './sample-requests.js'

const type = 'application/vnd.pay+json'
const statusRequest = { clientOrderId: 'o-1', orderId: '77' }

let server: Server
let behave: (request: IncomingMessage, response: ServerResponse) => void
let client: Client
const sockets = new Set<Socket>()
const now = Date.UTC(2026, 0, 2, 3, 9, 5)

beforeEach(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => behave(request, response))
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  client = createClient({
    baseUrl: `http://127.0.0.1:${port}/paynet`,
    endpointId: 39,
    login: 'merchant',
    controlKey,
    retries: 0,
    clock: () => now,
  })
})

afterEach(async () => {
  await client.close()
  const closed = new Promise(resolve => server.close(resolve))
  for (const socket of sockets) socket.destroy()
  await closed
})

/** What each call came to: the code of its error, the code of that one's cause, or its status word or order id. */
async function graded() {
  const grade = (call: Promise<{ readonly status?: string; readonly orderId?: string }>) =>
    call.then(
      ({ status, orderId }) => status ?? orderId,
      (error: AnyGatewayError) =>
        error.code === 'ERR_OUTCOME_UNKNOWN' ? `${error.code} ${error.cause.code}` : error.code,
    )
  return {
    sale: await grade(client.sale(saleRequest)),
    capture: await grade(client.capture(captureRequest)),
    status: await grade(client.status(statusRequest)),
  }
}

/** An answer of any kind. */
const answers =
  (body: string, { status = 200, headers = { 'Content-Type': type } as Readonly<Record<string, string>> } = {}) =>
  (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(status, headers).end(body)

/** Bytes of our own on the server's socket, past its HTTP. */
const writes =
  (text: string, { ends = false } = {}) =>
  (request: IncomingMessage): void => {
    request.socket.write(text)
    if (ends) request.socket.end()
  }

/** Lets the pool take a connection back. */
const turn = () => new Promise(resolve => setImmediate(resolve))

const head = (rest: string) => `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n${rest}\r\n`
const json = (fields: Readonly<Record<string, unknown>>): string => JSON.stringify(fields)
const approved = { type: 'status-response', status: 'approved', 'merchant-order-id': 'o-1', 'paynet-order-id': '77' }
const validation = { type: 'validation-error', 'error-code': '8', 'error-message': 'Unknown currency' }

const unknownBy = (cause: string) => ({
  sale: `ERR_OUTCOME_UNKNOWN ${cause}`,
  capture: `ERR_OUTCOME_UNKNOWN ${cause}`,
  status: cause,
})
const brokeOff = unknownBy('ERR_TRANSPORT')
const unreadable = unknownBy('ERR_UNREADABLE_REPLY')
const failed = unknownBy('ERR_GATEWAY_FAILURE')
const refused = { sale: 'ERR_REQUEST_REFUSED', capture: 'ERR_REQUEST_REFUSED', status: 'ERR_REQUEST_REFUSED' }
const notAuthenticated = {
  sale: 'ERR_AUTHENTICATION_REFUSED',
  capture: 'ERR_AUTHENTICATION_REFUSED',
  status: 'ERR_AUTHENTICATION_REFUSED',
}

const table: readonly (readonly [string, typeof behave, Awaited<ReturnType<typeof graded>>])[] = [
  ['hangs up before the headers', request => request.socket.destroy(), brokeOff],
  ['hangs up within the headers', writes('HTTP/1.1 200 OK\r\nContent-Ty', { ends: true }), brokeOff],
  ['hangs up after the headers', writes(head('Content-Length: 90\r\n'), { ends: true }), brokeOff],
  ['hangs up within the body', writes(`${head('Content-Length: 900\r\n')}{"ty`, { ends: true }), brokeOff],
  ['hangs up within a chunk', writes(`${head('Transfer-Encoding: chunked\r\n')}40\r\n{"ty`, { ends: true }), brokeOff],
  ['claims a shorter body than it sends', writes(`${head('Content-Length: 9\r\n')}${acceptedBody}`), unreadable],
  [
    'claims two lengths',
    writes(`${head('Content-Length: 5\r\nContent-Length: 6\r\n')}{"a":1}`, { ends: true }),
    brokeOff,
  ],
  ['answers no HTTP', writes('220 mail.example ESMTP\r\n', { ends: true }), brokeOff],
  [
    'is a proxy with a page and status 200',
    answers('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } }),
    unreadable,
  ],
  [
    'is a proxy with a page and status 502',
    answers('<h1>Bad gateway</h1>', { status: 502, headers: { 'Content-Type': 'text/html' } }),
    unreadable,
  ],
  [
    'redirects with what would be a refusal',
    answers(json(validation), { status: 307, headers: { 'Content-Type': type, Location: 'https://evil.example/' } }),
    unreadable,
  ],
  [
    'redirects to another host',
    answers('', { status: 307, headers: { Location: 'https://evil.example/' } }),
    unreadable,
  ],
  [
    'answers form-encoded text',
    answers('type=async-response\n&paynet-order-id=77\n', { headers: { 'Content-Type': 'text/html;charset=utf-8' } }),
    unreadable,
  ],
  ['answers 400 without a body', answers('', { status: 400, headers: {} }), unreadable],
  ['answers 400 without a body in the right media type', answers('', { status: 400 }), unreadable],
  [
    'answers 401 for a bad signature',
    answers(json({ type: 'error', 'error-message': 'bad' }), { status: 401 }),
    notAuthenticated,
  ],
  [
    'answers 403 for a bad signature',
    answers(json({ type: 'error', 'error-message': 'bad' }), { status: 403 }),
    notAuthenticated,
  ],
  [
    'is a firewall that answers 403',
    answers('<h1>Forbidden</h1>', { status: 403, headers: { 'Content-Type': 'text/html' } }),
    { ...unreadable, status: 'ERR_AUTHENTICATION_REFUSED' },
  ],
  ['answers 500 with its error record', answers(json({ type: 'error' }), { status: 500 }), failed],
  ['repeats a key', answers('{"type":"status-response","status":"approved","status":"declined"}'), unreadable],
  [
    'repeats a key with the same value',
    answers('{"status":"approved","paynet-order-id":"77","status":"approved"}'),
    unreadable,
  ],
  ['answers a list', answers('[]'), unreadable],
  ['answers nested values', answers(json({ ...approved, extra: { a: 1 } })), unreadable],
  [
    'answers what is no UTF-8',
    (_request, response) => void response.writeHead(200, { 'Content-Type': type }).end(Buffer.from([0x7b, 0xff, 0x7d])),
    unreadable,
  ],
  [
    'names a 19-digit id as a number',
    answers(
      '{"type":"status-response","status":"approved","merchant-order-id":"o-1","serial-number":9223372036854775807,"paynet-order-id":77}',
    ),
    { sale: 'approved', capture: 'approved', status: 'approved' },
  ],
  [
    'answers a __proto__',
    answers('{"__proto__":"x","paynet-order-id":"77","merchant-order-id":"o-1","status":"approved"}'),
    { sale: 'approved', capture: 'approved', status: 'approved' },
  ],
  ['answers a __proto__ that is an object', answers('{"__proto__":{"orderId":"77","status":"approved"}}'), unreadable],
  [
    'gives an order id in a validation error',
    answers(json({ ...validation, 'paynet-order-id': '77' }), { status: 400 }),
    { ...unreadable, status: 'ERR_REQUEST_REFUSED' },
  ],
  [
    'gives an order id in a server error',
    answers(json({ type: 'error', 'paynet-order-id': '77' }), { status: 500 }),
    failed,
  ],
  [
    'declines with a 4xx and an order id',
    answers(json({ type: 'async-response', status: 'declined', 'paynet-order-id': '77', 'error-message': 'no' }), {
      status: 402,
    }),
    { ...unreadable, status: 'ERR_UNREADABLE_REPLY' },
  ],
  ['refuses with a validation error', answers(json(validation), { status: 400 }), refused],
  ['refuses with a validation error under 422', answers(json(validation), { status: 422 }), refused],
  [
    'says a word nobody has heard of',
    answers(json({ ...approved, status: 'pondering' })),
    { sale: 'pondering', capture: 'pondering', status: 'pondering' },
  ],
  ['speaks of another order', answers(json({ ...approved, 'merchant-order-id': 'o-2' })), unreadable],
  [
    'speaks of another order of its own',
    answers(json({ ...approved, 'paynet-order-id': '78' })),
    { sale: 'approved', capture: unreadable.capture, status: unreadable.status },
  ],
  [
    'switches protocols',
    writes('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n'),
    brokeOff,
  ],
]

describe('a gateway that', () => {
  it.each(table)('%s ends in the right grade', async (_name, behaviour, expected) => {
    behave = behaviour
    expect(await graded()).toEqual(expected)
  })

  it('pours without end is not listened to for ever', async () => {
    behave = (_request, response) => {
      response.writeHead(200, { 'Content-Type': type })
      const pour = () => {
        if (!response.destroyed) response.write(' '.repeat(65_536), pour)
      }
      pour()
    }
    expect(await graded()).toEqual(unreadable)
  })

  it('stalls in the body is given up when the caller says so, with an unknown outcome', async () => {
    const controller = new AbortController()
    behave = (_request, response) => {
      response.writeHead(200, { 'Content-Type': type, 'Content-Length': '90' })
      response.write('{', () => controller.abort(new Error('enough')))
    }
    await expect(client.sale(saleRequest, { signal: controller.signal })).rejects.toMatchObject({
      code: 'ERR_OUTCOME_UNKNOWN',
      cause: { code: 'ERR_TRANSPORT' },
      attempt: { end: { ending: 'unknown', connection: 'closed' } },
    })
  })

  it('closes an idle connection just as it is used again leaves the outcome unknown, and is asked once', async () => {
    behave = answers(acceptedBody)
    await client.sale(saleRequest)
    await turn()
    const [kept] = sockets
    const used: boolean[] = []
    behave = request => {
      used.push(request.socket === kept)
      request.socket.resetAndDestroy()
    }
    await expect(client.capture(captureRequest)).rejects.toMatchObject({
      code: 'ERR_OUTCOME_UNKNOWN',
      cause: { code: 'ERR_TRANSPORT', phase: 'sending' },
    })
    expect(used).toEqual([true])
  })

  it('is asked on a connection of its own where that is wished, so that an idle one cannot break under it', async () => {
    const fresh = { freshConnection: true }
    const used = new Set<Socket>()
    behave = (request, response) => {
      used.add(request.socket)
      answers(acceptedBody)(request, response)
    }
    await client.sale(saleRequest, fresh)
    await client.capture(captureRequest, fresh)
    await client.sale(saleRequest)
    await turn()
    await client.capture(captureRequest)
    expect(used.size).toBe(3)
    // Closed, not kept for anybody: what is left is the one that the last two shared.
    while (sockets.size > 1) await turn()
  })

  it('closes a connection of the caller’s dispatcher after the answer where a fresh one is wished', async () => {
    const asked: (string | undefined)[] = []
    behave = (request, response) => {
      asked.push(request.headers.connection)
      answers(acceptedBody)(request, response)
    }
    const { port } = server.address() as { readonly port: number }
    const dispatcher = new Agent()
    const baseUrl = `http://127.0.0.1:${port}/paynet`
    const own = createClient({
      baseUrl,
      endpointId: 39,
      login: 'merchant',
      controlKey,
      dispatcher,
      freshConnection: true,
    })
    await own.sale(saleRequest)
    await own.sale({ ...saleRequest }, { freshConnection: false })
    expect(asked).toEqual(['close', 'keep-alive'])
    await dispatcher.destroy()
  })

  it('names a clock that is wrong when it refuses a signature', async () => {
    behave = answers(json({ type: 'error' }), {
      status: 401,
      headers: { 'Content-Type': type, Date: 'Fri, 02 Jan 2026 03:04:05 GMT' },
    })
    const payout = client.payout({ clientOrderId: 'p-1', amount: '5.00', currency: 'EUR', accountNumber: '40817' })
    await expect(payout).rejects.toThrow('Our clock is 300 s ahead of the gateway’s')
  })
})
