/** Walks every operation that creates or changes through whatever may happen to its connection, and counts arrivals. */

import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { type AnyOperation, operations } from '@tillkit/protocol'
import { Agent, type Dispatcher, ProxyAgent, RetryAgent } from 'undici'
import { type Client, type ClientOptions, createClient, type Exchange } from '../src/index.js'
import type { HostileServer, Interference } from './hostile-server.js'
import type { LocalProxy } from './proxies.js'
import { controlKey } from './sample-requests.js'
import vectors from './vectors/requests.json' with { type: 'json' }

const privateKey = readFileSync(new URL('../../signing/test/vectors/rsa-test-key.pem', import.meta.url), 'utf8')

/** One request of each operation that creates or changes. */
export const acting = Object.entries(operations as Readonly<Record<string, AnyOperation>>).flatMap(([name, row]) => {
  const vector = vectors.find(({ operation }) => operation === name)
  return row.effect === 'reads' || vector === undefined ? [] : [{ name, request: vector.request, reply: vector.reply }]
})

export const written = (body: string, { status = 200, length = body.length, headers = '' } = {}) =>
  `HTTP/1.1 ${status} Status\r\nContent-Type: application/vnd.pay+json\r\nContent-Length: ${length}\r\n${headers}\r\n${body}`

/** What happens, as far as one call goes: `stop` gives the call up, `reply` is what would have accepted it. */
export type Phase = (call: { readonly reply: string; readonly stop: () => void }) => Interference

/** Every request is answered as it should be. */
export const answering: Phase = ({ reply }) => ({ onWhole: socket => socket.write(written(reply)) })

export const both =
  (...acts: ((socket: Socket) => void)[]) =>
  (socket: Socket) => {
    for (const act of acts) act(socket)
  }

/** undici opens one tunnel after the other until the deadline while each breaks before the request has started. */
export function fewTimes(act: (socket: Socket) => void, stop: () => void): (socket: Socket) => void {
  let times = 0
  return socket => {
    act(socket)
    times += 1
    if (times > 3) stop()
  }
}

/** Undici's agent that sends again whatever it is told to, POST included. */
const retrying = (options: Agent.Options) =>
  new RetryAgent(new Agent(options), {
    methods: ['POST'],
    statusCodes: [408, 429, 500, 503],
    minTimeout: 1,
    maxTimeout: 1,
    maxRetries: 3,
  })

/** Sends again whatever broke off, and says so: the plainest of all retrying interceptors. */
const resending = (options: Agent.Options) =>
  new Agent(options).compose(dispatch => (options, handler) => {
    const again: Dispatcher.DispatchHandler = {
      onRequestStart: (...args) => handler.onRequestStart?.(...args),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: () => void dispatch(options, handler),
    }
    return dispatch(options, again)
  })

/** How a client gets to the server. Each makes a dispatcher anew; none is the client’s own pool. */
export const dispatchersBy = (
  proxies: () => { readonly tunnel: LocalProxy; readonly forwarder: LocalProxy },
  { ca }: { readonly ca?: string } = {},
): Readonly<Record<string, () => Dispatcher | undefined>> => {
  const tls = ca === undefined ? {} : { connect: { ca }, requestTls: { ca } }
  return {
    'the client’s own pool': () => undefined,
    'an Agent': () => new Agent(tls),
    'a RetryAgent set to send POST again': () => retrying(tls),
    'an interceptor that sends again': () => resending(tls),
    'a ProxyAgent that tunnels': () => new ProxyAgent({ ...tls, uri: proxies().tunnel.uri, proxyTunnel: true }),
    'a ProxyAgent that forwards': () => new ProxyAgent({ ...tls, uri: proxies().forwarder.uri, proxyTunnel: false }),
  }
}

type AnyMethod = (request: unknown, options?: { readonly signal: AbortSignal }) => Promise<unknown>

/** What a walk is made with. */
export interface Walker {
  readonly client: Client & Readonly<Record<string, AnyMethod>>
  readonly seen: Exchange[]
}

export function open(baseUrl: string, own: Partial<ClientOptions> = {}): Walker {
  const seen: Exchange[] = []
  const client = createClient({
    baseUrl,
    endpointId: 39,
    login: 'merchant',
    controlKey,
    privateKey,
    observer: { exchange: exchange => exchange.operation !== 'status' && seen.push(exchange) },
    ...own,
  })
  return { client: client as Walker['client'], seen }
}

/** How one call ended, and how often its request arrived. */
export interface Walked {
  readonly name: string
  readonly code: unknown
  /** The events that the observer was told of. */
  readonly ending: unknown
  readonly arrived: number
}

/** Sends one request of each operation through a phase. */
export async function walk(
  phase: Phase,
  {
    server,
    walker,
    prepare,
  }: { readonly server: HostileServer; readonly walker: Walker; readonly prepare?: () => Promise<void> },
): Promise<readonly Walked[]> {
  const { client, seen } = walker
  const ended: Walked[] = []
  for (const { name, request, reply } of acting) {
    const controller = new AbortController()
    await prepare?.()
    server.interfere(phase({ reply, stop: () => controller.abort(new Error('given up')) }))
    const [before, seenBefore] = [server.begun.length, seen.length]
    const code = await client[name]?.(request, { signal: controller.signal }).then(
      () => 'no error',
      (error: { readonly code?: unknown }) => error.code,
    )
    // The observer hears of no request that was given up before it began.
    const ending = seen.length > seenBefore ? seen.at(-1)?.ending : 'not-sent'
    const arrived = server.begun.slice(before).filter(path => !isStatus(path)).length
    ended.push({ name, code, ending, arrived })
  }
  return ended
}

/** Whether a request is a question, which may be repeated freely. */
export const isStatus = (path: string): boolean => /\/status\//.test(path)

/** What no call may come to: a second arrival, or one that is called not sent, refused or accepted. */
export const wrongOf = (walked: readonly Walked[]): readonly Walked[] =>
  walked.filter(
    ({ arrived, code, ending }) =>
      arrived > 1 ||
      !(
        (code === 'ERR_OUTCOME_UNKNOWN' && ending === 'unknown') ||
        (code === 'ERR_NOT_SENT' && ending === 'not-sent' && arrived === 0)
      ),
  )

export const all = (code: string, ending: string, arrived: number): readonly Walked[] =>
  acting.map(({ name }) => ({ name, code, ending, arrived }))
