import { dirname } from 'node:path'
import type * as postgres from '@tillkit/till/postgres'
import type * as sqlite from '@tillkit/till/sqlite'
import { type CommandLine, json, option } from '../command-line/command.js'
import type { Surroundings } from '../command-line/surroundings.js'
import {
  hasFile,
  openPool,
  type StoreOptions,
  type StorePlace,
  storeOptions,
  storePlace,
  withoutPassword,
} from './open-store.js'
import { load } from './packages.js'

interface MigrateOptions extends StoreOptions {
  readonly dryRun?: true
  readonly json?: true
}

/** What was done, or would be. */
interface Migrated {
  readonly store: string
  readonly done: boolean
  /** Versions that are reached; empty: there is nothing to do. */
  readonly versions: readonly number[]
  readonly sql?: readonly string[]
  readonly says: string
}

/** `tillkit store`: the tables of a till. */
export function addStore(line: CommandLine, surroundings: Surroundings): void {
  const group = line.group('store', { summary: 'Makes the tables of a till.', does: 'Works on the store of a till.' })
  const command = line.add(
    group,
    'migrate',
    {
      summary: 'Makes or updates the tables of a store.',
      does: 'Makes the tables of a store, or brings them to the version of the installed @tillkit/till, and says what it did. It may be run again, and by several processes at once. With --dry-run it changes nothing, and prints the SQL that it would run.',
      examples: [
        'tillkit store migrate --dry-run',
        'TILLKIT_STORE=postgres://… tillkit store migrate',
        'tillkit store migrate --store shop.db',
      ],
      ends: {
        done: 'The tables are at the version of this release; with --dry-run: it said what it would do.',
        failed: 'The store failed, or has tables of a newer release.',
        usage: undefined,
      },
    },
    [option('--dry-run', 'Changes nothing, and says what would be done.'), json('what was done'), ...storeOptions()],
  )
  command.runs<MigrateOptions>(async options => {
    const place = storePlace(options, surroundings.environment)
    const done = options.dryRun !== true
    const migrated =
      place.kind === 'sqlite'
        ? await onFile(place, { done, surroundings })
        : await onServer(place, { done, surroundings })
    const { store, says, sql = [] } = migrated
    surroundings.say(
      options.json === true
        ? `${JSON.stringify(migrated)}\n`
        : `${store}\n${says}\n${sql.map(each => `\n${each}`).join('')}`,
    )
    return 'done'
  })
}

interface Migrating {
  readonly done: boolean
  readonly surroundings: Surroundings
}

/** SQLite makes its tables when it is opened: there is one version of them. */
async function onFile(
  { file }: Extract<StorePlace, { readonly kind: 'sqlite' }>,
  { done, surroundings }: Migrating,
): Promise<Migrated> {
  const isThere = await hasFile(file)
  if (!done) {
    const says = isThere
      ? 'Would open the file, and make the tables tillkit_store and tillkit_documents if they are missing. Others are not touched.'
      : `Would make this file in ${dirname(file)}, with the tables tillkit_store and tillkit_documents.`
    return { store: file, done, versions: [], says }
  }
  const { sqliteStore } = load<typeof sqlite>('@tillkit/till/sqlite', surroundings, '@tillkit/till')
  const store = sqliteStore(file)
  try {
    // The tables are made, or checked, with the first call.
    await store.read('tillkit store migrate')
  } finally {
    await store.close?.()
  }
  const says = isThere ? 'The tables are there, at the version of this release.' : 'Made the file and its tables.'
  return { store: file, done, versions: [], says }
}

async function onServer(
  place: Extract<StorePlace, { readonly kind: 'postgres' }>,
  { done, surroundings }: Migrating,
): Promise<Migrated> {
  const { migrate, migrations } = load<typeof postgres>('@tillkit/till/postgres', surroundings, '@tillkit/till')
  const schema = place.schema === undefined ? {} : { schema: place.schema }
  const pool = openPool(place, surroundings)
  const store = `${place.shown}, schema ${place.schema ?? 'tillkit'}`
  try {
    if (done) {
      const versions = await migrate(pool, schema)
      const says =
        versions.length === 0
          ? 'Nothing to do: the tables are at the version of this release.'
          : `Brought the tables to version ${versions.at(-1)}.`
      return { store, done, versions, says }
    }
    const steps = migrations(schema)
    const at = await versionOf(pool, place.schema ?? 'tillkit')
    const ahead = steps.filter(({ version }) => version > at)
    const says =
      ahead.length === 0
        ? 'Nothing to do: the tables are at the version of this release.'
        : `Would bring the tables from version ${at} to ${ahead.at(-1)?.version}${at === 0 ? ' (there are none yet)' : ''}:`
    return { store, done, versions: ahead.map(({ version }) => version), sql: ahead.map(({ sql }) => sql), says }
  } catch (error) {
    throw withoutPassword(error, place.url)
  } finally {
    await pool.end()
  }
}

async function versionOf(pool: ReturnType<typeof openPool>, schema: string): Promise<number> {
  const named = `"${schema.replaceAll('"', '""')}".migrations`
  const quoted = `'${named.replaceAll("'", "''")}'`
  const { rows } = await pool.query(`select to_regclass(${quoted}) is not null as there`)
  if (rows[0]?.there !== true) return 0
  const found = await pool.query(`select max(version)::int as version from ${named}`)
  return Number(found.rows[0]?.version ?? 0)
}
