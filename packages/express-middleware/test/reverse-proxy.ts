/**
 * A reverse proxy of `node:http`, as a sender at some address meets it.
 *
 * @module
 */
import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

/** A running proxy. */
export interface ReverseProxy extends AsyncDisposable {
  readonly origin: string
}

/** Where it leads, and whom it meets. */
export interface ReverseProxyOptions {
  readonly to: string
  /** Address of whoever connects: everybody here is on loopback, so the test says it. */
  readonly sender: string
}

/** Starts one. It writes the sender's address at the end of `X-Forwarded-For`, after what the sender wrote there. */
export async function startReverseProxy({ to, sender }: ReverseProxyOptions): Promise<ReverseProxy> {
  const server = createServer((incoming, response) => {
    const claimed = incoming.headers['x-forwarded-for']
    const forwarded = claimed === undefined ? sender : `${claimed}, ${sender}`
    const outgoing = send(new URL(incoming.url ?? '', to), {
      method: incoming.method,
      headers: { ...incoming.headers, 'x-forwarded-for': forwarded },
    })
    outgoing.on('response', answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      void pipeline(answer, response).catch(() => undefined)
    })
    outgoing.on('error', () => response.writeHead(502).end())
    void pipeline(incoming, outgoing).catch(() => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
