/**
 * The whole thing: the gateway, a client of it, and the shop, each on a loopback port of its own.
 *
 * @module
 */

import { randomBytes, randomInt } from 'node:crypto'
import { type ClientWithStore, createClient } from '@tillkit/client'
import { memoryStore } from '@tillkit/protocol'
import type { FakeGateway } from '@tillkit/testing'
import { createGateway } from 'tillkit'
import { listen, orAnyPort } from './listen.js'
import { memoryOrders, type Orders } from './orders.js'
import { createShop } from './shop.js'
import { logEntry } from './wire-log.js'

/** Ports to try first, and how long a payment takes. */
export interface StartOptions {
  readonly shopPort?: number
  readonly gatewayPort?: number
  /** Milliseconds that the gateway says `processing` before an outcome is known. */
  readonly processingTime?: number
  /** Where customers reach the shop, if that is not where it listens: the address of a proxy in front of it. */
  readonly publicAddress?: URL
  /** Told of errors that a customer was shown a page for. Default: nobody. */
  readonly onError?: (error: unknown) => void
  /** A gateway to use in place of one of the shop's own. Whoever made it closes it. */
  readonly gateway?: FakeGateway
}

/** What runs. */
export interface Running {
  readonly shop: URL
  readonly gateway: FakeGateway
  readonly gatewayBaseUrl: URL
  readonly client: ClientWithStore
  readonly orders: Orders
  readonly newId: () => string
  close(): Promise<void>
}

/** Starts everything. Nothing leaves this machine. */
export async function start({
  shopPort = 0,
  gatewayPort = 0,
  processingTime = 1_200,
  publicAddress,
  onError = () => {},
  gateway: given,
}: StartOptions = {}): Promise<Running> {
  // A seed of its own: a hosted page left open from an earlier run must not lead to an order of this one.
  const gateway = given ?? createGateway({ processingTime, seed: randomBytes(16).toString('hex') })
  const { baseUrl } = await orAnyPort(gatewayPort, port => gateway.listen({ port }))
  const { clock } = gateway
  // A gateway of its own outlives the shop: no id of an earlier run may come again.
  let count = randomInt(10_000, 1_000_000_000) * 100
  const newId = () => {
    count += 1
    return `T${count}`
  }
  const orders = memoryOrders({ newId })

  const { observer, ...options } = gateway.clientOptions
  const store = memoryStore({ clock: clock.now })
  const client = createClient({
    ...options,
    store,
    observer: {
      signed: observer.signed,
      exchange: exchange => {
        if (exchange.clientOrderId === undefined) return
        logEntry(orders, exchange.clientOrderId, { kind: 'exchange', at: exchange.startedAt, exchange })
      },
    },
  })

  let origin = new URL('http://127.0.0.1/')
  const stopping = new AbortController()
  const app = createShop({
    client,
    store,
    orders,
    controlKey: options.controlKey,
    stateSecret: randomBytes(32).toString('base64url'),
    origin: () => origin,
    clock: clock.now,
    gatewayAddress: baseUrl.href,
    onError,
    stopping: stopping.signal,
  })
  const listening = await listen(app, shopPort)
  origin = publicAddress ?? listening.origin

  return {
    shop: listening.origin,
    gateway,
    gatewayBaseUrl: baseUrl,
    client,
    orders,
    newId,
    async close() {
      stopping.abort()
      listening.server.close()
      listening.server.closeAllConnections()
      await client.close()
      if (given === undefined) await gateway.close()
    },
  }
}
