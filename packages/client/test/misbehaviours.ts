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

/** One kind of gateway. */
export type Misbehaviour = readonly [name: string, behave: Behave, grades: Grades]

/** The gateway's media type. */
export const type = 'application/vnd.pay+json'

/** An answer of any kind. */
export const answers =
  (body: string, { status = 200, headers = { 'Content-Type': type } as Readonly<Record<string, string>> } = {}) =>
  (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(status, headers).end(body)

export const json = (fields: Readonly<Record<string, unknown>>): string => JSON.stringify(fields)
export const approved = {
  type: 'status-response',
  status: 'approved',
  'merchant-order-id': 'o-1',
  'paynet-order-id': '77',
}
export const validation = { type: 'validation-error', 'error-code': '8', 'error-message': 'Unknown currency' }

const unknownBy = (cause: string) => ({
  sale: `ERR_OUTCOME_UNKNOWN ${cause}`,
  capture: `ERR_OUTCOME_UNKNOWN ${cause}`,
  status: cause,
})
export const brokeOff = unknownBy('ERR_TRANSPORT')
export const unreadable = unknownBy('ERR_UNREADABLE_REPLY')
export const failed = unknownBy('ERR_GATEWAY_FAILURE')
const allApproved = { sale: 'approved', capture: 'approved', status: 'approved' }
export const refused = { sale: 'ERR_REQUEST_REFUSED', capture: 'ERR_REQUEST_REFUSED', status: 'ERR_REQUEST_REFUSED' }
const notAuthenticated = {
  sale: 'ERR_AUTHENTICATION_REFUSED',
  capture: 'ERR_AUTHENTICATION_REFUSED',
  status: 'ERR_AUTHENTICATION_REFUSED',
}

/** What a gateway says, in words and in deed, and the grades that must come of it. */
export const misbehaviours: readonly Misbehaviour[] = [
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
  ['answers 500 with what would be an approval', answers(json(approved), { status: 500 }), failed],
  ['answers 503 with what would be a refusal', answers(json(validation), { status: 503 }), failed],
  ['answers 201', answers(acceptedBody, { status: 201 }), unreadable],
  ['answers 204', answers('', { status: 204 }), unreadable],
  ['answers 206', answers(acceptedBody, { status: 206 }), unreadable],
  ['repeats a key', answers('{"type":"status-response","status":"approved","status":"declined"}'), unreadable],
  [
    'repeats a key with the same value',
    answers('{"status":"approved","paynet-order-id":"77","status":"approved"}'),
    unreadable,
  ],
  [
    'repeats a key in other letters',
    answers('{"status":"approved","st\\u0061tus":"declined","paynet-order-id":"77"}'),
    unreadable,
  ],
  ['adds junk after the record', answers(`${acceptedBody}x`), unreadable],
  ['adds a second record', answers(acceptedBody + acceptedBody), unreadable],
  ['begins with a byte order mark', answers(`\ufeff${json(approved)}`), allApproved],
  ['answers a list', answers('[]'), unreadable],
  ['answers nested values', answers(json({ ...approved, extra: { a: 1 } })), unreadable],
  ['nests deeper than anybody reads', answers(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`), unreadable],
  ['nests without end', answers('{"a":'.repeat(40_000)), unreadable],
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
    allApproved,
  ],
  [
    'answers a __proto__',
    answers('{"__proto__":"x","paynet-order-id":"77","merchant-order-id":"o-1","status":"approved"}'),
    allApproved,
  ],
  ['answers a __proto__ that is an object', answers('{"__proto__":{"orderId":"77","status":"approved"}}'), unreadable],
  [
    'gives an order id in a validation error',
    answers(json({ ...validation, 'paynet-order-id': '77' }), { status: 400 }),
    { ...unreadable, capture: 'ERR_REQUEST_REFUSED', status: 'ERR_REQUEST_REFUSED' },
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
  [
    'answers every request as if it were another one',
    answers(json({ ...approved, type: 'async-response' })),
    { ...allApproved, status: 'ERR_UNREADABLE_REPLY' },
  ],
  ['answers with a type that nobody has heard of', answers(json({ ...approved, type: 'sync-response' })), allApproved],
  ['speaks of another order', answers(json({ ...approved, 'merchant-order-id': 'o-2' })), unreadable],
  [
    'speaks of another order of its own',
    answers(json({ ...approved, 'paynet-order-id': '78' })),
    { sale: 'approved', capture: unreadable.capture, status: unreadable.status },
  ],
]
