import { Pool } from 'undici'
import type { RequestDispatcher } from '../config/options.js'
import { RequestTry } from './request-try.js'
import type { Connections, Transmission, TransmitInput } from './types.js'

/**
 * Options of undici's `Pool`, `Agent` and `ProxyAgent`: those of the client's own connections, for a dispatcher of yours.
 *
 * One request at a time on a connection, HTTP/1.1, and idle connections dropped after four seconds: the fewer requests
 * meet a connection that the other side has just closed, the fewer outcomes are unknown. undici's own limits of time for an
 * answer are off, for each call has its `timeout`. Other requests through such a dispatcher wait without end, unless they
 * have a limit of their own. Times are in milliseconds.
 */
export const connectionOptions = {
  pipelining: 1,
  allowH2: false,
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 10_000,
  headersTimeout: 0,
  bodyTimeout: 0,
  connect: { timeout: 10_000 },
} as const

/** A pool of the client's own. @param origin Scheme, host and port: a client has one. */
export function ownPool(origin: string): Connections {
  const pool = new Pool(origin, connectionOptions)
  // Bun puts classes of its own in the place of undici's.
  if (typeof pool.dispatch !== 'function') {
    throw new TypeError(
      'createClient: the Pool of undici has no "dispatch" here, so nothing can be sent. ' +
        'Bun replaces the package undici by its own. ' +
        'Pass dispatcher: new Agent(connectionOptions) with the Agent of "undici/index.js", or use Node.js.',
    )
  }
  let isClosed = false
  return {
    dispatcher: pool,
    isOwn: true,
    reportsStart: true,
    async afresh(use) {
      const fresh = new Pool(origin, connectionOptions)
      try {
        return await use(fresh)
      } finally {
        // By now the request has been concluded. A failure to tidy up must not pass for one of the request.
        await fresh.destroy().catch(() => {})
      }
    },
    isClosed: () => isClosed,
    async close() {
      if (isClosed) return
      isClosed = true
      await pool.close()
    },
  }
}

/** A dispatcher of the caller's, who also closes it. */
export function callersDispatcher(dispatcher: RequestDispatcher): Connections {
  let isClosed = false
  return {
    dispatcher,
    isOwn: false,
    reportsStart: reportsStart(dispatcher),
    afresh: use => use(dispatcher),
    isClosed: () => isClosed,
    async close() {
      isClosed = true
    },
  }
}

/** Classes of undici whose dispatchers report each start. `SnapshotAgent` and those written by others are not among them. */
const reporting = new Set([
  'Agent',
  'BalancedPool',
  'Client',
  'EnvHttpProxyAgent',
  'MockAgent',
  'Pool',
  'ProxyAgent',
  'RetryAgent',
  'RoundRobinPool',
])

/** What those are derived from. */
const bases = new Set(['PoolBase', 'DispatcherBase'])

/**
 * Whether a dispatcher reports the start of each request before its first byte: it says so itself, or it is one of undici's, of
 * any installed copy, as undici made it. One that was put together with `compose`, or derived from undici's, may hide a start.
 */
export function reportsStart(dispatcher: RequestDispatcher): boolean {
  const chain = prototypesOf(dispatcher)
  // `reportsStart` counts only for the `dispatch` on the same object, and not for one that wraps it.
  const holder = [dispatcher, ...chain].find(each => Object.hasOwn(each, 'dispatch'))
  const isWrapped = holder === undefined || Reflect.get(holder, 'dispatch') !== dispatcher.dispatch
  if (isWrapped) return false
  if (Object.hasOwn(holder, 'reportsStart')) return Reflect.get(holder, 'reportsStart') === true
  const [own = '', ...others] = chain.map(each => each.constructor.name)
  const top = others.indexOf('Dispatcher')
  return reporting.has(own) && others[top + 1] === 'EventEmitter' && others.slice(0, top).every(name => bases.has(name))
}

function prototypesOf(given: object): readonly object[] {
  const prototype: object | null = Object.getPrototypeOf(given)
  return prototype === null ? [] : [prototype, ...prototypesOf(prototype)]
}

/** What is sent. `freshConnection`: whether it gets a connection of its own from the start. */
type SendInput = TransmitInput & { readonly freshConnection: boolean }

/** Sends a request: once, and a second time only what the dispatcher never started; nothing once the client is closed. */
export async function send(input: SendInput): Promise<Transmission> {
  const { connections, deadline, freshConnection } = input
  if (connections.isClosed()) return { kind: 'closed' }
  const first = await (freshConnection ? sendAfresh(input) : transmit(input, connections.dispatcher))
  const neverStarted = first.kind === 'failed' && first.phase === 'waiting'
  return neverStarted && deadline.mayStart() && !connections.isClosed() ? sendAfresh(input) : first
}

/** Sends a request on a connection that no request has used, where that is ours to decide. */
function sendAfresh(input: SendInput): Promise<Transmission> {
  const { connections, freshConnection } = input
  return connections.afresh(dispatcher => transmit(input, dispatcher, freshConnection && !connections.isOwn))
}

/** Sends a request once. Never rejects. The phase comes from the dispatcher's own reports, never from error codes. */
function transmit(input: TransmitInput, dispatcher: RequestDispatcher, reset = false): Promise<Transmission> {
  return new Promise(resolve => new RequestTry(input, resolve).start(dispatcher, reset))
}
