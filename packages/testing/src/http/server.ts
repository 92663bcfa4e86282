import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers'
import type { ListeningHost } from './addresses.js'
import { piecesOf } from './dispatch-handler.js'
import { type Answer, type GatewayAnswer, type GatewayRequest, joinHeaders, readBody } from './message.js'

export interface GatewayServerOptions {
  readonly answer: Answer
  /** Sends what fell due while a request was answered. */
  readonly afterwards: () => void
  /** Largest request body, in bytes. */
  readonly maxBodyBytes: number
  /** Longest a client may take to send a request, in milliseconds. */
  readonly requestTimeout: number
}

export type GatewayServer = Awaited<ReturnType<typeof startServer>>

/** @throws An error that says EADDRINUSE when the port is taken. */
export async function startServer(
  options: GatewayServerOptions,
  { listening, port }: { readonly listening: ListeningHost; readonly port: number },
) {
  const { requestTimeout } = options
  const { host, exposed } = listening
  const server = createServer({
    headersTimeout: Math.min(10_000, requestTimeout),
    requestTimeout,
    keepAliveTimeout: 5_000,
    // How often slow senders are looked for.
    connectionsCheckingInterval: Math.min(1_000, requestTimeout),
  })
  server.maxRequestsPerSocket = 1_000
  server.on('request', (...pair) => void serve(options, () => server.listening, ...pair))
  server.on('clientError', refuseHttp)
  await listen(server, { host, port })
  const { port: bound } = server.address() as AddressInfo
  let closed = false
  return {
    origin: listening.origin(bound),
    port: bound,
    /** Whether other machines reach it. */
    exposed,
    /** Whether new connections are taken. */
    isOpen: () => server.listening,
    /**
     * Closes the port until `accept`: new connections are refused. Requests that came before are answered, the one that
     * asked for this among them, and then their connections are closed.
     */
    refuse(): void {
      server.close()
      server.closeIdleConnections()
    },
    /** Listens again on the same port. */
    async accept(): Promise<void> {
      if (!closed && !server.listening) await listen(server, { host, port: bound })
    },
    /** Stops listening and ends every connection. */
    close(): Promise<void> {
      closed = true
      return new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

interface GatewayServersOptions extends GatewayServerOptions {
  /** Answers on a port of its own, which no fault closes. Absent where there is nothing to answer. */
  readonly controlAnswer: Answer | undefined
}

/** The server of the gateway, and beside it the one of its control, which stays open while a fault closes the first. */
export interface GatewayServers extends GatewayServer {
  readonly controlOrigin: string | undefined
}

/**
 * Starts both. The control takes the port after the gateway's, or any free one.
 *
 * @throws An error that says EADDRINUSE when the gateway's port is taken.
 */
export async function startServers(
  { controlAnswer, ...options }: GatewayServersOptions,
  { listening, port }: { readonly listening: ListeningHost; readonly port: number },
): Promise<GatewayServers> {
  const gateway = await startServer(options, { listening, port })
  if (controlAnswer === undefined) return { ...gateway, controlOrigin: undefined }
  const start = (port: number) => startServer({ ...options, answer: controlAnswer }, { listening, port })
  const control = await (port === 0 || port === 65_535 ? start(0) : start(port + 1).catch(() => start(0)))
  return {
    ...gateway,
    controlOrigin: listening.controlOrigin(control.port, gateway.port),
    close: async () => void (await Promise.all([gateway.close(), control.close()])),
  }
}

function listen(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (cause: Error): void => {
      const taken = 'code' in cause && cause.code === 'EADDRINUSE'
      const advice = taken ? ' The port is taken (EADDRINUSE): choose another, or 0 for any free one.' : ''
      const code = 'code' in cause ? { code: cause.code } : {}
      reject(Object.assign(new Error(`Cannot listen on ${host}:${port}.${advice}`, { cause }), code))
    }
    server.once('error', failed)
    server.listen(port, host, () => {
      server.off('error', failed)
      resolve()
    })
  })
}

/**
 * Ends a connection on which no request can be read. A browser opens connections ahead of need. One on which nothing came is closed
 * without a word. The browser may be asking for a page on it at this moment: it would take a word for the answer, and show nothing. So it
 * asks again on another one.
 *
 * @see RFC 9110, section 15.5.9; RFC 9112, section 9.3.1
 */
function refuseHttp({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  const nothingCame = socket instanceof Socket && socket.bytesRead === 0
  if (!socket.writable || nothingCame) return void socket.destroy()
  const answer = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request'
  socket.end(`HTTP/1.1 ${answer}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** @param isOpen Whether new connections are taken. */
async function serve(
  { answer, afterwards, maxBodyBytes }: GatewayServerOptions,
  isOpen: () => boolean,
  ...[incoming, response]: readonly [IncomingMessage, ServerResponse]
): Promise<void> {
  response.on('error', () => undefined)
  try {
    const body = await readBody(incoming.iterator({ destroyOnReturn: false }), maxBodyBytes)
    await new Promise<void>(resolve => atEndOfTurn(resolve))
    const headers = joinHeaders(Object.entries(incoming.headersDistinct))
    const url = addressOf(incoming, headers)
    if (url === undefined) return void response.writeHead(400, { connection: 'close' }).end()
    if (body.byteLength > maxBodyBytes) response.setHeader('connection', 'close')
    const answered = await answer({ method: incoming.method ?? '', url, headers, body })
    if (!isOpen()) response.setHeader('connection', 'close')
    await write(response, answered)
  } catch {
    incoming.socket.destroy()
  } finally {
    afterwards()
  }
}

/** The address as the sender saw it, by its `Host` header: an altered host must not verify. */
function addressOf({ url = '/' }: IncomingMessage, { host = '' }: GatewayRequest['headers']): URL | undefined {
  // Joined first: a path that begins with two slashes is no host.
  const address = `http://${host}${url}`
  return url.startsWith('/') && URL.canParse(address) ? new URL(address) : undefined
}

async function write(response: ServerResponse, answer: GatewayAnswer): Promise<void> {
  if (answer.hangUp === true) {
    await answer.wait?.()
    response.socket?.destroy()
    return
  }
  const { status, headers, body, cut, wait } = answer
  response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body, 'utf8')) })
  if (cut !== true && wait === undefined) return void response.end(body)
  response.flushHeaders()
  for await (const piece of piecesOf(answer)) {
    await new Promise<void>(resolve => response.write(piece, () => resolve()))
  }
  response.end()
}

/** Taken when this was loaded: a test may replace timers later and never run them. */
const atEndOfTurn = setImmediate
