import type { Surroundings } from '../command-line/surroundings.js'
import { UsageError } from '../gateway/errors.js'
import { folderOf, load } from './packages.js'

/** What both drivers have. */
interface Database {
  prepare(sql: string): { all(): readonly object[] }
  close(): void
}

interface Tables {
  readonly names: readonly string[]
  /** Of the tables of a till, where they are there. */
  readonly version: unknown
}

/** Looks at the tables of a file of SQLite, which it opens for reading only. @throws {@link UsageError} for what is no such file. */
export function tablesOf(file: string, surroundings: Pick<Surroundings, 'folders'>): Tables {
  let database: Database | undefined
  try {
    database = open(file, surroundings)
    const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all()
    const names = rows.map(row => String(Reflect.get(row, 'name'))).filter(name => !name.startsWith('sqlite_'))
    if (!names.includes('tillkit_store')) return { names, version: undefined }
    const [row = {}] = database.prepare('SELECT version FROM tillkit_store').all()
    return { names, version: Reflect.get(row, 'version') }
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`${file} cannot be read as a database of SQLite: ${why}. Check the path.`, { cause })
  } finally {
    database?.close()
  }
}

/** As `sqliteStore` does: by Node.js where it brings SQLite, else by libsql. */
function open(file: string, surroundings: Pick<Surroundings, 'folders'>): Database {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 13)) {
    const { DatabaseSync } = quietly(() => process.getBuiltinModule('node:sqlite')) as unknown as {
      readonly DatabaseSync: new (file: string, options: { readonly readOnly: boolean }) => Database
    }
    return new DatabaseSync(file, { readOnly: true })
  }
  const folders = [...folderOf('@tillkit/till', surroundings), ...surroundings.folders]
  const Libsql = load<new (file: string, options: { readonly: boolean }) => Database>('libsql', { folders })
  return new Libsql(file, { readonly: true })
}

/** Loads what warns that it is experimental. The user of a command can do nothing about that. */
function quietly<Module>(load: () => Module): Module {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}
