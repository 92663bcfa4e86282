/** Two proxies on this machine: one that tunnels (CONNECT), one that forwards. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'

export interface LocalProxy {
  readonly uri: string
  /** How many requests or tunnels came through. */
  readonly used: number
  /** Is told of each request or tunnel from now on. */
  onUse(listener: () => void): void
  close(): Promise<void>
}

/** A proxy that opens a tunnel to whatever it is asked for. */
export const startTunnel = (): Promise<LocalProxy> =>
  start((server, use) =>
    server.on('connect', (asked: IncomingMessage, client: Socket) => {
      use()
      const [host, port] = (asked.url ?? '').split(':')
      const upstream = connect(Number(port), host, () => {
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
        upstream.pipe(client).pipe(upstream)
      })
      const end = () => {
        upstream.destroy()
        client.destroy()
      }
      upstream.on('error', end).on('close', end)
      client.on('error', end).on('close', end)
    }),
  )

/** A proxy that sends requests on, and hangs up when there is no answer. */
export const startForwarder = (): Promise<LocalProxy> =>
  start((server, use) =>
    server.on('request', (asked: IncomingMessage, response: ServerResponse) => {
      use()
      const { method, headers } = asked
      const upstream = request(asked.url ?? '', { method, headers, agent: false }, answer => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.on('error', () => response.destroy()).pipe(response)
        answer.on('aborted', () => response.destroy())
      })
      upstream.on('error', () => response.destroy())
      response.on('close', () => upstream.destroy())
      asked.pipe(upstream)
    }),
  )

async function start(serve: (server: Server, use: () => void) => void): Promise<LocalProxy> {
  let used = 0
  let told = () => {}
  const server = createServer()
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
  })
  serve(server, () => {
    used += 1
    told()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  return {
    uri: `http://127.0.0.1:${port}`,
    get used() {
      return used
    },
    onUse: listener => {
      told = listener
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
