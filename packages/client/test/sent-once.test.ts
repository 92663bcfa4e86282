/** Every moment at which a connection can fail, for every operation that creates or changes: the server counts arrivals. */
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { type AnyOperation, operations } from '@tillkit/protocol'
import { Agent, type Dispatcher, ProxyAgent, RetryAgent } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, type ClientOptions, createClient, type Exchange } from '../src/index.js'
import { type HostileServer, type Interference, startHostileServer } from './hostile-server.js'
import { type LocalProxy, startForwarder, startTunnel } from './proxies.js'
import { controlKey } from './sample-requests.js'
import vectors from './vectors/requests.json' with { type: 'json' }

const privateKey = readFileSync(new URL('../../signing/test/vectors/rsa-test-key.pem', import.meta.url), 'utf8')

/** One request of each operation that creates or changes. */
const acting = Object.entries(operations as Readonly<Record<string, AnyOperation>>).flatMap(([name, row]) => {
  const vector = vectors.find(({ operation }) => operation === name)
  return row.effect === 'reads' || vector === undefined ? [] : [{ name, request: vector.request, reply: vector.reply }]
})

let server: HostileServer
let tunnel: LocalProxy
let forwarder: LocalProxy

beforeAll(async () => {
  ;[server, tunnel, forwarder] = await Promise.all([startHostileServer(), startTunnel(), startForwarder()])
})

afterAll(() => Promise.all([server.close(), tunnel.close(), forwarder.close()]))

const written = (body: string, { status = 200, length = body.length, headers = '' } = {}) =>
  `HTTP/1.1 ${status} Status\r\nContent-Type: application/vnd.pay+json\r\nContent-Length: ${length}\r\n${headers}\r\n${body}`

/** What happens, as far as one call goes: `stop` gives the call up, `reply` is what would have accepted it. */
type Phase = (call: { readonly reply: string; readonly stop: () => void }) => Interference

const both =
  (...acts: ((socket: Socket) => void)[]) =>
  (socket: Socket) => {
    for (const act of acts) act(socket)
  }

/** undici opens one tunnel after the other until the deadline while each breaks before the request has started. */
function fewTimes(act: (socket: Socket) => void, stop: () => void): (socket: Socket) => void {
  let times = 0
  return socket => {
    act(socket)
    times += 1
    if (times > 3) stop()
  }
}

const phases: Readonly<Record<string, Phase>> = {
  'hangs up when the connection is made': ({ stop }) => ({ onConnection: fewTimes(socket => socket.destroy(), stop) }),
  'resets the connection when it is made': ({ stop }) => ({
    onConnection: fewTimes(socket => socket.resetAndDestroy(), stop),
  }),
  'hangs up at the first byte': () => ({ onBegin: socket => socket.destroy() }),
  'resets the connection at the first byte': () => ({ onBegin: socket => socket.resetAndDestroy() }),
  'hangs up before the answer': () => ({ onWhole: socket => socket.destroy() }),
  'resets the connection before the answer': () => ({ onWhole: socket => socket.resetAndDestroy() }),
  'ends its side before the answer': () => ({ onWhole: socket => socket.end() }),
  'hangs up within the headers': () => ({ onWhole: socket => socket.end('HTTP/1.1 200 OK\r\nContent-Ty') }),
  'hangs up after the headers': ({ reply }) => ({
    onWhole: socket => socket.end(written('', { length: reply.length })),
  }),
  'hangs up within the body': ({ reply }) => ({
    onWhole: socket => socket.end(written(reply.slice(0, 9), { length: reply.length })),
  }),
  'stalls before the answer': ({ stop }) => ({ onWhole: stop }),
  'stalls within the headers': ({ stop }) => ({
    onWhole: both(socket => socket.write('HTTP/1.1 200 OK\r\n'), stop),
  }),
  'stalls within the body': ({ reply, stop }) => ({
    onWhole: both(socket => socket.write(written(reply.slice(0, 9), { length: reply.length })), stop),
  }),
  'answers after the call was given up': ({ reply, stop }) => ({
    onWhole: both(stop, socket => socket.write(written(reply))),
  }),
  'answers HTTP 500': () => ({ onWhole: socket => socket.write(written('{"type":"error"}', { status: 500 })) }),
  'answers HTTP 503, come back later': () => ({
    onWhole: socket => socket.write(written('', { status: 503, headers: 'Retry-After: 0\r\n' })),
  }),
  'answers HTTP 429, come back later': () => ({
    onWhole: socket => socket.write(written('', { status: 429, headers: 'Retry-After: 0\r\n' })),
  }),
  'answers HTTP 408 and hangs up': () => ({ onWhole: socket => socket.end(written('', { status: 408 })) }),
  'redirects with HTTP 307': () => ({
    onWhole: socket => socket.write(written('', { status: 307, headers: 'Location: /elsewhere\r\n' })),
  }),
}

