/**
 * Servers on loopback, and ports for them.
 *
 * @module
 */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { threadId } from 'node:worker_threads'
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

/** The next port to try. Threads and processes that run at one time begin a hundred ports apart, or more. */
let next = 10_000 + (((process.pid + threadId) * 97) % 220) * 100

/**
 * A port that is free, for what must know its own address before it listens. Systems hand out ports from 32768 on: no other socket
 * takes this one before its server listens, or while that server starts again.
 */
export async function freePort(): Promise<number> {
  next = next < 32_000 ? next + 1 : 10_000
  const port = next
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error
      return false
    },
  )
  if (!isFree) return freePort()
  await new Promise(closed => server.close(closed))
  return port
}
