/**
 * Serves a merchant's callback function at an address, so that the gateway can call it.
 *
 * @module
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeForm } from '@tillkit/signing'
import type { ReceivedCallback } from './merchant-under-test.js'

/** A door that is open. */
export interface CallbackDoor {
  readonly url: string
  close(): Promise<void>
}

/** Opens a door on this machine. A function that throws answers HTTP 500, as a web framework does. */
export async function openCallbackDoor(
  receive: (callback: ReceivedCallback) => number | Promise<number>,
): Promise<CallbackDoor> {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      void (async () => {
        const url = new URL(`http://127.0.0.1${incoming.url ?? '/'}`)
        const body = Buffer.concat(chunks).toString('utf8')
        const parameters = [...decodeForm(url.search.slice(1)), ...decodeForm(body)]
        response.statusCode = await receive({ method: incoming.method ?? 'GET', url, parameters })
      })()
        .catch(() => {
          response.statusCode = 500
        })
        .finally(() => response.end())
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
