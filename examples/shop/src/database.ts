/** One database for the till's payments and the shop's own orders: a file of SQLite, or PostgreSQL. */
import type { Store } from '@tillkit/till'
import { migrate, postgresStore } from '@tillkit/till/postgres'
import { type SqliteValue, sqliteStore } from '@tillkit/till/sqlite'
import Sqlite from 'libsql'
import pg from 'pg'

/** A row, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>

/** Runs one statement of the shop's own. Values are bound, never spliced. */
export type Sql = (statement: TemplateStringsArray, ...values: readonly SqliteValue[]) => Promise<readonly Row[]>

/** What a handler writes with: it is committed together with the mark that the till told it, or not at all. */
export interface Transaction {
  run(statement: TemplateStringsArray, ...values: readonly SqliteValue[]): Promise<unknown>
}

/** An open database. */
export interface Database {
  /** Where the till keeps payments. */
  readonly store: Store<Transaction>
  /** For the shop's own table, which stands beside those of the store. */
  readonly sql: Sql
  close(): Promise<void>
}

/**
 * Opens the shop's database.
 *
 * @param place A path, or a `postgres:` address.
 */
export function openDatabase(place: string, { clock }: { readonly clock: () => number }): Promise<Database> {
  return /^postgres(ql)?:/.test(place) ? openPostgres(place) : openSqlite(place, clock)
}

async function openSqlite(file: string, clock: () => number): Promise<Database> {
  // Both by libsql: within one process, two libraries of SQLite do not see each other's locks.
  const store = sqliteStore(file, { driver: 'libsql', clock })
  const own = new Sqlite(file, { timeout: 10_000 }) // waits for the store's connection, in milliseconds
  own.exec('pragma journal_mode = WAL')
  return {
    store,
    sql: async (statement, ...values) => own.prepare(statement.join('?')).all(...values) as Row[],
    async close() {
      await store.close()
      own.close()
    },
  }
}

async function openPostgres(url: string): Promise<Database> {
  const pool = new pg.Pool({ connectionString: url })
  await migrate(pool)
  const store = postgresStore(pool)
  return {
    store,
    async sql(statement, ...values) {
      const text = statement.reduce((before, part, index) => `${before}$${index}${part}`)
      return (await pool.query(text, [...values])).rows
    },
    async close() {
      await store.close()
      await pool.end()
    },
  }
}
