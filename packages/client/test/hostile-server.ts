/** A server on a bare socket that counts requests by their first byte and lets a test interfere at any moment. */
import { createServer, type Socket } from 'node:net'

/** What a test does at each moment of a request. What it leaves out is done as usual. */
export interface Interference {
  /** As soon as a connection is made. */
  readonly onConnection?: (socket: Socket) => void
  /** At the first bytes of a request. */
  readonly onBegin?: (socket: Socket) => void
  /** Once a request is whole. */
  readonly onWhole?: (socket: Socket) => void
}

export interface HostileServer {
  readonly port: number
  /** How many requests have begun to arrive, by path. */
  readonly begun: readonly string[]
  readonly connections: number
  interfere(interference: Interference): void
  /** Answers every question to status so from now on, whatever else is done; undefined: as any other request. */
  answerStatus(answer: string | undefined): void
  /** Connections that are open now. */
  open(): readonly Socket[]
  /** Serves a connection that was made elsewhere. */
  adopt(socket: Socket): void
  close(): Promise<void>
}

export async function startHostileServer(): Promise<HostileServer> {
  let now: Interference = {}
  let statusAnswer: string | undefined
  let connections = 0
  const begun: string[] = []
  const open = new Set<Socket>()
  const adopt = (socket: Socket): void => {
    connections += 1
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
    now.onConnection?.(socket)
    let received = ''
    let isAside = false
    socket.on('data', chunk => {
      if (received === '') {
        const path = /^POST (\S+)/.exec(chunk.toString('latin1'))?.[1] ?? 'something else'
        begun.push(path)
        isAside = statusAnswer !== undefined && path.includes('/status/')
        if (!isAside) now.onBegin?.(socket)
      }
      received += chunk.toString('latin1')
      const [head = '', body] = received.split(/\r\n\r\n(.*)/s)
      const length = Number.parseInt(/content-length: (\d+)/i.exec(head)?.[1] ?? '0', 10)
      if (body === undefined || body.length < length) return
      received = ''
      if (isAside) socket.write(statusAnswer ?? '')
      else now.onWhole?.(socket)
    })
  }
  const server = createServer(adopt)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    begun,
    get connections() {
      return connections
    },
    interfere: next => {
      now = next
    },
    answerStatus: answer => {
      statusAnswer = answer
    },
    open: () => [...open],
    adopt,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
