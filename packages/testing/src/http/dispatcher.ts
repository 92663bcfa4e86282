import { Dispatcher, errors } from 'undici'
import { Exchange } from './dispatch-handler.js'
import { type Answer, type GatewayRequest, joinHeaders, readBody } from './message.js'

interface GatewayDispatcherOptions {
  readonly answer: Answer
  /** Largest request body, in bytes. */
  readonly maxBodyBytes: number
  /** Why a request fails before it starts, if it does. */
  readonly refuses: (request: GatewayRequest) => Error | undefined
  /** Sends what fell due while a request was answered. */
  readonly afterwards: () => void
  /** Origins that are the gateway's. */
  readonly origins: () => readonly string[]
}

/**
 * Carries requests to the gateway. It takes old-style and new-style handlers. A class because undici's own are: a dispatcher
 * must be one for `request`, `stream` and `compose` to work on it.
 */
export class GatewayDispatcher extends Dispatcher {
  readonly #options: GatewayDispatcherOptions

  constructor(options: GatewayDispatcherOptions) {
    super()
    this.#options = options
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    void carry(options, new Exchange(handler), this.#options)
    return true
  }

  /** Promises a client that each request is reported before the gateway sees it. */
  get reportsStart(): true {
    return true
  }

  /** There is nothing to close, so the gateway that a client closes stays usable. */
  override close(callback?: () => void): Promise<void> {
    callback?.()
    return Promise.resolve()
  }

  override destroy(first?: Error | null | (() => void), second?: () => void): Promise<void> {
    return this.close(typeof first === 'function' ? first : second)
  }
}

async function carry(
  options: Dispatcher.DispatchOptions,
  exchange: Exchange,
  { answer, maxBodyBytes, afterwards, origins, refuses }: GatewayDispatcherOptions,
): Promise<void> {
  try {
    await Promise.resolve()
    const request = await readRequest(options, { origins: origins(), maxBodyBytes })
    const refusal = refuses(request)
    if (refusal !== undefined) throw refusal
    if (!exchange.start()) return
    const answered = await answer(request)
    if (exchange.aborted) return
    if (answered.hangUp === true) {
      await answered.wait?.()
      throw new errors.SocketError('other side closed')
    }
    await exchange.respond(answered)
  } catch (error) {
    exchange.fail(error instanceof Error ? error : new Error(String(error)))
  } finally {
    afterwards()
  }
}

export function connectionRefused({ hostname, port, protocol }: URL): Error {
  const number = Number(port || (protocol === 'https:' ? 443 : 80))
  const message = `connect ECONNREFUSED ${hostname}:${number}`
  return Object.assign(new Error(message), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
    address: hostname,
    port: number,
  })
}

async function readRequest(
  { origin, path, method, headers, body, query }: Dispatcher.DispatchOptions,
  { origins, maxBodyBytes }: { readonly origins: readonly string[]; readonly maxBodyBytes: number },
): Promise<GatewayRequest> {
  const wanted = origin === undefined ? '' : new URL(origin).origin
  if (!origins.includes(wanted)) {
    throw new errors.InvalidArgumentError(
      `The fake gateway answers ${origins.join(' and ')} only. A request to ${wanted || 'no origin'} was refused and not sent: ` +
        'take the address from gateway.clientOptions.baseUrl.',
    )
  }
  const url = new URL(path, wanted)
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.append(name, String(value))
  return { method, url, headers: joinHeaders(headerPairs(headers)), body: await bytesOf(body, maxBodyBytes) }
}

function headerPairs(headers: Dispatcher.DispatchOptions['headers']): Iterable<readonly [string, unknown]> {
  if (headers === undefined || headers === null) return []
  if (Array.isArray(headers)) {
    return headers.flatMap((name, index) => (index % 2 === 0 ? [[String(name), headers[index + 1]] as const] : []))
  }
  if (Symbol.iterator in headers) return headers as Iterable<readonly [string, unknown]>
  return Object.entries(headers)
}

function bytesOf(body: unknown, limit: number): Uint8Array | Promise<Uint8Array> {
  if (body === undefined || body === null) return new Uint8Array()
  if (typeof body === 'string') return Buffer.from(body, 'utf8')
  if (body instanceof Uint8Array) return body
  if (typeof body === 'object' && (Symbol.asyncIterator in body || Symbol.iterator in body)) {
    return readBody(body as AsyncIterable<Uint8Array | string>, limit)
  }
  throw new errors.InvalidArgumentError('The fake gateway takes a body of text, bytes or a stream of them.')
}
