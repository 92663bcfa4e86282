import { type BigIntStats, existsSync, realpathSync, statSync } from 'node:fs'
import { StoreError } from '../store/store.js'

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
        `${what} is not kept: ${isSame ? log : file} was deleted, moved or replaced while it was open. Stop all that uses it, put the right file back with its -wal and -shm, and start again; after a backup with till.start({ restored: true }).`,
      )
    },
  }
}
