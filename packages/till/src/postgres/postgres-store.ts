/**
 * A store on PostgreSQL.
 *
 * @module
 */
import { aCount, aFlag, checkOptions, type OptionTable } from '@tillkit/protocol'
import {
  checkCount,
  checkKey,
  checkPostpone,
  checkTake,
  checkWrite,
  type Store,
  StoreError,
  type Written,
} from '../store/store.js'
import { commitWith, type PostgresTransaction } from './commit.js'
import { driverConnections, poolConnections } from './connections.js'
import type { Connections, PostgresClient, PostgresDriver, PostgresPool } from './driver.js'
import { readError, writeError } from './errors.js'
import { aSchema, defaultSchema, type SchemaOptions } from './migrations.js'
import { risksOf } from './risks.js'
import { pageReader, readsTogether, seenClock, storedIn } from './rows.js'
import { applyMigrations, checkSchema } from './schema.js'
import { statementsFor } from './statements.js'
import { writeQueue } from './write-queue.js'

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions extends SchemaOptions {
  /**
   * Whether each connection of a pool of `pg` prepares a statement once. Turn it off behind PgBouncer in transaction mode, unless
   * its `max_prepared_statements` is above 0. Default: true. A driver of two functions decides for itself.
   */
  readonly prepared?: boolean | undefined
  /** How long an answer of the server is waited for, in milliseconds. Default: 30,000. */
  readonly timeout?: number | undefined
}

const table: OptionTable<PostgresStoreOptions> = {
  schema: aSchema,
  prepared: aFlag,
  timeout: aCount({ unit: 'milliseconds' }),
}

/** A store whose handlers write their own rows in the same transaction. */
export type PostgresStore<Client> = Store<PostgresTransaction<Client>> &
  Required<Pick<Store<PostgresTransaction<Client>>, 'commit' | 'risks'>>

/**
 * Keeps documents in PostgreSQL, for any number of processes. The tables have to be there: see {@link migrate}.
 *
 * The store's clock is that of the server, in whole milliseconds; for one store object it never goes back. Writes of several
 * keys share statements; what was answered is on disk, as far as the server's `fsync` is on. After a lost connection a write is
 * not repeated from here: the error says whether something may have happened.
 *
 * @param pool A `Pool` of `pg` with at least two connections, which may serve other code as well, or a driver of two functions.
 *   The store does not end it.
 * @example
 * ```ts
 * import { migrate, postgresStore } from '@tillkit/till/postgres'
 * import pg from 'pg'
 *
 * const pool = new pg.Pool({ connectionString: 'postgres://shop@localhost/shop' })
 * await migrate(pool)
 * const store = postgresStore(pool)
 * ```
 * @throws {TypeError} for an option that is wrong.
 */
export function postgresStore<Client extends PostgresClient>(
  pool: PostgresPool<Client>,
  options?: PostgresStoreOptions,
): PostgresStore<Client>
export function postgresStore<Client>(
  driver: PostgresDriver<Client>,
  options?: PostgresStoreOptions,
): PostgresStore<Client>
export function postgresStore(
  source: PostgresPool | PostgresDriver,
  options: PostgresStoreOptions = {},
): PostgresStore<unknown> {
  checkOptions('postgresStore', options, table)
  const { schema = defaultSchema, prepared = true, timeout = defaultTimeout } = options
  const connections = connectionsOf(source, { prepared, timeout })
  if (connections.most < 2) {
    throw new TypeError('The pool has one connection; a store needs two, one of them for handlers. Set its "max".')
  }
  return storeOn(connections, schema)
}

/**
 * Creates or updates the tables. Safe to run in several processes at once, and again.
 *
 * @returns The versions that were reached, in order; empty: the tables were at this release's version.
 * @throws {StoreError} `ERR_STORE_SCHEMA` for tables of a newer release.
 * @throws {TypeError} for an option that is wrong.
 */
