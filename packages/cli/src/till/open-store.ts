import { stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import type { Store } from '@tillkit/till'
import type * as postgres from '@tillkit/till/postgres'
import type * as sqlite from '@tillkit/till/sqlite'
import { type OptionsOf, option } from '../command-line/command.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { asGiven } from '../command-line/words.js'
import { UsageError } from '../gateway/errors.js'
import { settingsOption } from '../merchant/settings.js'

/** Options of every command that opens a store. */
export const storeOptions = () =>
  [
    option(
      '--store <file>',
      'File of SQLite. Default: TILLKIT_STORE, a file or a postgres:// address; else DATABASE_URL.',
    ),
    option('--store-schema <name>', 'Schema of the tables in PostgreSQL. Default: tillkit.'),
  ].map(each => each.helpGroup('Store:'))

/** Which store, as it was given. */
export type StoreOptions = OptionsOf<ReturnType<typeof storeOptions>>

/** The options as they were given, for the next command about the same store. */
export const sameStore = (given: StoreOptions & { readonly settings?: string }): string =>
  asGiven([...storeOptions(), settingsOption()], given)

/** The place of a store. */
export type StorePlace =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly shown: string; readonly schema: string | undefined }

const isPostgres = (text: string): boolean => /^postgres(?:ql)?:\/\//i.test(text)

/**
 * Says which store is meant.
 *
 * @param environment Where an address of PostgreSQL stands: it holds a password, so that it is no argument.
 * @throws {@link UsageError}
 */
export function storePlace(options: StoreOptions, environment: Surroundings['environment']): StorePlace {
  const { store, storeSchema: schema } = options
  if (store !== undefined && /^[a-z]{2,}:/i.test(store)) {
    throw new UsageError(
      '--store takes a file of SQLite. An address of PostgreSQL holds a password: set TILLKIT_STORE in the environment.',
    )
  }
  const { TILLKIT_STORE: named = '', DATABASE_URL: database = '' } = environment
  const place = store ?? (named !== '' ? named : isPostgres(database) ? database : '')
  if (place === '') throw new UsageError('Which store? Name a file of SQLite with --store, or set TILLKIT_STORE.')
  if (!isPostgres(place) && /^[a-z][\w+.-]+:\/\//i.test(place)) {
    throw new UsageError(
      'The store is an address of a kind that is not known here. Name a file of SQLite, or postgres://user@host:5432/database.',
    )
  }
  if (!isPostgres(place)) return { kind: 'sqlite', file: resolve(place) }
  const url = URL.canParse(place) ? new URL(place) : undefined
  if (url === undefined)
    throw new UsageError(
      'The address of PostgreSQL cannot be read. It must look like postgres://user@host:5432/database.',
    )
  return { kind: 'postgres', url: place, shown: `postgres://${url.host}${url.pathname}`, schema }
}

/** Whether variables name a store. */
export function hasStore(environment: Surroundings['environment']): boolean {
  try {
    storePlace({}, environment)
    return true
  } catch {
    return false
  }
}

/** A pool of `pg`, as far as it is used here. */
export type Pool = postgres.PostgresPool & {
  end(): Promise<void>
  query(text: string): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>
}

/** Opens a pool. */
export function openPool({ url }: { readonly url: string }, surroundings: PackagePlaces): Pool {
  const folders = [...surroundings.folders, ...folderOf('@tillkit/till', surroundings)]
  const { Pool: PgPool } = load<{ Pool: new (options: object) => Pool }>('pg', { folders })
  const pool = new PgPool({ connectionString: url, max: 4, connectionTimeoutMillis: 10_000 })
  // A connection that breaks while it is idle is not what was asked about.
  pool.on('error', () => undefined)
  return pool
}

export const hasFile = (path: string): Promise<boolean> =>
  stat(path).then(
    each => each.isFile(),
    () => false,
  )

export const hasFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    each => each.isDirectory(),
    () => false,
  )

/** Works with a store, and closes it. @throws {@link UsageError} if its file does not exist: it is not made. */
export async function withStore<Result>(
  place: StorePlace,
  surroundings: PackagePlaces,
  work: (store: Store<unknown>) => Promise<Result>,
): Promise<Result> {
  if (place.kind === 'sqlite') {
    if (!(await hasFile(place.file))) throw new UsageError(`There is no store at ${place.file}.`)
    const { sqliteStore } = load<typeof sqlite>('@tillkit/till/sqlite', surroundings, '@tillkit/till')
    const store = sqliteStore(place.file)
    return work(store as Store<unknown>).finally(() => store.close?.())
  }
  const { postgresStore } = load<typeof postgres>('@tillkit/till/postgres', surroundings, '@tillkit/till')
  const pool = openPool(place, surroundings)
  const store = postgresStore(pool, place.schema === undefined ? {} : { schema: place.schema })
  try {
    return await work(store as Store<unknown>)
  } catch (error) {
    throw withoutPassword(error, place.url)
  } finally {
    await store.close?.()
    await pool.end()
  }
}

/** Drivers do not quote passwords; one that will must not tell ours. */
export function withoutPassword(error: unknown, url: string): unknown {
  const { password } = new URL(url)
  if (!(error instanceof Error) || password === '') return error
  const clean = [password, decodeURIComponent(password)].reduce(
    (text, secret) => text.replaceAll(secret, '***'),
    error.message,
  )
  return clean === error.message ? error : Object.assign(new Error(clean), { name: error.name })
}

/** The surroundings that tell where packages are. */
export type PackagePlaces = Pick<Surroundings, 'folders' | 'packages'>

/**
 * Loads a package that only some commands need: the shop's own one, where the command was started in its folder, else one beside the
 * command.
 *
 * @throws {@link UsageError} that says what to install.
 */
export function load<Module>(name: string, { folders, packages }: PackagePlaces, install = name): Module {
  const loaded = packages?.[name]
  if (loaded !== undefined) return loaded as Module
  for (const folder of folders) {
    const from = createRequire(join(resolve(folder), 'package.json'))
    const path = find(name, from)
    if (path !== undefined) return from(path) as Module
  }
  throw new UsageError(
    `This command needs the package ${install}, and it is not installed here. ` +
      `Start the command in the folder of your shop, or install it: npm install ${install}`,
  )
}

/** The folder of a package that a command has loaded: the packages that only this one needs stand beside it. */
export function folderOf(name: string, { folders }: Pick<Surroundings, 'folders'>): readonly string[] {
  return folders.flatMap(folder => find(name, createRequire(join(resolve(folder), 'package.json'))) ?? []).map(dirname)
}

function find(name: string, from: NodeJS.Require): string | undefined {
  try {
    return from.resolve(name)
  } catch {
    return undefined
  }
}
