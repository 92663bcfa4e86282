import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { createSearch } from '../search/search.js'
import { startProxy } from './proxy.js'

/** The vendor's published test card. */
const number = '4444444444444448'
const search = createSearch([{ number, securityCode: '987' }])

/** A server of others that answers what it was sent, and the proxy before it. */
async function open(gateway?: (origin: string) => string) {
  const server = createServer(async (incoming, answer) => {
    answer.end(`${incoming.method} ${incoming.url} ${(await text(incoming)).length}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const gateways = gateway === undefined ? [] : [new URL(gateway(`http://${host}`))]
  const proxy = await startProxy(0, gateways, search)
  onTestFinished(() => void proxy.close())
  const { port } = new URL(proxy.origin)
  return {
    host,
    proxy,
    async send(path: string, body = Buffer.alloc(0), headers = {}): Promise<string> {
      const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path, headers, agent: false })
      outgoing.end(body)
      const [answer] = await once(outgoing, 'response')
      return `${answer.statusCode} ${await text(answer)}`
    },
    async tunnel(to: string, bytes: Buffer): Promise<void> {
      const socket = connect(Number(port), '127.0.0.1')
      socket.write(`CONNECT ${to} HTTP/1.1\r\nhost: ${to}\r\n\r\n`)
      const [said] = await once(socket, 'data')
      expect(String(said)).toMatch(/^HTTP\/1\.1 200/)
      socket.write(bytes)
      socket.end()
      socket.resume()
      await once(socket, 'close')
    },
  }
}

it('hands on what is sent through it, and finds a number in the address, in a header, and in a packed body', async () => {
  const { host, proxy, send } = await open()
  expect(await send(`http://${host}/track?card=${number}`)).toBe(`200 POST /track?card=${number} 0`)
  const packed = gzipSync(`{"pan":"${number}"}`)
  expect(await send(`http://${host}/events`, packed)).toBe(`200 POST /events ${packed.length}`)
  const { hits, place } = await proxy.close()
  expect(hits.map(({ part, form }) => [part, form])).toEqual([
    [`POST ${host}`, 'as it is'],
    [`POST ${host}`, 'as it is, in gzip'],
  ])
  expect(place.problems).toEqual([])
})

it.each(['127.0.0.1', 'localhost', 'gateway'])(
  'does not search what goes to the gateway, which is called %s',
  async name => {
    const { host, proxy, send } = await open(origin => origin.replace('127.0.0.1', name))
    await send(`http://${host}/paynet?credit_card_number=${number}`)
    expect(await proxy.close()).toMatchObject({ hits: [], toGateway: 1, place: { parts: [], problems: [] } })
  },
)

it('searches a tunnel in which nothing is encrypted, and lists one that begins with a handshake of TLS', async () => {
  const { host, proxy, tunnel } = await open()
  await tunnel(host, Buffer.from(`POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 16\r\n\r\n${number}`))
  // RFC 8446, 5.1: a record of a handshake begins with 22, and then with the version 3.1.
  const hello = Buffer.concat([Buffer.from([22, 3, 1]), Buffer.from(number)])
  await tunnel(host, hello)
  const { hits, tunnels, place } = await proxy.close()
  expect(hits).toMatchObject([{ part: `tunnel to ${host}`, form: 'as it is' }])
  expect(tunnels).toEqual([{ host, connections: 1, bytes: hello.length }])
  expect(place.parts[1]?.note).toBe('what is encrypted in it was not looked at')
  expect(place.problems).toEqual([`tunnel to ${host}: what is encrypted in it was not looked at.`])
})

it('says that a body was not unpacked', async () => {
  const { host, proxy, send } = await open()
  await send(`http://${host}/`, brotliCompressSync(number.repeat(40)), { 'content-encoding': 'br' })
  expect((await proxy.close()).place.problems).toEqual([`POST ${host}: its body is packed, and was not unpacked.`])
})

it('says that a body within a tunnel was not unpacked', async () => {
  const { host, proxy, tunnel } = await open()
  const body = gzipSync(number)
  // RFC 9110, 8.4: the header that says so.
  const head = `POST / HTTP/1.1\r\nhost: x\r\nContent-Encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`
  await tunnel(host, Buffer.concat([Buffer.from(head), body]))
  expect((await proxy.close()).place.problems).toEqual([`tunnel to ${host}: a packed body in it was not unpacked.`])
})

it('survives a connection that breaks off once a wrong address for a tunnel was refused, and searches what comes later', async () => {
  const { host, proxy, send } = await open()
  const broken = connect(Number(new URL(proxy.origin).port), '127.0.0.1')
  broken.on('error', () => undefined)
  // A port is at most 65535: RFC 9293, 3.1.
  broken.write('CONNECT bad:99999 HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(broken, 'data')
  broken.resetAndDestroy()
  await once(broken, 'close')
  await send(`http://${host}/${number}`)
  const { hits, place } = await proxy.close()
  expect([hits.length, place.problems]).toEqual([1, ['It refused a request, and did not search what it refused.']])
})

it('says that it refused a request for an address that is none of a proxy, and one that is not HTTP', async () => {
  const { proxy, send } = await open()
  expect(await send(`https://tracker.invalid/${number}`)).toMatch(/^400/)
  // RFC 8446, 5.1: as a client begins that takes it for a proxy behind TLS.
  const client = connect(Number(new URL(proxy.origin).port), '127.0.0.1')
  client.write(Buffer.from([22, 3, 1, 2, 0, 1]))
  client.resume()
  await once(client, 'close')
  expect((await proxy.close()).place.problems).toEqual(['It refused 2 requests, and did not search what it refused.'])
})

it('ends although a request to a host that is not there never came to its end', async () => {
  const { proxy } = await open()
  const client = connect(Number(new URL(proxy.origin).port), '127.0.0.1')
  client.on('error', () => undefined)
  // RFC 6761, 6.4: no name ends in .invalid.
  client.write(`POST http://tracker.invalid/ HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\n${number}`)
  expect(String((await once(client, 'data'))[0])).toMatch(/^HTTP\/1\.1 502/)
  expect((await proxy.close()).hits).toHaveLength(1)
})

it('says which port is taken', async () => {
  const { proxy } = await open()
  const { port } = new URL(proxy.origin)
  await expect(startProxy(Number(port), [], search)).rejects.toThrow(
    `The proxy cannot listen on port ${port}: EADDRINUSE. Choose another`,
  )
})

it('says that a shop does not use it', async () => {
  const { proxy } = await open()
  expect((await proxy.close()).place.problems).toEqual(['Nothing came through it: the shop does not use it.'])
})

it('answers 502 for a host that is not there, and has searched the request by then', async () => {
  const { proxy, send } = await open()
  // RFC 6761, 6.4: no name ends in .invalid.
  expect(await send(`http://tracker.invalid/${number}`)).toMatch(/^502/)
  expect((await proxy.close()).hits).toMatchObject([{ part: 'POST tracker.invalid' }])
})
