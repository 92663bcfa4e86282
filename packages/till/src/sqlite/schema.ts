import { StoreError } from '../store/store.js'
import type { Run, Work } from './connection.js'
import type { Row } from './worker/jobs.js'

/** The version of the tables that this release reads and writes. */
const ours = 1

/**
 * The tables. They have names of their own because they stand beside the merchant's; for the same reason the version is in a table
 * and not in `user_version`, which the merchant's migrations may use.
 *
 * `tillkit_store` has one row. `at` is the greatest date, in milliseconds since the epoch, that a commit has had. `since` is the
 * last place that was given on a list: microseconds since the epoch, and greater than every one before.
 */
const tables = [
  `CREATE TABLE IF NOT EXISTS tillkit_store (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    since INTEGER NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS tillkit_documents (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE COLLATE BINARY,
    version INTEGER NOT NULL,
    write_id TEXT NOT NULL,
    list TEXT,
    since INTEGER,
    due INTEGER,
    body TEXT NOT NULL
  )`,
  'CREATE INDEX IF NOT EXISTS tillkit_documents_due ON tillkit_documents (due, key) WHERE due IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS tillkit_documents_list ON tillkit_documents (list, since) WHERE list IS NOT NULL',
  `INSERT OR IGNORE INTO tillkit_store (one, version, at, since) VALUES (1, ${ours}, 0, 0)`,
]

const columns: Readonly<Record<string, readonly string[]>> = {
  tillkit_store: ['version', 'at', 'since'],
  tillkit_documents: ['id', 'key', 'version', 'write_id', 'list', 'since', 'due', 'body'],
}

/** Moves the clock of the file on to the value, in milliseconds since the epoch, and gives it. */
export const moveClock = 'UPDATE tillkit_store SET at = max(at, CAST(? AS INTEGER)) RETURNING at'

/** Gives the clock of the file. */
export const readClock = 'SELECT at FROM tillkit_store'

/** The tables that a store finds in a file. */
export interface SqliteTables {
  /** Names of the tables of a store. */
  readonly ours: readonly string[]
  /** Whether the file is there. Else a store makes it with its first call. */
  readonly isThere: boolean
  /** Whether the tables are there, at the version of this release. Else a store makes them with its first call. */
  readonly areMade: boolean
  /** Names of the other tables of the file, which a store does not touch. */
  readonly others: readonly string[]
}

const ourTables = Object.keys(columns)

/** The answer for a file that is not there. */
export const noTables: SqliteTables = { ours: ourTables, isThere: false, areMade: false, others: [] }

const checkOf = (file: string): string => `The check of ${file}`

/** Checks the tables of a file, and makes them where there are none. @throws As {@link readTables} does. */
export async function prepareTables(run: Run, file: string): Promise<void> {
  const { areMade } = await readTables(run, file)
  if (areMade) return
  await run({
    kind: 'create',
    what: checkOf(file),
    steps: tables.map(sql => ({ sql, values: [] })),
  })
}

/**
 * Reads which tables a file has, and checks those of a store.
 *
 * @throws {StoreError} `ERR_STORE_SCHEMA` for tables of another release, tables that are not ours, and a part of ours.
 */
export async function readTables(run: Run, file: string): Promise<SqliteTables> {
  const problem = (found: string, cure: string) => new StoreError('ERR_STORE_SCHEMA', `${file} ${found} ${cure}`)
  const inspect = (...statements: readonly string[]): Work => ({
    kind: 'inspect',
    what: checkOf(file),
    steps: statements.map(sql => ({ sql, values: [] })),
  })
  const look = inspect(
    'PRAGMA encoding',
    `SELECT t.name AS "table", c.name AS "column" FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c
      WHERE t.type = 'table' AND t.name IN (${ourTables.map(name => `'${name}'`).join(', ')})`,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
  )
  const found = await run(look)
  const encoding = found.rows?.[0]?.[0]?.encoding
  if (encoding !== 'UTF-8') {
    throw problem(`keeps text as ${String(encoding)}.`, 'Keys are ordered as UTF-8: give the store a file of its own.')
  }
  const present = columnsOf(found.rows?.[1] ?? [])
  const others = (found.rows?.[2] ?? []).map(({ name }) => String(name)).filter(name => !ourTables.includes(name))
  if (present.size === 0) return { ours: ourTables, isThere: true, areMade: false, others }
  for (const [table, wanted] of Object.entries(columns)) {
    const has = present.get(table)
    if (has === undefined) {
      throw problem(`has lost the table ${table}.`, 'Restore the last backup; without it, what was paid is forgotten.')
    }
    const missing = wanted.filter(column => !has.includes(column))
    if (missing.length > 0 && table === 'tillkit_store') {
      throw problem(
        `has a table ${table} that is not from this library: ${missing.join(', ')} is missing.`,
        'Rename that table, or give the store a file of its own.',
      )
    }
  }
  const [versions] = (await run(inspect('SELECT version FROM tillkit_store'))).rows ?? []
  const version = versions?.[0]?.version
  if (typeof version === 'number' && version > ours) {
    throw problem(`has tables of version ${version}; this release knows ${ours}.`, 'Update @tillkit/till.')
  }
  const lacking = columns.tillkit_documents?.filter(column => !present.get('tillkit_documents')?.includes(column)) ?? []
  if (version !== ours || lacking.length > 0) {
    const has =
      lacking.length > 0
        ? `lacks ${lacking.join(', ')} in tillkit_documents`
        : `has tables of version ${String(version)}`
    throw problem(
      `${has}; this release needs version ${ours}.`,
      'Open it with the release that made it, or restore a backup.',
    )
  }
  return { ours: ourTables, isThere: true, areMade: true, others }
}

function columnsOf(rows: readonly Row[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { table, column } of rows) {
    const list = found.get(String(table)) ?? []
    list.push(String(column))
    found.set(String(table), list)
  }
  return found
}
