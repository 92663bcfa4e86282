/**
 * A merchant's server that writes down the callbacks it is sent.
 *
 * @module
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Parameters that a line is made of. */
const shown = ['merchant_order', 'type', 'status']

/** Starts one on this machine. `onTold` runs before it answers. */
export async function startCallbackMerchant({ onTold = (_line: string): void => undefined, names = shown } = {}) {
  const told: string[] = []
  const server = createServer((incoming, response) => {
    const { searchParams } = new URL(incoming.url ?? '', 'http://merchant')
    const line = names.map(name => searchParams.get(name)).join(' ')
    told.push(line)
    onTold(line)
    response.end('OK')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { told, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, close }
}