/** Undici's agent that sends again whatever it is told to, POST included. */
const retrying = () =>
  new RetryAgent(new Agent(), {
    methods: ['POST'],
    statusCodes: [408, 429, 500, 503],
    minTimeout: 1,
    maxTimeout: 1,
    maxRetries: 3,
  })

/** Sends again whatever broke off, and says so: the plainest of all retrying interceptors. */
const resending = () =>
  new Agent().compose(dispatch => (options, handler) => {
    const again: Dispatcher.DispatchHandler = {
      onRequestStart: (...args) => handler.onRequestStart?.(...args),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: () => void dispatch(options, handler),
    }
    return dispatch(options, again)
  })

const dispatchers: Readonly<Record<string, () => Dispatcher | undefined>> = {
  'the client’s own pool': () => undefined,
  'an Agent': () => new Agent(),
  'a RetryAgent set to send POST again': retrying,
  'an interceptor that sends again': resending,
  'a ProxyAgent that tunnels': () => new ProxyAgent({ uri: tunnel.uri, proxyTunnel: true }),
  'a ProxyAgent that forwards': () => new ProxyAgent({ uri: forwarder.uri, proxyTunnel: false }),
}

type AnyMethod = (request: unknown, options?: { readonly signal: AbortSignal }) => Promise<unknown>

function open(dispatcher: Dispatcher | undefined, own: Partial<ClientOptions> = {}) {
  const seen: Exchange[] = []
  const client = createClient({
    baseUrl: `http://127.0.0.1:${server.port}/paynet`,
    endpointId: 39,
    login: 'merchant',
    controlKey,
    privateKey,
    observer: { exchange: exchange => seen.push(exchange) },
    ...(dispatcher === undefined ? {} : { dispatcher }),
    ...own,
  })
  return { client: client as Client & Readonly<Record<string, AnyMethod>>, seen }
}

/** Sends one request of each operation through a phase. @returns How each ended, and how often it arrived. */
async function walk(phase: Phase, { client, seen }: ReturnType<typeof open>) {
  const ended: { readonly name: string; readonly code: unknown; readonly ending: unknown; readonly arrived: number }[] =
    []
  for (const { name, request, reply } of acting) {
    const controller = new AbortController()
    server.interfere(phase({ reply, stop: () => controller.abort(new Error('given up')) }))
    const before = server.begun.length
    const code = await client[name]?.(request, { signal: controller.signal }).then(
      () => 'no error',
      (error: { readonly code?: unknown }) => error.code,
    )
    ended.push({ name, code, ending: seen.at(-1)?.ending, arrived: server.begun.length - before })
  }
  return ended
}

const all = (code: string, ending: string, arrived: number) =>
  acting.map(({ name }) => ({ name, code, ending, arrived }))

describe('the walk', () => {
  it('takes every operation that creates or changes', () => {
    expect(acting.map(({ name }) => name)).toEqual(
      Object.entries(operations).flatMap(([name, { effect }]) => (effect === 'reads' ? [] : [name])),
    )
    expect(acting).toHaveLength(25)
  })
})

describe.each(Object.entries(dispatchers))('through %s, a server that', (_, make) => {
  it.each(Object.entries(phases))('%s sees each request at most once', async (_name, phase) => {
    const dispatcher = make()
    const opened = open(dispatcher)
    const ended = await walk(phase, opened)
    await Promise.all([opened.client.close(), dispatcher?.destroy()])
    expect(ended.filter(({ arrived }) => arrived > 1)).toEqual([])
    // Nothing is refused or accepted here, and what may have arrived is never called not sent.
    expect(
      ended.filter(({ arrived, code }) => code !== 'ERR_OUTCOME_UNKNOWN' && (arrived > 0 || code !== 'ERR_NOT_SENT')),
    ).toEqual([])
  })

  it('answers is asked once and accepted', async () => {
    const dispatcher = make()
    const opened = open(dispatcher)
    const phase: Phase = ({ reply }) => ({ onWhole: socket => socket.write(written(reply)) })
    expect(await walk(phase, opened)).toEqual(all('no error', 'accepted', 1))
    await Promise.all([opened.client.close(), dispatcher?.destroy()])
  })
})

describe('the proxies', () => {
  it('carried what went through them', () => {
    expect([tunnel.used, forwarder.used].every(used => used > acting.length)).toBe(true)
  })
})
