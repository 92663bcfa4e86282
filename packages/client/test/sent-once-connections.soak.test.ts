/** Connections that are refused, that fail in the handshake, or that the other side has just closed: who sends again? */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { createServer as createTcpServer, type Server } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { Agent } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { certificates } from './certificates.js'
import { type HostileServer, startHostileServer } from './hostile-server.js'
import { type LocalProxy, startForwarder, startTunnel } from './proxies.js'
import {
  acting,
  all,
  answering,
  dispatchersBy,
  open,
  type Phase,
  type Walker,
  walk,
  written,
  wrongOf,
} from './sent-once.js'

let server: HostileServer
let tunnel: LocalProxy
let forwarder: LocalProxy

beforeAll(async () => {
  ;[server, tunnel, forwarder] = await Promise.all([startHostileServer(), startTunnel(), startForwarder()])
  server.answerStatus(written('{"type":"validation-error"}', { status: 400 }))
})

afterAll(async () => {
  await Promise.all([server.close(), tunnel.close(), forwarder.close()])
})

const dispatchers = dispatchersBy(() => ({ tunnel, forwarder }))

/** With and without a connection of its own for each request. */
const ways: readonly (readonly [string, object])[] = [
  ['as it is', {}],
  ['with a connection for each request', { freshConnection: true }],
]

/** Every way through our own pool, and one through the dispatchers of others. */
const rows = Object.entries(dispatchers).flatMap(([through, make], at) =>
  ways.filter(([, own]) => at === 0 || !('freshConnection' in own)).map(([way, own]) => ({ through, way, make, own })),
)
type Row = (typeof rows)[number]

/** Runs with a client that gets there as a row says. */
async function using<Result>({ make, own }: Row, baseUrl: string, act: (walker: Walker) => Promise<Result>) {
  const dispatcher = make()
  const walker = open(baseUrl, { ...own, ...(dispatcher === undefined ? {} : { dispatcher }) })
  try {
    return await act(walker)
  } finally {
    await Promise.all([walker.client.close(), dispatcher?.destroy()])
  }
}

/** Gives a call up once a proxy has been used a few times: undici asks for one tunnel after the other. */
const untilTired: Phase = ({ stop }) => {
  let times = 0
  tunnel.onUse(() => {
    times += 1
    if (times > 3) stop()
  })
  return {}
}

const listen = (other: Server): Promise<number> =>
  new Promise(resolve =>
    other.listen(0, '127.0.0.1', () => resolve((other.address() as { readonly port: number }).port)),
  )

/** It was put together with `compose`, so what it does not report is not known. */
const interceptor = 'an interceptor that sends again'

describe('a connection that is refused', () => {
  it.each(rows)('lets no request arrive through $through, $way', async row => {
    const other = createTcpServer()
    const port = await listen(other)
    await new Promise(resolve => other.close(resolve))
    const walked = await using(row, `http://127.0.0.1:${port}/paynet`, walker => walk(untilTired, { server, walker }))
    // What a forwarding proxy could not send on has left this machine all the same; an interceptor may hide a start.
    const mayHaveStarted = ['a ProxyAgent that forwards', interceptor].includes(row.through)
    expect(walked).toEqual(
      mayHaveStarted ? all('ERR_OUTCOME_UNKNOWN', 'unknown', 0) : all('ERR_NOT_SENT', 'not-sent', 0),
    )
  })
})

