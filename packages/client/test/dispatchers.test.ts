import { createServer } from 'node:http'
import { Agent, type Dispatcher, interceptors, MockAgent, ProxyAgent, RetryAgent } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Client, createClient, type RequestDispatcher } from '../src/index.js'
import { type GatewayServer, reply, startServer } from './gateway-server.js'
import { withHeldTime } from './held-time.js'
import { acceptedBody, captureRequest, controlKey, saleRequest } from './sample-requests.js'

const type = 'application/vnd.pay+json'
let server: GatewayServer

const open = (dispatcher: RequestDispatcher, baseUrl = server.baseUrl): Client =>
  createClient({ baseUrl, endpointId: 39, login: 'merchant', controlKey, dispatcher })

beforeEach(async () => {
  server = await startServer(reply({ body: acceptedBody }))
})

afterEach(() => server.close())

describe('a RetryAgent that would resend', () => {
  const retrying = () =>
    new RetryAgent(new Agent(), { methods: ['POST'], statusCodes: [500], minTimeout: 1, maxTimeout: 1 })

  it('is stopped at its second start after a hang-up', async () => {
    server.behave(socket => socket.destroy())
    const dispatcher = retrying()
    const call = open(dispatcher).sale(saleRequest)
    await expect(call).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN', cause: { code: 'ERR_TRANSPORT' } })
    expect(server.arrived).toHaveLength(1)
    await dispatcher.destroy()
  })

  it('is stopped at its second start after a 500', async () => {
    server.behave(reply({ status: 500, body: '{"type":"error"}' }))
    const dispatcher = retrying()
    await expect(open(dispatcher).capture(captureRequest)).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' })
    expect(server.arrived).toHaveLength(1)
    await dispatcher.destroy()
  })
})

describe('a redirecting interceptor', () => {
  it('is stopped before it follows', async () => {
    server.behave(reply({ status: 307, headers: ['Location: /elsewhere'] }))
    const dispatcher = new Agent().compose(interceptors.redirect({ maxRedirections: 3 }))
    await expect(open(dispatcher).sale(saleRequest)).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' })
    expect(server.arrived).toHaveLength(1)
    await dispatcher.destroy()
  })
})

describe('a MockAgent', () => {
  const mocked = () => {
    const agent = new MockAgent()
    agent.disableNetConnect()
    const pool = agent.get('https://gate.example')
    return { agent, pool, client: open(agent, 'https://gate.example/paynet') }
  }

  it('answers', async () => {
    const { agent, pool, client } = mocked()
    pool
      .intercept({ path: '/paynet/api/v2/sale/39', method: 'POST' })
      .reply(200, acceptedBody, { headers: { 'Content-Type': type } })
    expect(await client.sale(saleRequest)).toMatchObject({ orderId: '77' })
    agent.assertNoPendingInterceptors()
  })

  it('without an answer leaves the request unsent and shows nothing of its body', async () => {
    const { pool, client } = mocked()
    pool.intercept({ path: '/paynet/api/v2/sale/39', method: 'POST', body: 'other' }).reply(200)
    const call = client.sale(saleRequest)
    await expect(call).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
    await expect(call).rejects.not.toThrow(saleRequest.creditCardNumber)
  })
})

describe('a ProxyAgent', () => {
  it('carries the request through', async () => {
    const seen: (string | undefined)[] = []
    const proxy = createServer((request, response) => {
      seen.push(request.url)
      request.resume().on('end', () => response.setHeader('content-type', type).end(acceptedBody))
    })
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as { readonly port: number }
    const dispatcher = new ProxyAgent({ uri: `http://127.0.0.1:${port}`, proxyTunnel: false })
    expect(await open(dispatcher, 'http://localhost:9/paynet').sale(saleRequest)).toMatchObject({ orderId: '77' })
    expect(seen).toEqual(['http://localhost:9/paynet/api/v2/sale/39'])
    await dispatcher.destroy()
    await new Promise(resolve => proxy.close(resolve))
  })

  it('that refuses the tunnel leaves the request unsent', async () => {
    const proxy = createServer().on('connect', (_request, socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as { readonly port: number }
    const dispatcher = new ProxyAgent({ uri: `http://127.0.0.1:${port}`, proxyTunnel: true })
    await expect(open(dispatcher).sale(saleRequest)).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
    expect(server.arrived).toHaveLength(0)
    await dispatcher.destroy()
    await new Promise(resolve => proxy.close(resolve))
  })
})

/** A dispatcher as undici 6 and before had them. */
function oldStyle(act: (handler: Required<Dispatcher.DispatchHandler>) => void): RequestDispatcher {
  return {
    dispatch(_options, handler) {
      act(handler as Required<Dispatcher.DispatchHandler>)
      return true
    },
  }
}

describe('a dispatcher that only knows old-style handlers', () => {
  const headers = [Buffer.from('Content-Type'), Buffer.from(type)]

  it('answers', async () => {
    const client = open(
      oldStyle(handler => {
        handler.onConnect(() => {})
        handler.onHeaders(200, headers, () => {}, 'OK')
        handler.onData(Buffer.from(acceptedBody))
        handler.onComplete([])
      }),
    )
    expect(await client.sale(saleRequest)).toMatchObject({ orderId: '77' })
  })

  it('that fails after the start leaves the outcome unknown, and is asked once', async () => {
    let starts = 0
    const client = open(
      oldStyle(handler => {
        starts += 1
        handler.onConnect(() => {})
        handler.onError(new Error('socket hang up'))
      }),
    )
    await expect(client.sale(saleRequest)).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' })
    expect(starts).toBe(1)
  })

  it.each([
    ['and says that it reports each start is asked once more', { reportsStart: true }, 'ERR_NOT_SENT', 2],
    ['leaves the outcome unknown, and is asked once', {}, 'ERR_OUTCOME_UNKNOWN', 1],
  ])('that fails without a start %s', async (_, own, code, expected) => {
    let tries = 0
    const failing = oldStyle(handler => {
      tries += 1
      handler.onError(new Error('no connection'))
    })
    await expect(open({ ...failing, ...own }).capture(captureRequest)).rejects.toMatchObject({ code })
    expect(tries).toBe(expected)
  })
})

describe('a dispatcher that throws', () => {
  it('and reports each start leaves the request unsent', async () => {
    const broken: RequestDispatcher = {
      reportsStart: true,
      dispatch() {
        throw new Error('pool is exhausted')
      },
    }
    const call = open(broken).sale(saleRequest)
    await expect(call).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
    await expect(call).rejects.toThrow('pool is exhausted')
  })
})

describe('a dispatcher that starts late', () => {
  it('is told to stop when the request was already given up as not sent', async () => {
    const late: Dispatcher.DispatchHandler[] = []
    await withHeldTime(async pass => {
      const client = open({
        reportsStart: true,
        dispatch(_options, handler) {
          late.push(handler)
          setImmediate(() => pass(60_000))
          return true
        },
      })
      await expect(client.sale(saleRequest, { timeout: 60_000 })).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
    })
    const reasons: (Error | undefined)[] = []
    const controller = { abort: (reason: Error) => reasons.push(reason) } as unknown as Dispatcher.DispatchController
    late[0]?.onRequestStart?.(controller, {})
    expect(reasons).toHaveLength(1)
    expect(late).toHaveLength(1)
  })
})
