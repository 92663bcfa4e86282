import { type BigIntStats, existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '../store/store.js'
import type { FoundDriver } from './worker/jobs.js'

/**
 * Refuses a file that this process has open already while it has another SQLite library loaded than ours. Locks of POSIX belong to
 * the process: two libraries in one process both get the lock for writing, and one loses what the other has committed. It was seen
 * to. Only Linux shows what is open and loaded; elsewhere nothing is refused.
 *
 * @throws {StoreError} `ERR_STORE_REFUSED`, with the path of the other library.
 */
export function refuseOtherLibrary(file: string, driver: FoundDriver['name'], processFiles = '/proc/self'): void {
  const library = isOpen(file, processFiles) ? otherLibrary(driver, processFiles) : undefined
  if (library === undefined) return
  throw new StoreError(
    'ERR_STORE_REFUSED',
    `${file} is open in this process already, ` +
      `and another SQLite library than that of ${driver} is loaded: ${library}. ` +
      "Two libraries in one process do not see each other's locks and write over each other. " +
      `Open the file by ${driver} only, in another process, or give the store a file of its own.`,
  )
}

function isOpen(file: string, processFiles: string): boolean {
  try {
    const path = realpathSync(file)
    const folder = join(processFiles, 'fd')
    return readdirSync(folder).some(descriptor => targetOf(join(folder, descriptor)) === path)
  } catch {
    // The file is not there yet, or this is not Linux.
    return false
  }
}

/** A descriptor may be closed while the others are looked at. */
function targetOf(descriptor: string): string | undefined {
  try {
    return readlinkSync(descriptor)
  } catch {
    return undefined
  }
}

/** better-sqlite3, sqlite3, Prisma's engine and the system's library by the names of their files; libsql by its folder. */
function otherLibrary(driver: FoundDriver['name'], processFiles: string): string | undefined {
  const lines = readFileSync(join(processFiles, 'maps'), 'utf8').split('\n')
  return lines
    .map(line => line.slice(line.indexOf('/')))
    .find(path => otherFile.test(path) || (driver !== 'libsql' && /\/@libsql\/.*\.node$/.test(path)))
}

const otherFile = /\/[^/]*(?:sqlite|query_engine)[^/]*\.(?:node|so)(?:\.\d+)*$/i

/** Watches that the path still names the file that was opened: SQLite goes on writing to one that was deleted or replaced. */
export function watchFile(file: string) {
  let first: BigIntStats | undefined
  // SQLite follows a link, and keeps its log of writes beside the file itself.
  let log = ''
  const look = () => statSync(file, { bigint: true, throwIfNoEntry: false })
  return {
    /** The file is open for the first time. */
    opened(): void {
      if (first !== undefined) return
      first = look()
      log = `${realpathSync(file)}-wal`
    },
    /**
     * Call it after a write. A write that finished before the replacement is in the old file.
     *
     * @throws {StoreError} `ERR_STORE_SCHEMA` where the file, or its log of writes, is not there or is another one.
     */
    check(what: string): void {
      const now = look()
      const isSame = now !== undefined && now.ino === first?.ino && now.dev === first.dev
      if (isSame && existsSync(log)) return
      throw new StoreError(
        'ERR_STORE_SCHEMA',
        `${what} is not kept: ${isSame ? log : file} was deleted, moved or replaced while it was open. ` +
          'Stop all that uses it, put the right file back with its -wal and -shm, and start again; ' +
          'after a backup with till.start({ restored: true }).',
      )
    },
  }
}
