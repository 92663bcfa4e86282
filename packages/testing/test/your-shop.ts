/**
 * The shop that the examples of docs/testing.md test: it pays by hand, because nothing here may depend on a client.
 *
 * @module
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClientOptions, createFakeGateway, type FakeGateway } from '../src/index.js'
import { call, pay, readReply } from './signed-request.js'

/** Makes a shop that asks status before it pays a second time. */
export function createShop(clientOptions: ClientOptions) {
  const log: string[] = []
  const gateway = { clientOptions } as FakeGateway
  return {
    log,
    async pay({ order, amount }: { readonly order: string; readonly amount: string }): Promise<string> {
      const known = await call(gateway, 'status', { clientOrderId: order })
      const { text } =
        known.status === 200
          ? known
          : await pay(gateway, 'sale', { clientOrderId: order, amount }).catch(() => ({ text: '{"status":"unknown"}' }))
      log.push(`${order}: ${text}`)
      const { status = 'processing' } = readReply(text)
      return status === 'processing'
        ? ((await call(gateway, 'status', { clientOrderId: order })).reply.status ?? '')
        : status
    },
  }
}

const real = createFakeGateway({ controlKey: 'key of the sandbox' })
await real.listen()

/** What stands for the gateway's sandbox. */
export const sandbox = {
  ...real.clientOptions,
  reachable: true,
  file: join(tmpdir(), `tillkit-recording-${process.pid}.json`),
}
