/**
 * A TCP proxy that stands before PostgreSQL and loses things at chosen moments.
 *
 * @module
 */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '../../../../express-middleware/test/listening.js'

/**
 * When the line is cut, once the client has sent the text that is waited for: `before` the server gets it; `after` the server
 * has carried it out, with its answer lost; `late`: the client is cut off at once, and the server gets it when the test says so.
 */
export type Cut = 'before' | 'after' | 'late'

/** A proxy, and what it does to the lines through it. */
export interface PostgresProxy {
  readonly url: string
  /** Cuts the line on which the text is sent next. @returns Resolves when it was cut. */
  cutAt(text: string, cut: Cut): Promise<void>
  /** Hands over what was kept back by `late`. Resolves once the server has carried it out. */
  deliver(): Promise<void>
  /** Passes nothing on any more, and cuts nothing: a dead line. */
  freeze(): void
  /** Cuts every line and refuses new ones; `up` takes them again. */
  down(): Promise<void>
  up(): Promise<void>
  /** Cuts every line; new ones go to another server, also after {@link freeze} and `down`. */
  pointAt(url: string): Promise<void>
  close(): Promise<void>
}

interface Planned {
  readonly text: Buffer
  readonly cut: Cut
  readonly done: () => void
}

export async function proxyBefore(url: string): Promise<PostgresProxy> {
  let target = new URL(url)
  const lines = new Set<Socket>()
  const late: { readonly upstream: Socket; readonly chunk: Buffer }[] = []
  let planned: Planned | undefined
  let isFrozen = false

  const accept = (client: Socket) => {
    const upstream = connect(Number(target.port), target.hostname)
    let hit: Planned | undefined
    let recent = Buffer.alloc(0)
    const cut = () => {
      client.destroy()
      upstream.destroy()
      hit?.done()
    }
    for (const socket of [client, upstream]) {
      lines.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => lines.delete(socket))
    }
    client.on('close', () => {
      if (hit?.cut !== 'late') upstream.end()
    })
    upstream.on('close', () => client.destroy())
    client.on('data', chunk => {
      if (isFrozen) return
      recent = Buffer.concat([recent.subarray(-1000), chunk])
      if (hit === undefined && planned !== undefined && recent.includes(planned.text)) {
        hit = planned
        planned = undefined
        if (hit.cut === 'before') return cut()
        if (hit.cut === 'late') {
          late.push({ upstream, chunk })
          client.destroy()
          return hit.done()
        }
      }
      upstream.write(chunk)
    })
    upstream.on('data', chunk => {
      if (isFrozen || hit?.cut === 'late') return
      if (hit === undefined) client.write(chunk)
      else if (isReady(chunk)) cut()
    })
  }

  // It listens there again after each cut: a port that the system hands out could be another socket's by then.
  const port = await freePort()
  let server = await listen(accept, port)
  const down = async () => {
    const closed = new Promise(resolve => server.close(resolve))
    for (const socket of lines) socket.destroy()
    await closed
  }
  return {
    url: Object.assign(new URL(url), { port: String(port), hostname: '127.0.0.1' }).href,
    cutAt: (text, cut) =>
      new Promise(done => {
        planned = { text: Buffer.from(text), cut, done }
      }),
    deliver: async () => {
      for (const { upstream, chunk } of late.splice(0)) {
        const answered = new Promise<void>(resolve => {
          upstream.on('data', answer => {
            if (isReady(answer)) resolve()
          })
        })
        upstream.write(chunk)
        await answered
        upstream.destroy()
      }
    },
    freeze: () => {
      isFrozen = true
    },
    down,
    up: async () => {
      server = await listen(accept, port)
    },
    async pointAt(other) {
      await down()
      target = new URL(other)
      isFrozen = false
      server = await listen(accept, port)
    },
    close: down,
  }
}

/** "Ready for query" ends every answer. */
const isReady = (chunk: Buffer): boolean => chunk.subarray(-6, -1).equals(Buffer.from([0x5a, 0, 0, 0, 5]))

async function listen(accept: (client: Socket) => void, port: number): Promise<Server> {
  const server = createServer(accept)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return server
}
