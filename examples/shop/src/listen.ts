/** Listening on loopback, on another port if the wanted one is taken. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server and where it listens. */
export interface Listening {
  readonly server: Server
  readonly origin: URL
}

/**
 * Listens on `port` of the loopback interface, or on a free one when it is taken. Who answers comes later, with `server.on('request', …)`.
 */
export async function listen(port: number): Promise<Listening> {
  const server = createServer()
  const { port: chosen } = await orAnyPort(port, async wanted => {
    server.listen(wanted, '127.0.0.1')
    await once(server, 'listening')
    return server.address() as AddressInfo
  })
  return { server, origin: new URL(`http://127.0.0.1:${chosen}/`) }
}

/** Runs `start` with `port`, and with 0 (any free port) when that one is taken. */
export async function orAnyPort<Result>(port: number, start: (port: number) => Promise<Result>): Promise<Result> {
  try {
    return await start(port)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return start(0)
  }
}
