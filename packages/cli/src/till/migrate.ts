import { dirname } from 'node:path'
import type * as postgres from '@tillkit/till/postgres'
import type * as sqlite from '@tillkit/till/sqlite'
import { type CommandLine, json, option } from '../command-line/command.js'
import { withProgress } from '../command-line/progress.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { columnsOf, printable, wrapText } from '../command-line/wrap.js'
import { UsageError } from '../gateway/errors.js'
import { hasFolder, load, openPool, type StorePlace, storeOptions, storePlace, withoutPassword } from './open-store.js'

/** A migration that was done, or that a dry run plans. */
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
      does:
        'Makes the tables of a store, or brings them to the version of the installed @tillkit/till, ' +
        'and says what it did. It may be run again, and by several processes at once. ' +
        'With --dry-run it changes nothing, and says what it would do; for PostgreSQL it prints the SQL.',
      examples: [
        'tillkit store migrate --dry-run',
        'TILLKIT_STORE=postgres://shop@localhost/shop tillkit store migrate',
        'tillkit store migrate --store shop.db',
      ],
      ends: {
        done: 'The tables are at the version of this release; with --dry-run: it said what it would do.',
        failed: 'The store failed, or has tables of a newer release.',
        usage: undefined,
        interrupted: undefined,
      },
    },
    [option('--dry-run', 'Changes nothing, and says what would be done.'), json('what was done'), ...storeOptions()],
  )
  command.runs(async options => {
    const place = storePlace(options, surroundings.environment)
    const done = options.dryRun !== true
    const asked = () =>
      place.kind === 'sqlite' ? onFile(place, { done, surroundings }) : onServer(place, { done, surroundings })
    const left = () => (done ? 'The tables are made or not: run it again, which does no harm.' : 'Nothing was changed.')
    const migrated = await withProgress(surroundings, 'Waiting for the store', asked, left)
    const { store, says, sql = [] } = migrated
    surroundings.say(
      options.json === true
        ? `${JSON.stringify(migrated)}\n`
        : `${store}\n${wrapText(says, columnsOf(surroundings.terminal))}\n${sql.map(each => `\n${each}`).join('')}`,
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
  if (!(await hasFolder(dirname(file)))) {
    throw new UsageError(
      `There is no folder ${dirname(file)}: a store is made in one that is there. Make it, or correct the path.`,
    )
  }
  const { sqliteStore, sqliteTables } = load<typeof sqlite>('@tillkit/till/sqlite', surroundings, '@tillkit/till')
  const { ours, isThere, areMade, others } = await sqliteTables(file).catch(asUsageError)
  const names = inWords(ours)
  const beside = others.length === 0 ? '' : ` Others there, which it does not touch: ${inWords(others)}.`
  const told = (says: string): Migrated => ({ store: file, done, versions: [], says: `${says}${beside}` })
  if (areMade) return told(`Nothing to do: the tables ${names} are there, at the version of this release.`)
  if (!done && !isThere) return told(`There is no such file. Would make it, with the tables ${names}.`)
  if (!done) return told(`Would make the tables ${names} in this file.`)
  const store = sqliteStore(file)
  try {
    // The tables are made with the first call.
    await store.read('tillkit store migrate')
  } finally {
    await store.close()
  }
  return told(`Made the ${isThere ? '' : 'file and its '}tables ${names}.`)
}

/** A path that leads to no database is a mistake of the one who gave it. */
function asUsageError(error: NodeJS.ErrnoException): never {
  throw error.code === 'ERR_STORE_UNREADABLE' ? new UsageError(error.message, { cause: error }) : error
}

const inWords = (names: readonly string[]): string => names.map(printable).join(', ')

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
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') {
      throw new Error(`There is no PostgreSQL at ${place.shown} (${code}). Is the server up, and the address right?`, {
        cause: error,
      })
    }
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
