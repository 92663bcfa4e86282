/** One process of the shop: opens the database, listens, and sets the till to work. Any number of processes may. */
import { randomInt } from 'node:crypto'
import type { Server } from 'node:http'
import type { Till, TillAccount } from '@tillkit/till'
import { openDatabase } from './database.js'
import type { Listening } from './listen.js'
import { type Orders, openOrders } from './orders.js'
import { createShop, type ShopOptions } from './shop.js'

/** What a process of the shop needs. */
export interface ServeOptions extends Pick<ShopOptions, 'till'> {
  readonly account: TillAccount
  /** Path of a file of SQLite, or a `postgres:` address. */
  readonly database: string
  /** Where it listens already. */
  readonly listening: Listening
  /** Where customers reach the shop, if that is not where it listens: the address of a proxy in front of it. */
  readonly publicAddress?: URL | undefined
  /** The dashboard of the gateway, where this process has started one of its own. */
  readonly dashboard?: URL | undefined
  /** Milliseconds since the epoch. Default: the system clock. */
  readonly clock?: () => number
  /** Told of errors that a customer was shown a page for. Default: nobody. */
  readonly onError?: (error: unknown) => void
}

/** A shop that serves. */
export interface Serving {
  readonly address: URL
  readonly till: Till
  readonly orders: Orders
  /** Gives an order id that was never used before. */
  readonly newId: () => string
  close(): Promise<void>
}

/** Starts a process of the shop. */
export async function serve({
  account,
  database: place,
  listening: { server, origin },
  publicAddress,
  dashboard,
  clock = Date.now,
  till,
  onError = () => {},
}: ServeOptions): Promise<Serving> {
  const database = await openDatabase(place, { clock })
  // A database outlives the shop: no id of an earlier run may come again.
  let count = randomInt(10_000, 1_000_000_000) * 100
  const newId = () => {
    count += 1
    return `T${count}`
  }
  const orders = await openOrders({ sql: database.sql, newId, clock })
  const shop = createShop({
    account,
    database,
    orders,
    origin: publicAddress ?? origin,
    dashboard,
    clock,
    till,
    onError,
  })
  server.on('request', shop.app)
  await shop.till.start()

  return {
    address: origin,
    till: shop.till,
    orders,
    newId,
    async close() {
      await closed(server)
      await shop.till.close()
      await database.close()
    },
  }
}

function closed(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
