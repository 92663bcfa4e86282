/** Servers that stand between a client and a gateway: a proxy, and an end of TLS. */
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'

export interface Tunnel {
  readonly port: number
  /** What came in, in order: targets of a proxy, names of client certificates. */
  readonly seen: readonly string[]
  close(): Promise<void>
}

/** A proxy that tunnels whatever it is asked to (CONNECT, RFC 9110 section 9.3.6), and wants a password. */
export async function startProxy(authorization: string): Promise<Tunnel> {
  const server = createHttpServer((_request, response) => response.writeHead(405).end())
  const seen: string[] = []
  server.on('connect', (request, socket: Socket) => {
    if (request.headers['proxy-authorization'] !== authorization) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n')
      return
    }
    seen.push(request.url ?? '')
    const { hostname, port } = new URL(`http://${request.url}`)
    const target = connect(Number.parseInt(port, 10), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      join(socket, target)
    })
  })
  return listen(server, seen)
}

/** Ends TLS in front of a server on this machine. */
export async function startTls(
  target: number,
  { cert, key, ca }: { readonly cert: string; readonly key: string; readonly ca?: string },
): Promise<Tunnel> {
  const seen: string[] = []
  const own: TlsOptions = { cert: readFileSync(cert), key: readFileSync(key) }
  const mutual: TlsOptions =
    ca === undefined ? {} : { ca: readFileSync(ca), requestCert: true, rejectUnauthorized: true }
  const server = createTlsServer({ ...own, ...mutual }, socket => {
    seen.push(String(socket.getPeerCertificate()?.subject?.CN ?? ''))
    join(socket, connect(target, '127.0.0.1'))
  })
  server.on('tlsClientError', () => {})
  return listen(server, seen)
}

/** Passes bytes on as they are; sees the connections. */
export async function startForwarder(target: number): Promise<Tunnel> {
  const seen: string[] = []
  const server = createServer(socket => {
    seen.push('a connection')
    join(socket, connect(target, '127.0.0.1'))
  })
  return listen(server, seen)
}

function join(a: Socket, b: Socket): void {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    from.on('error', () => to.destroy()).on('close', () => to.destroy())
    from.pipe(to)
  }
}

async function listen(server: Server, seen: readonly string[]): Promise<Tunnel> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