describe('a TLS handshake that fails', () => {
  const others: Server[] = []
  afterAll(() => Promise.all(others.map(each => new Promise(resolve => each.close(resolve)))))

  /** A server of TLS in front of the one that counts. @returns Its address. */
  async function secured(options: TlsOptions = {}): Promise<string> {
    const { cert, key } = certificates.server
    const read = { cert: readFileSync(cert), key: readFileSync(key) }
    const other = createTlsServer({ ...read, ...options }, socket => server.adopt(socket))
    other.on('tlsClientError', () => {})
    others.push(other)
    return `https://127.0.0.1:${await listen(other)}/paynet`
  }

  /** An ordinary port of HTTP, as it answers what it does not understand. */
  async function plain(): Promise<string> {
    const other = createTcpServer(socket => {
      socket.on('error', () => {}).once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    })
    others.push(other)
    return `https://127.0.0.1:${await listen(other)}/paynet`
  }

  const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const
  const failing: readonly (readonly [string, () => Promise<string>])[] = [
    ['nobody vouches for the certificate', () => secured()],
    ['the other side speaks no TLS', plain],
    ['the version is too old', () => secured(old)],
  ]
  // A proxy that forwards is no party to TLS; and what a port does depends on nothing here but our own pool.
  const secure = rows.filter(
    ({ through, way }) =>
      through === 'the client’s own pool' || (way === 'as it is' && through !== 'a ProxyAgent that forwards'),
  )

  it.each(failing.flatMap(([why, start]) => secure.map(row => ({ ...row, why, start }))))(
    'for $why lets no request arrive through $through, $way',
    async row => {
      const walked = await using(row, await row.start(), walker => walk(untilTired, { server, walker }))
      const isUnknown = row.through === interceptor
      expect(walked).toEqual(isUnknown ? all('ERR_OUTCOME_UNKNOWN', 'unknown', 0) : all('ERR_NOT_SENT', 'not-sent', 0))
    },
  )

  it('for the other side wants a certificate of ours is never called unsent after the request started', async () => {
    const ca = readFileSync(certificates.ca, 'utf8')
    const address = await secured({ requestCert: true, rejectUnauthorized: true, ca })
    for (const [way, own] of ways) {
      const row = { through: 'an Agent', way, own, make: () => new Agent({ connect: { ca } }) }
      const walked = await using(row, address, walker => walk(untilTired, { server, walker }))
      expect(walked).toHaveLength(acting.length)
      expect(wrongOf(walked)).toEqual([])
    }
  })

  it('not at all lets every request arrive once', async () => {
    const ca = readFileSync(certificates.ca, 'utf8')
    const address = await secured()
    const row = { through: 'an Agent', way: '', own: {}, make: () => new Agent({ connect: { ca } }) }
    const walked = await using(row, address, walker => walk(answering, { server, walker }))
    expect(walked).toEqual(all('no error', 'accepted', 1))
  })
})

describe('an idle connection that the other side closes', () => {
  /** Has a connection opened and left idle. */
  const prepare = (walker: Walker) => async () => {
    server.interfere({})
    await walker.client.status({ clientOrderId: 'o-0' }).catch(() => {})
    // Until what came of it has been told everywhere.
    for (let turn = 0; turn < 3; turn += 1) await new Promise(resolve => setImmediate(resolve))
  }

  it.each(rows)('just before the call lets each request arrive at most once through $through, $way', async row => {
    const closing: Phase = call => {
      for (const socket of server.open()) socket.destroy()
      return answering(call)
    }
    const walked = await using(row, `http://127.0.0.1:${server.port}/paynet`, walker =>
      walk(closing, { server, walker, prepare: prepare(walker) }),
    )
    expect(walked).toHaveLength(acting.length)
    expect(walked.filter(({ arrived, code }) => arrived > 1 || (code === 'no error' && arrived !== 1))).toEqual([])
    expect(walked.filter(({ arrived, code }) => arrived > 0 && code === 'ERR_NOT_SENT')).toEqual([])
  })

  /** undici says so in the moment in which it writes a request. */
  const writing = 'undici:client:sendHeaders'

  it.each(rows)('in the moment of writing lets each request arrive at most once through $through, $way', async row => {
    let closed = 0
    const closing: Phase = call => {
      const idle = new Set(server.open())
      const onWrite = (message: unknown) => {
        const { request } = message as { readonly request: { readonly path: string } }
        if (request.path.includes('/status/')) return
        unsubscribe(writing, onWrite)
        const found = server.open().filter(socket => idle.has(socket))
        if (found.length > 0) closed += 1
        for (const socket of found) socket.resetAndDestroy()
      }
      subscribe(writing, onWrite)
      return answering(call)
    }
    const walked = await using(row, `http://127.0.0.1:${server.port}/paynet`, walker =>
      walk(closing, { server, walker, prepare: prepare(walker) }),
    )
    expect(walked).toHaveLength(acting.length)
    expect(walked.filter(({ arrived, code }) => arrived > 1 || (code === 'no error' && arrived !== 1))).toEqual([])
    expect(walked.filter(({ code }) => code === 'ERR_NOT_SENT')).toEqual([])
    // It did happen, except where the connection is the proxy’s or every request has its own.
    if (row.through !== 'the client’s own pool' || 'freshConnection' in row.own) return
    expect(closed).toBeGreaterThan(0)
    expect(walked).toEqual(all('ERR_OUTCOME_UNKNOWN', 'unknown', 0))
  })
})
