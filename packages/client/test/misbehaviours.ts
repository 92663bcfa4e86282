/** Gateways that misbehave, as a table: what each does, and what a sale, a capture and a question must come to. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { acceptedBody } from './sample-requests.js'

/** What a gateway does with a request. */
export type Behave = (request: IncomingMessage, response: ServerResponse) => void

/** What each call came to: the code of its error, the code of that one's cause, or its status word or order id. */
export interface Grades {
  readonly sale: string | undefined
  readonly capture: string | undefined
  readonly status: string | undefined
}

/** The gateway's media type. */
export const type = 'application/vnd.pay+json'

/** An answer of any kind. */
export const answers =
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

const head = (rest: string) => `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n${rest}\r\n`
export const json = (fields: Readonly<Record<string, unknown>>): string => JSON.stringify(fields)
const approved = { type: 'status-response', status: 'approved', 'merchant-order-id': 'o-1', 'paynet-order-id': '77' }
const validation = { type: 'validation-error', 'error-code': '8', 'error-message': 'Unknown currency' }

const unknownBy = (cause: string) => ({
  sale: `ERR_OUTCOME_UNKNOWN ${cause}`,
  capture: `ERR_OUTCOME_UNKNOWN ${cause}`,
  status: cause,
})
const brokeOff = unknownBy('ERR_TRANSPORT')
export const unreadable = unknownBy('ERR_UNREADABLE_REPLY')
const failed = unknownBy('ERR_GATEWAY_FAILURE')
const refused = { sale: 'ERR_REQUEST_REFUSED', capture: 'ERR_REQUEST_REFUSED', status: 'ERR_REQUEST_REFUSED' }
const notAuthenticated = {
  sale: 'ERR_AUTHENTICATION_REFUSED',
  capture: 'ERR_AUTHENTICATION_REFUSED',
  status: 'ERR_AUTHENTICATION_REFUSED',
}

/** What a gateway does, in words and in deed, and the grades that must come of it. */
export const misbehaviours: readonly (readonly [string, Behave, Grades])[] = [
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
