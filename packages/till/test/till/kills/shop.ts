/**
 * A shop on a till, as a process that may be killed: it takes payments, and writes what it is told into its own table.
 *
 * @module
 */
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { createTill } from '@tillkit/till'
import { postgresStore } from '@tillkit/till/postgres'
import { sqliteStore } from '@tillkit/till/sqlite'
import pg from 'pg'
import { recordingTo } from '../../../../../proof/traces/src/file.js'
import type { Store } from '../../../src/store/store.js'
import { toldStore } from '../../failovers/ledger.js'
import { noteTold } from '../../kills/merchant.js'
import type { LifeOptions } from '../../kills/messages.js'

export interface ShopOfALife extends Pick<LifeOptions, 'store' | 'gateway'> {
  readonly port: number
  /** How long an answer is waited for, in milliseconds. Default: 1000, so that what was sent and not answered is over soon. */
  readonly timeout?: number
  /** A folder in which its runs are recorded, in a file of its own. Default: they are not. */
  readonly traces?: string
  /** How long an answer of PostgreSQL is waited for, in milliseconds. Default: 5000. */
  readonly storeTimeout?: number
  /** Whether it tells its parent how each write of the store ended. Default: no. */
  readonly tellsWrites?: boolean
  /** Whether its store was restored from a backup. Default: no. */
  readonly restored?: boolean
}

const options: ShopOfALife = JSON.parse(process.argv[2] ?? '')
// Without its parent nobody counts.
process.on('disconnect', () => process.exit(0))

function openStore(): Store<never> {
  const { store } = options
  if (store.engine === 'sqlite') return sqliteStore(store.file, { lockTimeout: 20_000 }) as unknown as Store<never>
  const pool = new pg.Pool({ connectionString: store.url, max: 4 })
  pool.on('error', () => {})
  return postgresStore(pool, {
    schema: store.schema,
    timeout: options.storeTimeout ?? 5_000,
  }) as unknown as Store<never>
}

// Its parent may ask whether it has heard of every write: messages come in order.
process.on('message', message => process.send?.(message))
const store = openStore()
const watched = (each: typeof store) => (options.traces === undefined ? each : recordingTo(options.traces, each))

const till = createTill({
  account: { ...options.gateway, timeout: options.timeout ?? 1_000 },
  store: watched(options.tellsWrites === true ? toldStore(store, end => process.send?.(end)) : store),
  name: 'kills',
  address: `http://127.0.0.1:${options.port}/payments`,
  returnTo: ({ reference }) => `/orders/${reference}`,
  payAgain: ({ reference }) => `/orders/${reference}/pay`,
  handlerTimeout: 3_000,
  async onOutcome(outcome, { transaction }) {
    await noteTold(outcome, transaction)
    // A handler takes its time, so that some deaths are in the middle of it.
    await pause(300)
  },
})
const routes = till.express()
const customer = {
  email: 'ada@shop.example',
  phone: '+442079460000',
  ipAddress: '203.0.113.7',
  address1: '12 St James Square',
}
const home = { city: 'London', zipCode: 'SW1Y 4LB', country: 'GB', orderDesc: 'A list' }

const server = createServer((request, response) => {
  const url = request.url ?? '/'
  const end = (text: string, status = 200) => response.writeHead(status, { 'content-type': 'text/html' }).end(text)
  if (url.startsWith('/payments/')) {
    Reflect.set(request, 'originalUrl', url)
    request.url = url.slice('/payments'.length)
    void routes(request, response, error => end(String(error ?? ''), error === undefined ? 404 : 500))
    return
  }
  const [, reference = '', pay] = /^\/orders\/([^/]+)(\/pay)?$/.exec(url) ?? []
  if (pay === undefined) {
    till.payment(reference).then(
      ({ state }) => end(state),
      error => end(String(error), 500),
    )
    return
  }
  till.pay({ reference, amount: '10.00', currency: 'EUR', ...customer, ...home }).then(
    ({ address }) => response.writeHead(303, { location: address }).end(),
    error => end(String(error), 500),
  )
})
server.listen(options.port, '127.0.0.1', async () => {
  await till.start({ restored: options.restored === true })
  process.send?.('started')
})
