/**
 * The applications of docs/other-frameworks.md, each under a server of its framework on a given port.
 *
 * @module
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'

/** A server on loopback, stopped at the end of an `await using` block. */
export interface Started extends AsyncDisposable {
  readonly origin: string
}

/** Starts a shop. @param port Zero for any. */
export type StartFramework = (port?: number) => Promise<Started>

/** Every framework of the page. */
export const frameworks: readonly (readonly [string, StartFramework])[] = [
  ['Fastify', startFastify],
  ['Koa', startKoa],
  ['Hono', startHono],
  ['route handlers of Next.js', startNext],
]

async function startFastify(port = 0): Promise<Started> {
  const { app } = await import('./frameworks/fastify.js')
  const origin = await app.listen({ port, host: '127.0.0.1' })
  return {
    origin,
    async [Symbol.asyncDispose]() {
      app.server.closeAllConnections()
      await app.close()
    },
  }
}

async function startKoa(port = 0): Promise<Started> {
  const { app } = await import('./frameworks/koa.js')
  return listening(createServer(app.callback()).listen(port, '127.0.0.1'))
}

async function startHono(port = 0): Promise<Started> {
  const { app } = await import('./frameworks/hono.js')
  return listening(serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }))
}

/**
 * Next.js itself is too large to install for a test (adr/0029). A route handler is a function of `Request` to `Response`, so a
 * server that finds the file by the path, hands it the parameters of its path, and answers what it exports no method for as
 * Next.js does, is enough to run it.
 */
async function startNext(port = 0): Promise<Started> {
  const routes = [
    [/^\/payments\/callback$/, await import('./frameworks/next/callback/route.js')],
    [/^\/payments\/return\/(?<state>[^/]+)$/, await import('./frameworks/next/return/[state]/route.js')],
    [/^\/orders\/(?<id>[^/]+)\/pay$/, await import('./frameworks/next/pay/[id]/route.js')],
  ] as const
  const fetch = (request: Request): Response | Promise<Response> => {
    for (const [path, route] of routes) {
      const found = path.exec(new URL(request.url).pathname)
      if (found === null) continue
      if (request.method === 'OPTIONS') return new Response(null, { status: 204 })
      const method = request.method === 'HEAD' ? 'GET' : request.method
      const handler = (route as Readonly<Record<string, unknown>>)[method]
      if (typeof handler !== 'function') return new Response(null, { status: 405 })
      return handler(request, { params: Promise.resolve({ ...found.groups }) })
    }
    return new Response(null, { status: 404 })
  }
  return listening(serve({ fetch, port, hostname: '127.0.0.1' }))
}

async function listening(server: Server | ServerType): Promise<Started> {
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
