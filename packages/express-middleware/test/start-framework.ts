/**
 * The applications of docs/other-frameworks.md, each under a server of its framework on a given port.
 *
 * @module
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { threadId } from 'node:worker_threads'
import { serve } from '@hono/node-server'
import { listening, type Started } from './listening.js'

/** How a shop is started. */
export interface StartOptions {
  /** Default: any. */
  readonly port?: number
  /** A file of this directory in the place of the page's `payments.ts`. */
  readonly payments?: string
}

/** Starts a shop, anew each time. */
export type StartFramework = (options?: StartOptions) => Promise<Started>

/** Every framework of the page. */
export const frameworks: readonly (readonly [string, StartFramework])[] = [
  ['Fastify', options => withFiles(options, startFastify)],
  ['Koa', options => withFiles(options, startKoa)],
  ['Hono', options => withFiles(options, startHono)],
  ['route handlers of Next.js', options => withFiles(options, startNext)],
]

type Load = <Module>(file: string) => Promise<Module>
const here = fileURLToPath(new URL('.', import.meta.url))
let count = 0

/** The files of the page in a place of their own, so that no two shops share a module. */
async function withFiles(
  { port = 0, payments }: StartOptions = {},
  start: (load: Load, port: number) => Promise<Started>,
): Promise<Started> {
  const place = join(here, '.readme', `frameworks-${process.pid}-${threadId}-${count++}`)
  cpSync(join(here, 'frameworks'), place, { recursive: true })
  if (payments !== undefined) writeFileSync(join(place, 'payments.ts'), `export * from '../../${payments}.js'\n`)
  const fastify = readFileSync(join(place, 'fastify.ts'), 'utf8')
  if (!fastify.includes('logger: true')) throw new Error('The example for Fastify no longer logs.')
  // Not to the standard output of the tests.
  const logger = "logger: { level: 'warn', stream: { write: line => console.error(line) } }"
  writeFileSync(join(place, 'fastify.ts'), fastify.replace('logger: true', logger))
  try {
    return await start(file => import(/* @vite-ignore */ join(place, file)), port)
  } finally {
    rmSync(place, { recursive: true })
  }
}

async function startFastify(load: Load, port: number): Promise<Started> {
  const { app } = await load<typeof import('./frameworks/fastify.js')>('fastify.ts')
  const origin = await app.listen({ port, host: '127.0.0.1' })
  return {
    origin,
    async [Symbol.asyncDispose]() {
      app.server.closeAllConnections()
      await app.close()
    },
  }
}

async function startKoa(load: Load, port: number): Promise<Started> {
  const { app } = await load<typeof import('./frameworks/koa.js')>('koa.ts')
  return listening(createServer(app.callback()).listen(port, '127.0.0.1'))
}

async function startHono(load: Load, port: number): Promise<Started> {
  const { app } = await load<typeof import('./frameworks/hono.js')>('hono.ts')
  return listening(serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }))
}

/**
 * Next.js itself is too large to install for a test (adr/0030). A route handler is a function of `Request` to `Response`, so a
 * server that finds the file by the path, hands it the parameters of its path, and answers what it exports no method for as
 * Next.js does, is enough to run it.
 */
async function startNext(load: Load, port: number): Promise<Started> {
  const routes = [
    [/^\/payments\/callback$/, await load<object>('next/callback/route.ts')],
    [/^\/payments\/return\/(?<state>[^/]+)$/, await load<object>('next/return/[state]/route.ts')],
    [/^\/orders\/(?<id>[^/]+)\/pay$/, await load<object>('next/pay/[id]/route.ts')],
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
