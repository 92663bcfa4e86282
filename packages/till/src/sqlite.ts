import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { SqliteTables } from './sqlite/schema.js'
import { storeOnFile, tablesOfFile } from './sqlite/store.js'
import type { SqliteTransaction } from './sqlite/transaction.js'
import { findDriver } from './sqlite/worker/find-driver.js'
import type { WorkerSettings } from './sqlite/worker/jobs.js'
import { workerText } from './sqlite/worker/worker-text.js'
import type { Store } from './store/store.js'

export type { SqliteTables } from './sqlite/schema.js'
export type { SqliteTransaction, SqliteValue } from './sqlite/transaction.js'

/** Options of {@link sqliteStore}. */
export interface SqliteStoreOptions {
  /**
   * `node:sqlite` or the package libsql. Default: `node:sqlite` from Node.js 22.13 on, libsql before. A bundler has to leave libsql out.
   */
  readonly driver?: 'node:sqlite' | 'libsql'
  /** How long a call waits while another process or connection writes to the file, in milliseconds. Default: 10,000. */
  readonly lockTimeout?: number
  /** Milliseconds since the epoch. Default: the system clock. */
  readonly clock?: () => number
}

/** A store on a file of SQLite, whose `commit` takes statements for the merchant's tables in the same file. */
export type SqliteStore = Required<Omit<Store<SqliteTransaction>, 'risks'>>

/**
 * A store on a file of SQLite: for one machine, with one busy process. Several processes may share the file, one of which is
 * then served before the others at times. Put the file on a local disk: network file systems do not lock as SQLite needs it.
 *
 * Its two tables, `tillkit_store` and `tillkit_documents`, may stand beside yours; they are made where they are missing. **Where your
 * code opens the file in the same process, it must do so by the same driver**: two SQLite libraries in one process (this one and
 * better-sqlite3, say) do not see each other's locks, and what one has committed is lost when the other writes.
 * On Linux such a file is refused where it is noticed; in another process, any library may use it.
 * **Give each connection of yours a time to wait**, with `pragma busy_timeout = 10000` or the driver's option for it:
 * without it SQLite refuses your writes while the store writes, and a connection of libsql then loses later ones.
 * The store cannot see this. A file of its own is always safe.
 *
 * Everything runs in a worker thread, so the event loop is free while the disk works. A write resolves once it would survive a loss of
 * power (WAL, `synchronous=FULL`). The process may end while the store is open.
 *
 * **Its clock** is the system clock, but never earlier than any date that a commit to this file has had: it never goes back behind
 * a date that was written, in any process, whatever restarts. Within a process it never goes back at all. Where the system clock was
 * set back, it goes on at half speed until the system clock has caught up. What it can do after such a step: a new process may be
 * told an earlier date than another process had read since the last commit.
 *
 * @param file Its path, or a `file:` URL. It is made where it is missing; its directory is not.
 * @throws {TypeError} For an option that is out of range, and where no driver is installed.
 * @example
 * ```ts
 * import { sqliteStore } from '@tillkit/till/sqlite'
 *
 * const store = sqliteStore('shop.db')
 * ```
 */
export function sqliteStore(file: string | URL, options: SqliteStoreOptions = {}): SqliteStore {
  const { driver, lockTimeout = 10_000, clock } = options
  check(file, lockTimeout)
  return storeOnFile({
    file,
    driver: findDriver(driver),
    lockTimeout,
    newId: randomUUID,
    system: clock ?? Date.now,
    monotonic: clock ?? (() => performance.now()),
    start,
  })
}

/**
 * Tells what {@link sqliteStore} would find in a file, and so what it would make there. It opens the file for reading only, and changes no
 * byte of it.
 *
 * @param file Its path, or a `file:` URL. It need not be there.
 * @throws {StoreError} As a store does with its first call: for a file that cannot be read, and for tables that it cannot work with.
 * @throws {TypeError} For an option that is out of range, and where no driver is installed.
 */
export async function sqliteTables(
  file: string | URL,
  options: Pick<SqliteStoreOptions, 'driver' | 'lockTimeout'> = {},
): Promise<SqliteTables> {
  const { driver, lockTimeout = 10_000 } = options
  check(file, lockTimeout)
  const monotonic = () => performance.now()
  return tablesOfFile({ file, driver: findDriver(driver), lockTimeout, system: Date.now, monotonic, start })
}

/** Without the flags of the command line: a loader or a profiler of the program has no business in this thread. */
const start = (workerData: WorkerSettings): Worker =>
  new Worker(workerText, { eval: true, execArgv: [], name: 'tillkit-sqlite', workerData })

function check(file: string | URL, lockTimeout: number): void {
  const isUrl = file instanceof URL && file.protocol === 'file:'
  if (!isUrl && (typeof file !== 'string' || file === '' || /^(?::memory:$|[a-z]{2,}:)|\0/i.test(file)))
    throw new TypeError(
      `sqliteStore: "file" must be the path of a file or a file: URL. Found: ${String(file)}. ` +
        'In memory only: memoryStore() of @tillkit/till.',
    )
  if (Number.isSafeInteger(lockTimeout) && lockTimeout >= 0) return
  throw new TypeError(`sqliteStore: "lockTimeout" must be a whole number from 0 on. Found: ${lockTimeout}.`)
}