export async function migrate(
  source: PostgresPool | PostgresDriver,
  options: SchemaOptions = {},
): Promise<readonly number[]> {
  checkOptions('migrate', options, { schema: aSchema })
  const connections = connectionsOf(source, { prepared: false, timeout: defaultTimeout })
  try {
    return await applyMigrations(connections, options.schema ?? defaultSchema)
  } finally {
    connections.close()
  }
}

const defaultTimeout = 30_000

function connectionsOf(
  source: PostgresPool | PostgresDriver,
  options: { readonly prepared: boolean; readonly timeout: number },
): Connections<unknown> {
  if (typeof source === 'object' && source !== null) {
    if ('transaction' in source && 'query' in source) return driverConnections(source, options)
    if ('connect' in source && 'options' in source) return poolConnections(source, options)
  }
  throw new TypeError('A store on PostgreSQL needs a Pool of pg, or a driver with "query" and "transaction".')
}

/** How many connections at most write in batches at once. More of them make the batches smaller, and not more lives a second. */
const mostBatches = 2

function storeOn(connections: Connections<unknown>, schema: string): PostgresStore<unknown> {
  const { read, write, most } = connections
  const statements = statementsFor(schema)
  const clock = seenClock()
  // Half of the connections are for handlers; the others wait.
  const handlers = Math.floor(most / 2)
  const others = Math.max(2, most - handlers)
  const batches = Math.min(mostBatches, others - 1)
  const send = writeQueue({ write, statements, clock, batches, singles: others - batches })
  const commit = commitWith({ connections, statements, clock, handlers })
  const readTogether = readsTogether(read, statements, clock)
  const page = pageReader(read, statements)
  const running = new Set<Promise<unknown>>()
  let isClosed = false
  let checked: Promise<void> | undefined

  /** Runs one call: not after `close`, and not on tables of another release. */
  async function call<Result>(work: () => Promise<Result>): Promise<Result> {
    if (isClosed) throw new StoreError('ERR_STORE_CLOSED', 'The store on PostgreSQL was closed, and is used again.')
    const result = withTables(work)
    running.add(result)
    return result.finally(() => running.delete(result))
  }
  async function withTables<Result>(work: () => Promise<Result>): Promise<Result> {
    checked ??= checkSchema(connections, schema).catch(error => {
      checked = undefined
      throw error
    })
    await checked
    return work()
  }

  return {
    read: key =>
      call(async () => {
        checkKey(key)
        try {
          return await readTogether(key)
        } catch (error) {
          throw readError(`Reading ${JSON.stringify(key)}`, error)
        }
      }),
    write: (key, entry, options) =>
      call(() => {
        checkWrite(key, entry, options)
        const { after, id } = options
        const bytes = Buffer.byteLength(entry.body)
        return new Promise<Written>((resolve, reject) => send({ key, entry, after, id, bytes, resolve, reject }))
      }),
    postpone: (key, after, due) =>
      call(async () => {
        checkPostpone(key, after, due)
        await write(statements.postpone, [key, after, String(due)]).catch((error: unknown) => {
          throw writeError(`Postponing ${JSON.stringify(key)}`, error, 'Postpone it again.')
        })
      }),
    take: options =>
      call(async () => {
        checkTake(options)
        const { limit, hold, prefixes, latest = false } = options
        const times = [limit, hold, clock.latest].map(String)
        const parameters = [...times, prefixes === undefined ? null : JSON.stringify(prefixes)]
        try {
          const rows = await write(latest ? statements.takeLatest : statements.take, parameters)
          return { at: clock.see(rows[0]?.at), items: rows.flatMap(row => storedIn(row) ?? []) }
        } catch (error) {
          throw writeError('Taking what is due', error, `What was taken is handed out again in ${hold} ms.`)
        }
      }),
    list: options =>
      call(async () => {
        checkCount('limit', options.limit, 1, 1000)
        return page(options)
      }),
    commit: (key, ...given) =>
      call(async () => {
        checkKey(key)
        return commit(key, ...given)
      }),
    risks: () => call(() => risksOf(read)),
    async close() {
      isClosed = true
      await Promise.allSettled(running)
      connections.close()
    },
  }
}
