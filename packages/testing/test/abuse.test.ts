import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway, type ListeningAddress } from '../src/index.js'

let gateway: FakeGateway
let address: ListeningAddress
beforeAll(async () => {
  gateway = createFakeGateway({ maxBodyBytes: 10_000 })
  address = await gateway.listen()
})
afterAll(() => gateway.close())

/** A gateway that soon gives up on slow senders. On a busy machine everybody is slow, so only what is given up goes there. */
let impatient: FakeGateway
let impatientAddress: ListeningAddress
beforeAll(async () => {
  impatient = createFakeGateway({ requestTimeout: 50 })
  impatientAddress = await impatient.listen()
})
afterAll(() => impatient.close())

/** After everything that was done to it, it answers the next one. */
const health = async ({ origin } = address): Promise<number> => {
  const { statusCode, body } = await request(`${origin}/__gateway/health`)
  await body.dump()
  return statusCode
}

/** Lets `write` use a socket, and gives back what came until the gateway hung up. */
function abuse(write: (socket: Socket) => void, { port } = address): Promise<string> {
  return new Promise(resolve => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => write(socket))
    socket.on('data', chunk => {
      received += chunk.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(received))
  })
}

const good = {
  accept: 'application/vnd.pay+json',
  'content-type': 'application/x-www-form-urlencoded',
  connection: 'close',
}

