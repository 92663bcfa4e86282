/**
 * A real server for a table of tests, under every version of Express that the package takes.
 *
 * @module
 */
import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import express5, { type ErrorRequestHandler, type Express } from 'express'
import { rows } from './soak.js'

const load: (name: string) => typeof express5 = createRequire(import.meta.url)

/** What the package takes as a peer: the oldest, the latest 4, and 5. */
export const versions = [
  ['Express 4.17', load('express-4-17')],
  ['Express 4', load('express-4')],
  ['Express 5', express5],
] as const

/** For tests in which Express matters: daily the oldest and the newest. */
export const oldestAndNewest = rows({ daily: [versions[0], versions[2]], soak: versions })

/**
 * For tests of what is the same under each: daily the oldest, which hands on no rejection of a handler by itself. Shops of other
 * tests run under the newest.
 */
export const oldest = rows({ daily: [versions[0]], soak: versions })

/** For tests in which requests come and go: daily the newest. */
export const newest = rows({ daily: [versions[2]], soak: versions })

/** One of them. */
export type ExpressModule = typeof express5

/** A server on loopback, stopped at the end of an `await using` block. */
export interface Served extends AsyncDisposable {
  readonly origin: string
}

/** Serves an app. Errors are answered with their status, and their code as the body. */
export async function serve(app: Express): Promise<Served> {
  app.use(answerWithCode)
  // A thousand connections at once are more than the usual backlog.
  const server = app.listen(0, '127.0.0.1', 2048)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const answerWithCode: ErrorRequestHandler = (error, _request, response, _next) => {
  response.status(error.status ?? 500).send(error.code ?? `${error.name}: ${error.message}`)
}
