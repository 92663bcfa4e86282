/**
 * The whole thing: the gateway, a client of it, and the shop, each on a loopback port of its own.
 *
 * @module
 */

import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'
import { type ClientWithStore, createClient } from '@tillkit/client'
import type { FakeGateway } from '@tillkit/testing'
import { sqliteStore } from '@tillkit/till/sqlite'
import { createGateway } from 'tillkit'
import { listen, orAnyPort } from './listen.js'
import { type Orders, openOrders } from './orders.js'
import { createShop, type Shop } from './shop.js'

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
  /** The database of an earlier run, to go on from. Default: an empty one, which is removed when the shop stops. */
  readonly file?: string
  /** Signs return addresses; at least 32 bytes. Default: a new one, so that those of an earlier run are refused. */
  readonly stateSecret?: string
}

/** How often the shop looks for what is left to do, in milliseconds. */
const resumeEvery = 5_000

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
  file,
  stateSecret = randomBytes(32).toString('base64url'),
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
  const folder = file === undefined ? mkdtempSync(join(tmpdir(), 'tillkit-shop-')) : undefined
  const database = file ?? join(folder ?? '', 'shop.db')
  const orders = openOrders(database, { newId })

  const { observer, ...options } = gateway.clientOptions
  const store = sqliteStore(database, { driver: 'libsql', clock: clock.now })
  const client = createClient({
    ...options,
    store,
    observer: {
      signed: observer.signed,
      exchange: exchange => {
        if (exchange.clientOrderId === undefined) return
        orders.log(exchange.clientOrderId, { kind: 'exchange', at: exchange.startedAt, exchange })
      },
    },
  })

  let origin = new URL('http://127.0.0.1/')
  const stopping = new AbortController()
  const { app, callbacks } = createShop({
    client,
    store,
    orders,
    controlKey: options.controlKey,
    stateSecret,
    origin: () => origin,
    clock: clock.now,
    gatewayAddress: baseUrl.href,
    onError,
  })
  const going = keepGoing(callbacks, { stopping: stopping.signal, onError })
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
      await going
      await client.close()
      await store.close()
      orders.close()
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
      if (given === undefined) await gateway.close()
    },
  }
}

/** Works on what is left to do, whether or not anybody looks at a page: the pages say "we keep asking". */
async function keepGoing(
  { resume, close }: Shop['callbacks'],
  { stopping, onError }: { readonly stopping: AbortSignal; readonly onError: (error: unknown) => void },
): Promise<void> {
  try {
    await resume().catch(onError)
    for await (const _ of setInterval(resumeEvery, undefined, { signal: stopping, ref: false })) {
      await resume().catch(onError)
    }
  } catch (error) {
    if (!stopping.aborted) onError(error)
  }
  await close()
}
