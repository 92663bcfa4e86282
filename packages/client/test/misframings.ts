/** Gateways that break HTTP itself, as a table like `misbehaviours`: bytes written past the server's own HTTP. */
import type { IncomingMessage } from 'node:http'
import { gzipSync } from 'node:zlib'
import { brokeOff, json, type Misbehaviour, refused, type, unreadable, validation } from './misbehaviours.js'
import { acceptedBody } from './sample-requests.js'

/** Bytes of our own on the server's socket, past its HTTP. */
const writes =
  (bytes: string | Buffer, { ends = false } = {}) =>
  (request: IncomingMessage): void => {
    request.socket.write(bytes)
    if (ends) request.socket.end()
  }

const head = (rest: string, status = 200) => `HTTP/1.1 ${status} Status\r\nContent-Type: ${type}\r\n${rest}\r\n`
const sized = (body: string, status = 200) => `${head(`Content-Length: ${body.length}\r\n`, status)}${body}`
const chunk = `${acceptedBody.length.toString(16)}\r\n${acceptedBody}\r\n`
const chunked = 'Transfer-Encoding: chunked\r\n'
const closing = 'Connection: close\r\n'
const zipped = gzipSync(acceptedBody)
const accepted = { sale: '77', capture: '77', status: 'ERR_UNREADABLE_REPLY' }

/** What a gateway does to HTTP, in words and in deed, and the grades that must come of it. */
export const misframings: readonly Misbehaviour[] = [
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
    'switches protocols',
    writes('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n'),
    brokeOff,
  ],
  ['tells to go on, which nobody waits for', writes(`HTTP/1.1 100 Continue\r\n\r\n${sized(acceptedBody)}`), brokeOff],
  ['gives early hints first', writes(`HTTP/1.1 103 Early Hints\r\n\r\n${sized(acceptedBody)}`), accepted],
  ['gives early hints and hangs up', writes(head('', 103), { ends: true }), brokeOff],
  [
    'claims a shorter body than it sends, and closes',
    writes(`${head(`Content-Length: 9\r\n${closing}`)}${acceptedBody}`, { ends: true }),
    unreadable,
  ],
  [
    'claims a longer body than it sends, and closes',
    writes(`${head(`Content-Length: 999\r\n${closing}`)}${acceptedBody}`, { ends: true }),
    brokeOff,
  ],
  [
    'claims a length that is none',
    writes(`${head('Content-Length: -1\r\n')}${acceptedBody}`, { ends: true }),
    brokeOff,
  ],
  [
    'claims no length and hangs up within the body',
    writes(`${head(closing)}${acceptedBody.slice(0, -1)}`, { ends: true }),
    unreadable,
  ],
  ['claims no length and ends', writes(`${head(closing)}${acceptedBody}`, { ends: true }), accepted],
  ['claims a length and chunks', writes(`${head(`${chunked}Content-Length: 5\r\n`)}${chunk}0\r\n\r\n`), brokeOff],
  ['never sends the last chunk', writes(`${head(chunked)}${chunk}`, { ends: true }), brokeOff],
  ['sends a chunk whose size is none', writes(`${head(chunked)}zz\r\n${acceptedBody}\r\n0\r\n\r\n`), brokeOff],
  [
    'compresses, which nobody asked for',
    writes(
      Buffer.concat([Buffer.from(head(`Content-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n`)), zipped]),
    ),
    unreadable,
  ],
  [
    'compresses and does not say so',
    writes(Buffer.concat([Buffer.from(head(`Content-Length: ${zipped.length}\r\n`)), zipped])),
    unreadable,
  ],
  [
    'compresses a refusal',
    writes(
      Buffer.concat([Buffer.from(head(`Content-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n`, 400)), zipped]),
    ),
    unreadable,
  ],
  [
    'gives two media types',
    writes(`${head(`Content-Type: text/html\r\nContent-Length: ${acceptedBody.length}\r\n`)}${acceptedBody}`),
    unreadable,
  ],
  ['ends lines as HTTP does not', writes(sized(acceptedBody).replaceAll('\r\n', '\n'), { ends: true }), brokeOff],
  ['sends headers without end', writes(head(`X-Much: ${'much '.repeat(20_000)}\r\n`)), brokeOff],
  ['refuses and then accepts', writes(sized(json(validation), 400) + sized(acceptedBody)), refused],
]
