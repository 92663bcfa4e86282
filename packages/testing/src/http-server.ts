/**
 * The gateway as an HTTP server on this machine.
 *
 * @module
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Answer, GatewayAnswer, GatewayRequest } from './gateway-message.js'

/** What a server works with. */
export interface GatewayServerOptions {
  readonly answer: Answer
  /** Sends what fell due while a request was answered. */
  readonly afterwards: () => void
  /** Largest request body, in bytes. */
  readonly maxBodyBytes: number
}

/** A server that listens. */
export interface GatewayServer {
  readonly origin: string
  readonly port: number
  /** Stops listening and ends every connection. */
  close(): Promise<void>
}

/**
 * Starts a server.
 *
 * @throws An error that says EADDRINUSE when the port is taken.
 */
export async function startServer(
  options: GatewayServerOptions,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<GatewayServer> {
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5_000 })
  server.maxRequestsPerSocket = 1_000
  server.on('request', (request, response) => void serve({ ...options, incoming: request, response }))
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    else socket.destroy()
  })
  await listen(server, { host, port })
  const { port: bound } = server.address() as AddressInfo
  return { origin: `http://${host}:${bound}`, port: bound, close: () => close(server) }
}

function listen(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', cause => {
      const taken = 'code' in cause && cause.code === 'EADDRINUSE'
      const advice = taken ? ' The port is taken (EADDRINUSE): choose another, or 0 for any free one.' : ''
      const code = 'code' in cause ? { code: cause.code } : {}
      reject(Object.assign(new Error(`Cannot listen on ${host}:${port}.${advice}`, { cause }), code))
    })
    server.listen(port, host, resolve)
  })
}

function close(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

interface Serving extends GatewayServerOptions {
  readonly incoming: IncomingMessage
  readonly response: ServerResponse
}

async function serve({ incoming, response, answer, afterwards, maxBodyBytes }: Serving): Promise<void> {
  response.on('error', () => undefined)
  try {
    const body = await readBody(incoming, maxBodyBytes)
    const url = addressOf(incoming)
    if (body === undefined) return
    if (url === undefined) return void response.writeHead(400, { connection: 'close' }).end()
    if (body.byteLength > maxBodyBytes) response.setHeader('connection', 'close')
    write(response, await answer(readRequest(incoming, { url, body })))
  } catch {
    incoming.socket.destroy()
  } finally {
    afterwards()
  }
}

function readRequest(incoming: IncomingMessage, { url, body }: Pick<GatewayRequest, 'url' | 'body'>): GatewayRequest {
  const headers = Object.entries(incoming.headersDistinct).map(([name, values]) => [name, values?.join(', ')])
  return { method: incoming.method ?? '', url, headers: Object.fromEntries(headers), body }
}

/** The address as the sender saw it, by its `Host` header: an altered host must not verify. */
function addressOf({ url = '/', headers }: IncomingMessage): URL | undefined {
  const address = `http://${headers.host ?? ''}${url}`
  return url.startsWith('/') && URL.canParse(address) ? new URL(address) : undefined
}

/** @returns At most one byte more than `limit`; undefined when the sender went away. */
async function readBody(incoming: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size > limit) break
    }
  } catch {
    return undefined
  }
  return Buffer.concat(chunks).subarray(0, limit + 1)
}

function write(response: ServerResponse, answer: GatewayAnswer): void {
  if (answer.hangUp === true) {
    response.socket?.destroy()
    return
  }
  const length = String(Buffer.byteLength(answer.body, 'utf8'))
  response.writeHead(answer.status, { ...answer.headers, 'content-length': length }).end(answer.body)
}
