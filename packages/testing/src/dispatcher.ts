/**
 * The gateway as an undici dispatcher: no sockets, and no way to the network.
 *
 * @module
 */
import { Dispatcher, errors } from 'undici'
import type { Answer, GatewayRequest, WrittenAnswer } from './gateway-message.js'

/** What a dispatcher works with. */
export interface GatewayDispatcherOptions {
  readonly answer: Answer
  /** Whether the connection for a request is refused. */
  readonly refuses: (path: string) => boolean
  /** Sends what fell due while a request was answered. */
  readonly afterwards: () => void
  /** Origins that are the gateway's. */
  readonly origins: () => readonly string[]
}

/** Makes a dispatcher that carries requests to the gateway. It takes old-style and new-style handlers. */
export function createDispatcher(options: GatewayDispatcherOptions): Dispatcher {
  return new GatewayDispatcher(options)
}

/** A class because undici's own are: a dispatcher must be one for `request`, `stream` and `compose` to work on it. */
class GatewayDispatcher extends Dispatcher {
  readonly #options: GatewayDispatcherOptions

  constructor(options: GatewayDispatcherOptions) {
    super()
    this.#options = options
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    void exchange({ ...this.#options, options, handler: handlerOf(handler) })
    return true
  }

  /** There is nothing to close, so the gateway that a client closes stays usable. */
  override close(callback?: () => void): Promise<void> {
    callback?.()
    return Promise.resolve()
  }

  override destroy(first?: Error | null | (() => void), second?: () => void): Promise<void> {
    const callback = typeof first === 'function' ? first : second
    callback?.()
    return Promise.resolve()
  }
}

interface Exchange extends GatewayDispatcherOptions {
  readonly options: Dispatcher.DispatchOptions
  readonly handler: Handler
}

async function exchange({ options, handler, answer, afterwards, origins, refuses }: Exchange): Promise<void> {
  try {
    await Promise.resolve()
    const request = await readRequest(options, origins())
    if (refuses(request.url.pathname)) throw connectionRefused(request.url)
    if (!handler.start()) return
    const answered = await answer(request)
    if (handler.aborted()) return
    if (answered.hangUp === true) {
      await answered.wait?.()
      throw new errors.SocketError('other side closed')
    }
    await handler.respond(answered)
  } catch (error) {
    handler.fail(error instanceof Error ? error : new Error(String(error)))
  } finally {
    afterwards()
  }
}

/** What a connection to a closed port fails with. */
function connectionRefused({ hostname, port, protocol }: URL): Error {
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
  origins: readonly string[],
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
  return { method, url, headers: readHeaders(headers), body: await readBody(body) }
}

function readHeaders(headers: Dispatcher.DispatchOptions['headers']): GatewayRequest['headers'] {
  const joined = new Map<string, string>()
  for (const [name, value] of headerPairs(headers)) {
    if (value === undefined || value === null) continue
    const text = Array.isArray(value) ? value.join(', ') : String(value)
    const before = joined.get(name.toLowerCase())
    joined.set(name.toLowerCase(), before === undefined ? text : `${before}, ${text}`)
  }
  return Object.fromEntries(joined)
}

function headerPairs(headers: Dispatcher.DispatchOptions['headers']): Iterable<readonly [string, unknown]> {
  if (headers === undefined || headers === null) return []
  if (Array.isArray(headers)) {
    return headers.flatMap((name, index) => (index % 2 === 0 ? [[String(name), headers[index + 1]] as const] : []))
  }
  if (Symbol.iterator in headers) return headers as Iterable<readonly [string, unknown]>
  return Object.entries(headers)
}

async function readBody(body: unknown): Promise<Uint8Array> {
  if (body === undefined || body === null) return new Uint8Array()
  if (typeof body === 'string') return Buffer.from(body, 'utf8')
  if (body instanceof Uint8Array) return body
  if (typeof body === 'object' && (Symbol.asyncIterator in body || Symbol.iterator in body)) {
    const chunks: Uint8Array[] = []
    for await (const chunk of body as AsyncIterable<Uint8Array | string>) {
      chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk)
    }
    return Buffer.concat(chunks)
  }
  throw new errors.InvalidArgumentError('The fake gateway takes a body of text, bytes or a stream of them.')
}

/** One handler of undici, whichever of its two styles it is written in. */
interface Handler {
  /** @returns Whether the request may go on. */
  start(): boolean
  aborted(): boolean
  respond(answer: WrittenAnswer): Promise<void>
  fail(error: Error): void
}

function handlerOf(handler: Dispatcher.DispatchHandler): Handler {
  let failure: Error | undefined
  let ended = false
  let paused = false
  let wake = (): void => undefined
  const fail = (error: Error): void => {
    if (ended) return
    ended = true
    if (handler.onRequestStart === undefined) handler.onError?.(error)
    else handler.onResponseError?.(controller, error)
  }
  const abort = (reason?: Error | null): void => {
    failure = reason ?? new errors.RequestAbortedError()
    fail(failure)
    wake()
  }
  const resume = (): void => {
    paused = false
    wake()
  }
  const controller: Dispatcher.DispatchController = {
    get aborted() {
      return failure !== undefined
    },
    get paused() {
      return paused
    },
    get reason() {
      return failure ?? null
    },
    abort,
    pause: () => {
      paused = true
    },
    resume,
  }
  const flowing = async (): Promise<boolean> => {
    while (paused && failure === undefined) {
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
    return failure === undefined
  }
  const write = handler.onRequestStart === undefined ? oldStyle(handler, controller) : newStyle(handler, controller)
  return {
    start() {
      write.start()
      return failure === undefined
    },
    aborted: () => failure !== undefined,
    async respond(answer) {
      write.head(answer)
      if (!(await flowing())) return
      const bytes = Buffer.from(answer.body, 'utf8')
      const { cut = false, wait } = answer
      const half = cut || wait !== undefined ? Math.ceil(bytes.byteLength / 2) : bytes.byteLength
      write.body(bytes.subarray(0, half))
      await wait?.()
      // As undici says of a socket that ends before the announced length is there.
      if (cut) throw new errors.ResponseContentLengthMismatchError()
      if (!(await flowing())) return
      if (half < bytes.byteLength) write.body(bytes.subarray(half))
      if (!(await flowing())) return
      ended = true
      write.end()
    },
    fail,
  }
}

interface Writer {
  start(): void
  head(answer: WrittenAnswer): void
  body(bytes: Buffer): void
  end(): void
}

function newStyle(handler: Dispatcher.DispatchHandler, controller: Dispatcher.DispatchController): Writer {
  return {
    start: () => handler.onRequestStart?.(controller, {}),
    head: ({ status, headers }) => handler.onResponseStart?.(controller, status, { ...headers }, statusText(status)),
    body: bytes => handler.onResponseData?.(controller, bytes),
    end: () => handler.onResponseEnd?.(controller, {}),
  }
}

function oldStyle(handler: Dispatcher.DispatchHandler, controller: Dispatcher.DispatchController): Writer {
  const pauseOn = (goOn: boolean | undefined): void => {
    if (goOn === false) controller.pause()
  }
  return {
    start: () => handler.onConnect?.(reason => controller.abort(reason ?? new errors.RequestAbortedError())),
    head({ status, headers }) {
      const raw = Object.entries(headers).flatMap(pair => pair.map(text => Buffer.from(text, 'latin1')))
      pauseOn(handler.onHeaders?.(status, raw, () => controller.resume(), statusText(status)))
    },
    body: bytes => pauseOn(handler.onData?.(bytes)),
    end: () => handler.onComplete?.([]),
  }
}

const statusText = (status: number): string => (status === 200 ? 'OK' : '')
