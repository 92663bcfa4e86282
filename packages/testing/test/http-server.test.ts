import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { encodeForm } from '@tillkit/signing'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway, type ListeningAddress } from '../src/index.js'
import { call, pay, prepare, readReply } from './signed-request.js'

let gateway: FakeGateway
let address: ListeningAddress
beforeEach(async () => {
  gateway = createFakeGateway({ maxBodyBytes: 2_000 })
  address = await gateway.listen()
})
afterEach(() => gateway.close())

/** Writes bytes to the server and gives back whatever comes until it hangs up, or until `until` is seen. */
function raw(
  text: string,
  { end = false, until, port = address.port }: { end?: boolean; until?: string; port?: number } = {},
): Promise<string> {
  return new Promise(resolve => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => (end ? socket.end(text) : socket.write(text)))
    socket.on('data', chunk => {
      received += chunk.toString()
      if (until !== undefined && received.includes(until)) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(received))
  })
}

/** The server must still answer after whatever was done to it. */
const health = async () => {
  const { statusCode, body } = await request(`${address.origin}/__gateway/health`)
  return `${statusCode} ${await body.text()}`
}

describe('listening', () => {
  it('says where it is reached, on this machine, below the prefix', () => {
    expect(address.origin).toBe(`http://127.0.0.1:${address.port}`)
    expect(address.baseUrl.href).toBe(`${address.origin}/paynet`)
    expect(gateway.clientOptions.baseUrl.href).toBe(address.baseUrl.href)
    expect(gateway.clientOptions).not.toHaveProperty('dispatcher')
  })

  it('answers to its health', async () => {
    expect(await health()).toBe('200 ok\n')
  })

  it('refuses a second listen that comes before the first has ended, and leaves no server behind', async () => {
    const other = createFakeGateway()
    const [first, second] = await Promise.allSettled([other.listen(), other.listen()])
    expect(second).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining('about to listen') },
    })
    await other.close()
    const { origin } = (first as PromiseFulfilledResult<ListeningAddress>).value
    await expect(request(`${origin}/__gateway/health`)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('ends a listen that close overtakes', async () => {
    const other = createFakeGateway()
    const listening = other.listen()
    await other.close()
    const { origin } = await listening
    await expect(request(`${origin}/__gateway/health`)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('rejects for a port that is taken, and names the cure', async () => {
    const other = createFakeGateway()
    await expect(other.listen({ port: address.port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: expect.stringContaining('(EADDRINUSE): choose another, or 0'),
    })
    expect(other.clientOptions).toHaveProperty('dispatcher')
    await other.listen()
    expect((await pay(other, 'sale', { clientOrderId: 'o-1' })).status).toBe(200)
    await other.close()
  })

  it('refuses to listen twice', async () => {
    await expect(gateway.listen()).rejects.toThrow('listens already')
  })

  it('leaves nothing open after close, an idle connection included', async () => {
    const opened = raw('POST /paynet/api/v2/sale/39 HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf')
    await health()
    await gateway.close()
    await opened
    await expect(request(`${address.origin}/__gateway/health`)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await gateway.close()
  })

  it('keeps no server and no connection of its own, a callback to repeat notwithstanding', async () => {
    const open = () => process.getActiveResourcesInfo().filter(name => name.startsWith('TCP')).length
    const before = open()
    const other = createFakeGateway()
    await other.listen()
    await pay(other, 'sale', { clientOrderId: 'o-1', serverCallbackUrl: 'http://127.0.0.1:9/dead' })
    await other.callbacks.idle()
    expect(other.callbacks.list()).toMatchObject([{ attempt: 1, error: expect.any(String) }])
    expect(open()).toBeGreaterThan(before)
    await other.close()
    // Handles are counted until the event loop has come round once more.
    await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
    expect(open()).toBeLessThanOrEqual(before)
  })
})

describe('robustness', () => {
  it.each([
    ['what is no HTTP', 'hello\r\n\r\n', '400 Bad Request'],
    ['half a request line', 'POST /pay', ''],
    ['an absurd method', 'FROBNICATE / HTTP/1.1\r\nHost: x\r\n\r\n', '400 Bad Request'],
    ['a header too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, '400 Bad Request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      '400 Bad Request',
    ],
    ['half a body', 'POST /paynet/api/v2/sale/39 HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nhalf', ''],
    [
      'a host that is none',
      'POST /paynet/api/v2/sale/39 HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
      '400 Bad Request',
    ],
  ])('survives %s', async (_, text, answer) => {
    expect(await raw(text, { end: true })).toContain(answer)
    expect(await health()).toBe('200 ok\n')
  })

  it('says 408 to a request that comes too slowly, and nothing where none came: a browser would take it for the answer to the next', async () => {
    const other = createFakeGateway({ requestTimeout: 50 })
    const { port } = await other.listen()
    expect(await raw('', { port })).toBe('')
    expect(await raw('POST /paynet/api/v2/sale/39 HTTP/1.1\r\nHost: x\r\n', { port })).toContain('408 Request Timeout')
    await other.close()
  })

  it('answers 413 to a body that is too large, without reading all of it', async () => {
    const { url, headers } = await prepare(gateway, 'status', { clientOrderId: 'o-1' })
    const answer = await request(url, { method: 'POST', headers, body: encodeForm([['a', 'b'.repeat(3_000)]]) })
    expect(answer.statusCode).toBe(413)
    expect(answer.headers['content-type']).toBe('application/vnd.pay+json')
    expect(readReply(await answer.body.text())['error-message']).toContain('larger than 2000 bytes')
    const head = [
      'POST /paynet/api/v2/status/39 HTTP/1.1',
      'Host: x',
      'Accept: application/vnd.pay+json',
      'Content-Type: application/x-www-form-urlencoded',
      'Content-Length: 1000000',
    ].join('\r\n')
    expect(await raw(`${head}\r\n\r\n${'a'.repeat(4_000)}`)).toContain('HTTP/1.1 413')
    expect(await health()).toBe('200 ok\n')
  })

  it('takes a body that dribbles in', async () => {
    const { url, headers, parameters } = await prepare(gateway, 'status', { clientOrderId: 'o-1' })
    const body = encodeForm(parameters)
    const pieces = async function* () {
      for (const character of body) yield Buffer.from(character)
    }
    const answer = await request(url, { method: 'POST', headers, body: Readable.from(pieces()) })
    expect(answer.statusCode).toBe(400)
    expect(readReply(await answer.body.text())['error-message']).toContain('There is no order')
  })

  it.each([
    ['an escape that is none', 'client_orderid=%zz'],
    ['bytes that are no UTF-8', Buffer.from([0x61, 0x3d, 0xff, 0xfe])],
    ['nothing', ''],
  ])('refuses %s with a record', async (_, body) => {
    const { url, headers } = await prepare(gateway, 'status', { clientOrderId: 'o-1' })
    const answer = await request(url, { method: 'POST', headers, body })
    expect([400, 401]).toContain(answer.statusCode)
    expect(readReply(await answer.body.text())).toHaveProperty('error-message')
  })

  it('keeps names such as __proto__ apart from its own', async () => {
    const { url, headers, parameters } = await prepare(gateway, 'status', { clientOrderId: 'o-1' })
    const body = encodeForm([...parameters, ['__proto__', 'x'], ['constructor', 'y']])
    const answer = await request(url, { method: 'POST', headers, body })
    expect(readReply(await answer.body.text())['error-message']).toContain('There is no order')
    const path = await request(`${address.origin}/paynet/api/v2/__proto__/39`, { method: 'POST' })
    expect(path.statusCode).toBe(404)
    await path.body.dump()
  })

  it('carries many requests on one connection and at once', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `o-${index}`)
    const sales = await Promise.all(ids.map(clientOrderId => pay(gateway, 'sale', { clientOrderId })))
    expect(new Set(sales.map(({ reply }) => reply['paynet-order-id'])).size).toBe(40)
    const twins = await Promise.all(Array.from({ length: 10 }, () => pay(gateway, 'sale', { clientOrderId: 'twin' })))
    expect(new Set(twins.map(({ reply }) => reply['paynet-order-id'])).size).toBe(10)
    expect((await call(gateway, 'status', { clientOrderId: 'twin' })).reply.status).toBe('approved')
  })
})