/** A request as text. */
function written(line: string, headers: Record<string, string | readonly string[]>, body = ''): string {
  const all = Object.entries({ host: address.origin.slice(7), ...headers })
  const lines = all.flatMap(([name, value]) => [value].flat().map(each => `${name}: ${each}`))
  return `${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

const sale = 'POST /paynet/api/v2/sale/39'
const payout = 'POST /paynet/api/v2/payout/39'
const oauth = (text: string) => ({ ...good, authorization: text })

describe('a request that nobody should send', () => {
  it.each([
    ['GET', 'GET /paynet/api/v2/sale/39', good, '', 405, 'every operation takes POST'],
    ['PUT', 'PUT /paynet/api/v2/sale/39', good, 'a=1', 405, 'every operation takes POST'],
    ['an unknown path', 'POST /paynet/api/v9/sale/39', good, '', 404, 'Did you mean /api/v2/sale?'],
    ['no prefix', 'POST /api/v2/sale/39', good, '', 404, 'The path prefix \\"/paynet\\" is missing'],
    ['no endpoint', 'POST /paynet/api/v2/sale/', good, '', 400, 'no 64-bit integer'],
    ['an endpoint beyond 64 bits', 'POST /paynet/api/v2/sale/9223372036854775808', good, '', 400, 'no 64-bit integer'],
    ['a path of dots', 'POST /paynet/../../etc/passwd', good, '', 404, 'Nothing is at this path'],
    ['an escaped null in the path', 'POST /paynet/api/v2/sale%00/39', good, '', 404, 'No operation is at this path'],
    ['a long path', `POST /paynet/${'a/'.repeat(3_000)}`, good, '', 404, 'No operation is at this path'],
    ['no Accept', sale, { ...good, accept: '*/*' }, '', 406, 'must equal'],
    ['two Accepts', sale, { ...good, accept: [good.accept, '*/*'] }, '', 406, 'must equal'],
    ['JSON', sale, { ...good, 'content-type': 'application/json' }, '{}', 415, 'must be'],
    ['a parameter twice', sale, good, 'amount=1&amount=2', 400, '\\"amount\\" is in the body more than once'],
    ['a parameter twice, written differently', sale, good, 'amount=1&%61mount=2', 400, 'more than once'],
    ['oauth_token in the body', payout, good, 'oauth_token=x', 400, 'outside the Authorization header'],
    ['oauth_token in the query', `${payout}?oauth_token=x`, good, '', 400, 'outside the Authorization header'],
    ['a broken escape', sale, good, 'amount=%zz', 400, 'does not start a UTF-8 escape'],
    ['no Authorization', payout, good, 'a=1', 401, 'signed with HMAC-SHA1'],
    ['a Basic Authorization', payout, oauth('Basic dXNlcjpwYXNz'), 'a=1', 401, 'OAuth'],
    ['an Authorization of nothing', payout, oauth('OAuth'), 'a=1', 401, 'OAuth'],
    ['an Authorization without quotes', payout, oauth('OAuth oauth_nonce=1'), 'a=1', 401, 'not of the form'],
    ['an Authorization with a broken escape', payout, oauth('OAuth oauth_nonce="%zz"'), 'a=1', 401, 'not of the form'],
    ['an Authorization of ten thousand commas', payout, oauth(`OAuth ${','.repeat(10_000)}`), 'a=1', 401, 'OAuth'],
    ['two Authorizations', payout, { ...good, authorization: ['OAuth a="1"', 'OAuth a="2"'] }, 'a=1', 401, 'OAuth'],
    ['a body too large', sale, good, 'a'.repeat(10_001), 413, 'larger than 10000 bytes'],
  ])('is answered: %s', async (_, line, headers, body, status, text) => {
    const received = await abuse(socket => socket.write(written(line, headers, body)))
    expect(received.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(received).toContain(text)
    expect(await health()).toBe(200)
  })
})

/** A head that promises a body, up to where the body begins. */
const head = (...lines: string[]): string =>
  [`${sale} HTTP/1.1`, 'host: x', `accept: ${good.accept}`, `content-type: ${good['content-type']}`, ...lines].join(
    '\r\n',
  )

/** Writes without end, as fast as the gateway reads, until it hangs up. */
function endless(start: string, piece: string) {
  return (socket: Socket) => {
    socket.write(start)
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', more)
    more()
  }
}

describe('a connection that is abused', () => {
  it.each([
    [
      'an endless chunked body',
      endless(`${head('transfer-encoding: chunked')}\r\n\r\n`, `3e8\r\n${'a'.repeat(1_000)}\r\n`),
      '413',
    ],
    [
      'an endless body of a promised length',
      endless(`${head('content-length: 99999999999')}\r\n\r\n`, 'a'.repeat(1_000)),
      '413',
    ],
    ['endless headers', endless(`${sale} HTTP/1.1\r\n`, `x-more: ${'a'.repeat(1_000)}\r\n`), '400'],
    ['an endless request line', endless('POST /', 'a'.repeat(1_000)), '400'],
    [
      'a length and chunks',
      (socket: Socket) => socket.end(`${head('content-length: 1', 'transfer-encoding: chunked')}\r\n\r\n`),
      '400',
    ],
    ['a chunk that is none', (socket: Socket) => socket.end(`${head('transfer-encoding: chunked')}\r\n\r\nzz\r\n`), ''],
    ['HTTP/2', (socket: Socket) => socket.end('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), '400'],
    ['TLS', (socket: Socket) => socket.end(Buffer.from('16030100c8010000c4030358', 'hex')), '400'],
    ['CONNECT', (socket: Socket) => socket.end('CONNECT gate.example:443 HTTP/1.1\r\nhost: x\r\n\r\n'), ''],
    [
      'an upgrade',
      (socket: Socket) =>
        socket.end(`${head('connection: upgrade', 'upgrade: websocket', 'content-length: 0')}\r\n\r\n`),
      '',
    ],
    [
      'an address of somebody else',
      (socket: Socket) => socket.end('POST http://gate.example/ HTTP/1.1\r\nhost: x\r\n\r\n'),
      '400',
    ],
    ['no host', (socket: Socket) => socket.end(`${sale} HTTP/1.1\r\n\r\n`), '400'],
    [
      'a line feed in a header',
      (socket: Socket) => socket.end(`${head('x: a\nb', 'content-length: 0')}\r\n\r\n`),
      '400',
    ],
  ])('is answered or closed: %s', async (_, write, status) => {
    const received = await abuse(write)
    if (status !== '') expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(await health()).toBe(200)
  })

  it.each([
    ['a head that never ends', (socket: Socket) => socket.write(`${sale} HTTP/1.1\r\nhost: x\r\n`), '408'],
    ['a body that never comes', (socket: Socket) => socket.write(`${head('content-length: 5')}\r\n\r\nab`), ''],
    ['nothing at all', () => undefined, ''],
  ])('is given up when it takes too long: %s', async (_, write, status) => {
    const received = await abuse(write, impatientAddress)
    if (status !== '') expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    // A request for its health may be given up as well, so that several are sent.
    while ((await health(impatientAddress).catch(() => 0)) !== 200);
  })

  it('does not keep others waiting', async () => {
    const idle: Socket[] = []
    const ended = Array.from({ length: 50 }, () => abuse(socket => idle.push(socket) && socket.write('POST /')))
    while (idle.length < 50) await new Promise(setImmediate)
    expect(await health()).toBe(200)
    for (const socket of idle) socket.destroy()
    await Promise.all(ended)
  })

  it('is not read to the end of an endless body through the dispatcher either', async () => {
    let read = 0
    async function* endlessly() {
      for (;;) {
        read += 1_000
        yield 'a'.repeat(1_000)
      }
    }
    const other = createFakeGateway({ maxBodyBytes: 10_000 })
    const { dispatcher, baseUrl } = other.clientOptions
    const { connection: _connection, ...headers } = good
    const options = { method: 'POST' as const, headers, body: Readable.from(endlessly()) }
    const answer = await request(`${baseUrl}/api/v2/sale/39`, {
      ...options,
      ...(dispatcher === undefined ? {} : { dispatcher }),
    })
    expect(answer.statusCode).toBe(413)
    await answer.body.dump()
    expect(read).toBeLessThan(50_000)
  })

  it('may go away while it is answered', async () => {
    for (let round = 0; round < 20; round += 1) {
      const socket = connect(address.port, '127.0.0.1', () => {
        socket.write(written(sale, good, 'amount=1'))
        socket.resetAndDestroy()
      })
      socket.on('error', () => undefined)
      await new Promise(resolve => socket.on('close', resolve))
    }
    expect(await health()).toBe(200)
  })
})
