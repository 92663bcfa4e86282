/**
 * The version of the tables: checked, and brought up to this release's.
 *
 * @module
 */
import { StoreError } from '../store/store.js'
import type { Connections, PostgresQuery } from './driver.js'
import { isMissingTable, isWorthRepeating, readError, sqlState, writeError } from './errors.js'
import { currentVersion, type Step, stepsFor } from './migrations.js'

/** @throws {StoreError} `ERR_STORE_SCHEMA` for tables of another release, `ERR_STORE_UNREADABLE` where nothing can be read. */
export async function checkSchema<Client>({ read }: Connections<Client>, schema: string): Promise<void> {
  const version = await versionOf(read, schema).catch((error: unknown) => {
    if (isMissingTable(error)) throw mismatch(`has no tables of a store. ${cure}`, schema, { cause: error })
    throw readError(`Reading the version of the tables in "${schema}"`, error)
  })
  if (version < currentVersion) {
    throw mismatch(`has tables at version ${version}; this release needs ${currentVersion}. ${cure}`, schema)
  }
  if (version > currentVersion) throw tooNew(version, schema)
}

const cure = 'Run migrate(pool) of @tillkit/till/postgres once, or the SQL of migrations() with your own tool.'

/**
 * Brings the tables to this release's version. Each step is one transaction; of two processes that run it at once, one waits.
 *
 * @returns The versions that were reached, in order; empty: nothing had to be done.
 */
export async function applyMigrations<Client>(
  connections: Connections<Client>,
  schema: string,
): Promise<readonly number[]> {
  const reached: number[] = []
  for (const { version, statements } of stepsFor(schema)) {
    if (await applyStep(connections, { schema, version, statements })) reached.push(version)
  }
  await checkSchema(connections, schema)
  return reached
}

async function applyStep<Client>(
  connections: Connections<Client>,
  step: Step & { readonly schema: string },
  tries = 1,
): Promise<boolean> {
  try {
    const find = `select to_regclass('"${step.schema}".migrations') is not null as there`
    return await connections.transaction(find, async ({ row, query }) => {
      const version = row?.there === true ? await lockedVersion(query, step.schema) : 0
      if (version >= step.version) return false
      for (const statement of step.statements) await query(statement, [])
      return true
    })
  } catch (error) {
    if (isRace(error) && tries < 10) return applyStep(connections, step, tries + 1)
    const what = `Bringing the tables in "${step.schema}" to version ${step.version}`
    throw writeError(what, error, 'Run it again.', rightsToMigrate(step.schema))
  }
}

const rightsToMigrate = (schema: string): string =>
  'Run migrate as a role that may make tables: ' +
  `one with "create" on the database, or, if the schema "${schema}" exists, with "usage, create" on it. ` +
  'Tables that exist are altered by their owner only.'

/** Another process created the same thing first: by the next try it has committed. */
const isRace = (error: unknown): boolean =>
  isWorthRepeating(error) || /^(?:23505|42P06|42P07)$/.test(sqlState(error) ?? '')

/** The version, with every other migration held up until this transaction ends. */
async function lockedVersion(query: PostgresQuery, schema: string): Promise<number> {
  await query(`lock table "${schema}".migrations in share row exclusive mode`, [])
  const version = await versionOf(query, schema)
  if (version > currentVersion) throw tooNew(version, schema)
  return version
}

async function versionOf(query: PostgresQuery, schema: string): Promise<number> {
  const [row] = await query(`select max(version) as version from "${schema}".migrations`, [])
  return Number(row?.version ?? 0)
}

const tooNew = (version: number, schema: string): StoreError =>
  mismatch(
    `has tables at version ${version}, of a newer release; this one knows ${currentVersion}. Update @tillkit/till here.`,
    schema,
  )

const mismatch = (what: string, schema: string, options?: ErrorOptions): StoreError =>
  new StoreError('ERR_STORE_SCHEMA', `The schema "${schema}" ${what}`, options)
