/**
 * Servers on loopback, and ports for them.
 *
 * @module
 */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import type { ServerType } from '@hono/node-server'

/** A server on loopback, stopped at the end of an `await using` block. */
export interface Started extends AsyncDisposable {
  readonly origin: string
}

/** Waits until a server listens. */
export async function listening(server: Server | ServerType): Promise<Started> {
  if (!server.listening) await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
    },
  }
}

/** A port that is free, for what must know its own address before it listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise(closed => server.close(closed))
  return typeof address === 'object' && address !== null ? address.port : 0
}
