/**
 * A server that answers as a test tells it, byte by byte, and counts the requests that arrived.
 *
 * It speaks on a bare socket, because a server of `node:http` refuses to hang up in the middle or lie about lengths.
 */
import { createServer, type Socket } from 'node:net'

/** What a test does with the socket once a whole request has arrived. */
export type Behaviour = (socket: Socket, request: ArrivedRequest) => void

export interface ArrivedRequest {
  readonly head: string
  readonly body: string
}

export interface GatewayServer {
  readonly baseUrl: string
  readonly arrived: readonly ArrivedRequest[]
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

/** Starts a server on a free loopback port. */
export async function startServer(first: Behaviour): Promise<GatewayServer> {
  let behaviour = first
  const arrived: ArrivedRequest[] = []
  const open = new Set<Socket>()
  const server = createServer(socket => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
    let received = ''
    socket.on('data', chunk => {
      received += chunk.toString('latin1')
      const [head = '', body] = received.split(/\r\n\r\n(.*)/s)
      const length = Number.parseInt(/content-length: (\d+)/i.exec(head)?.[1] ?? '0', 10)
      if (body === undefined || body.length < length) return
      received = ''
      const request = { head, body }
      arrived.push(request)
      behaviour(socket, request)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    baseUrl: `http://127.0.0.1:${port}/paynet`,
    arrived,
    behave: next => {
      behaviour = next
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}

/** An answer of the gateway. */
export interface WrittenReply {
  readonly status?: number
  readonly type?: string | null
  readonly headers?: readonly string[]
  readonly body?: string
  /** Of the body. Default: `utf8`. */
  readonly encoding?: BufferEncoding
  /** What Content-Length says. Default: the truth. */
  readonly length?: number
}

/** Writes an answer of the gateway and leaves the connection open. */
export function reply({
  status = 200,
  type = 'application/vnd.pay+json',
  headers = [],
  body = '',
  encoding = 'utf8',
  length = Buffer.byteLength(body, encoding),
}: WrittenReply): Behaviour {
  const lines = [
    `HTTP/1.1 ${status} Status`,
    ...(type === null ? [] : [`Content-Type: ${type}`]),
    `Content-Length: ${length}`,
    ...headers,
  ]
  return socket => socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`, encoding)
}
