import { once } from 'node:events'
import { createServer, get as httpGet, request as httpRequest } from 'node:http'
import { get as httpsGet } from 'node:https'
import {
  type AddressInfo,
  connect,
  createConnection,
  createServer as createSocketServer,
  type LookupFunction,
  Socket,
} from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as tlsConnect } from 'node:tls'
import { Agent, getGlobalDispatcher, request, fetch as undiciFetch } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeGateway, guardNetwork, type NetworkGuard, NetworkGuardError } from '../src/index.js'

const { connect: unguarded } = Socket.prototype

let guard: NetworkGuard
beforeEach(() => {
  guard = guardNetwork({ allow: ['allowed.example:8080'] })
})
afterEach(() => guard.close())

/** The error that something fails with, or the one behind it. */
async function failureOf(attempt: () => Promise<unknown>): Promise<unknown> {
  const error = await attempt().then(
    () => expect.fail('nothing failed'),
    (reason: Error) => reason,
  )
  return error instanceof NetworkGuardError ? error : error.cause
}

const firstError = async (emitter: Socket | ReturnType<typeof httpGet>) => {
  const [error] = (await once(emitter, 'error')) as [Error]
  throw error
}

/** Whatever is let through comes to this machine: no name is looked up. */
const toLocal: LookupFunction = (_host, { all = false }, done) =>
  all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)

describe('guardNetwork', () => {
  const lookup = () => expect.fail('the name was looked up')
  it.each<[string, string, () => Promise<unknown>]>([
    ['fetch', 'gate.example:443', () => fetch('https://gate.example/paynet')],
    ['the fetch of undici', 'gate.example:80', () => undiciFetch('http://gate.example/')],
    ['undici', 'gate.example:8443', () => request('https://gate.example:8443/')],
    ['an agent of undici', '192.0.2.7:80', () => request('http://192.0.2.7/', { dispatcher: new Agent() })],
    ['node:http', 'gate.example:80', () => firstError(httpGet('http://gate.example/', { lookup }))],
    ['node:https', 'gate.example:443', () => firstError(httpsGet('https://gate.example/', { lookup }))],
    ['node:net', '2001:db8::1:25', () => firstError(connect(25, '2001:db8::1'))],
    [
      'node:net, by options',
      'gate.example:25',
      () => firstError(createConnection({ host: 'gate.example', port: 25, lookup })),
    ],
    ['node:tls', 'gate.example:993', () => firstError(tlsConnect({ host: 'gate.example', port: 993, lookup }))],
    ['a socket', 'gate.example:1', () => firstError(new Socket().connect({ host: 'gate.example', port: 1, lookup }))],
  ])('stops a call of %s', async (_, target, attempt) => {
    const [host, port] = [target.slice(0, target.lastIndexOf(':')), target.slice(target.lastIndexOf(':') + 1)]
    expect(await failureOf(attempt)).toMatchObject({ code: 'ERR_NETWORK_GUARD', host, port })
    expect(guard.stopped()).toEqual([target])
    expect(() => guard.assertNothingLeft()).toThrow(`${target} (1×)`)
  })

  it('says what a hosted page needs whose gateway does not listen', async () => {
    const { baseUrl } = createFakeGateway().clientOptions
    expect(await failureOf(() => fetch(baseUrl))).toMatchObject({
      message: expect.stringContaining('gateway.listen()'),
    })
    expect(() => guard.assertNothingLeft()).toThrow('await gateway.listen() first')
  })

  it('lets calls to this machine through, over the network and over a file', async () => {
    const gateway = createFakeGateway()
    const { origin } = await gateway.listen()
    expect((await fetch(`${origin}/__gateway/`)).status).toBe(200)
    expect((await fetch(`${origin.replace('127.0.0.1', 'localhost')}/__gateway/`)).status).toBe(200)
    const path = join(tmpdir(), `tillkit-guard-${process.pid}.sock`)
    const server = createSocketServer(socket => socket.end()).listen(path)
    await once(server, 'listening')
    await once(connect(path), 'close')
    server.close()
    guard.assertNothingLeft()
    await gateway.close()
  })

  it('lets through what is allowed, at the port that was said', async () => {
    const server = createServer((_incoming, response) => response.end('ok')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const own = guardNetwork({ allow: [`db.example:${port}`] })
    guard.close()
    const dispatcher = new Agent({ connect: { lookup: toLocal } })
    expect((await request(`http://db.example:${port}/`, { dispatcher })).statusCode).toBe(200)
    await expect(request('http://db.example:1/', { dispatcher })).rejects.toThrow('db.example:1')
    expect(own.stopped()).toEqual(['db.example:1'])
    own.close()
    await dispatcher.destroy()
    server.close()
  })

  it.each(['undici', 'node:http'] as const)(
    'stops a request over a connection that %s kept open from before',
    async kind => {
      guard.close()
      let answered = 0
      const server = createServer((_incoming, response) => {
        answered += 1
        response.end('ok')
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const address = `http://gate.example:${(server.address() as AddressInfo).port}/`
      const dispatcher = new Agent({ connect: { lookup: toLocal } })
      const ask = async () => {
        if (kind === 'undici') return (await request(address, { dispatcher })).body.text()
        const sent = httpRequest(address, { lookup: toLocal }).end()
        const [response] = await once(sent, 'response')
        response.resume()
        return once(response, 'end')
      }
      await ask()
      await new Promise(setImmediate)
      guard = guardNetwork()
      expect(await failureOf(ask)).toMatchObject({ code: 'ERR_NETWORK_GUARD', host: 'gate.example' })
      expect(answered).toBe(1)
      await dispatcher.destroy()
      server.closeAllConnections()
      server.close()
    },
  )

  it('puts everything back when the last guard closes', async () => {
    const dispatcher = getGlobalDispatcher()
    const second = guardNetwork()
    guard.close()
    await expect(request('http://gate.example/')).rejects.toThrow('gate.example:80')
    second.close()
    second.close()
    expect(Socket.prototype.connect).toBe(unguarded)
    expect(getGlobalDispatcher()).toBe(dispatcher)
  })

  it('does nothing once it is closed, to whoever wrapped it', () => {
    const guarded = Socket.prototype.connect
    const wrapper: typeof guarded = function (this: Socket, ...parameters: never[]) {
      return Reflect.apply(guarded, this, parameters)
    }
    Socket.prototype.connect = wrapper
    guard.close()
    expect(Socket.prototype.connect).toBe(wrapper)
    const socket = new Socket()
    socket.connect(1, '127.0.0.1').on('error', () => undefined)
    expect(socket.connecting).toBe(true)
    socket.destroy()
    Socket.prototype.connect = unguarded
  })
})
