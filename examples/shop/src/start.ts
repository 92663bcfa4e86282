/** The whole thing: the gateway and the shop, each on a loopback port of its own. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FakeGateway } from '@tillkit/testing'
import { createGateway } from 'tillkit'
import { listen, orAnyPort } from './listen.js'
import { shopName } from './pages/layout.js'
import { type ServeOptions, type Serving, serve } from './serve.js'

/** Ports to try first, and how long a payment takes. */
export interface StartOptions extends Pick<ServeOptions, 'publicAddress' | 'till' | 'onError'> {
  readonly shopPort?: number
  readonly gatewayPort?: number
  /** Milliseconds that the gateway says `processing` before an outcome is known. */
  readonly processingTime?: number
  /** A gateway to use in place of one of the shop's own. Whoever made it closes it. */
  readonly gateway?: FakeGateway
  /** A database to go on from. Default: an empty file, which is removed when the shop stops. */
  readonly database?: string | undefined
}

/** What runs. */
export interface Running extends Omit<Serving, 'address'> {
  readonly shop: URL
  readonly gateway: FakeGateway
  readonly gatewayBaseUrl: URL
}

/** Starts everything. Nothing leaves this machine. */
export async function start({
  shopPort = 0,
  gatewayPort = 0,
  processingTime = 1_200,
  gateway: given,
  database,
  ...options
}: StartOptions = {}): Promise<Running> {
  // The gateway is told where the shop is, and the shop where the gateway is.
  const listening = await listen(shopPort)
  const { href: shopAddress } = options.publicAddress ?? listening.origin
  // A seed of its own: a hosted page left open from an earlier run must not lead to an order of this one.
  const gateway =
    given ??
    createGateway({
      merchantName: shopName,
      orderPage: `${shopAddress}merchant/orders/{clientOrderId}`,
      processingTime,
      seed: randomBytes(16).toString('hex'),
    })
  const { baseUrl } = await orAnyPort(gatewayPort, port => gateway.listen({ port }))
  const folder = mkdtempSync(join(tmpdir(), 'tillkit-shop-'))
  const { address: shop, ...serving } = await serve({
    ...options,
    account: gateway.clientOptions,
    database: database ?? join(folder, 'shop.db'),
    listening,
    dashboard: given === undefined ? new URL('/__gateway/', baseUrl) : undefined,
    clock: gateway.clock.now,
  })
  return {
    ...serving,
    shop,
    gateway,
    gatewayBaseUrl: baseUrl,
    async close() {
      await serving.close()
      rmSync(folder, { recursive: true, force: true })
      if (given === undefined) await gateway.close()
    },
  }
}
