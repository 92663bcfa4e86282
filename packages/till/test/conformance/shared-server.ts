/**
 * A memory that several processes share: a server on this machine keeps it, and `openStore` of store-in-server.ts asks it.
 *
 * @module
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Store } from '../../src/store/store.js'
import type { Asked } from './store-in-server.js'

/** A store that is served at an address. */
export interface Served {
  readonly address: string
  close(): Promise<void>
}

/** Serves a store until it is closed. */
export async function serve(store: Store): Promise<Served> {
  const server = createServer((request, response) => {
    const answer = async (): Promise<unknown> => {
      const { method, parameters } = JSON.parse(await text(request)) as Asked
      return { value: await (store[method] as (...all: readonly unknown[]) => Promise<unknown>)(...parameters) }
    }
    void answer()
      .catch((error: Error & { readonly code?: string }) => ({ error: { code: error.code, message: error.message } }))
      .then(said => response.end(JSON.stringify(said)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
