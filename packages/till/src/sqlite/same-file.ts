import { type BigIntStats, existsSync, statSync } from 'node:fs'
import { StoreError } from '@tillkit/protocol'

/** Watches that the path still names the file that was opened: SQLite goes on writing to one that was deleted or replaced. */
export function watchFile(file: string) {
  let first: BigIntStats | undefined
  const look = () => statSync(file, { bigint: true, throwIfNoEntry: false })
  return {
    /** The file is open for the first time. */
    opened(): void {
      first ??= look()
    },
    /**
     * Is called after a write: what was written before the file was replaced is in it.
     *
     * @throws {StoreError} `ERR_STORE_SCHEMA` where the file, or its log of writes, is not there or is another one.
     */
    check(what: string): void {
      const now = look()
      const isSame = now !== undefined && now.ino === first?.ino && now.dev === first.dev
      if (isSame && existsSync(`${file}-wal`)) return
      throw new StoreError(
        'ERR_STORE_SCHEMA',
        `${what} is not kept: ${isSame ? `${file}-wal` : file} was deleted, moved or replaced while it was open. Stop all that uses it, put the right file back with its -wal and -shm, and start again; after a backup with till.start({ restored: true }).`,
      )
    },
  }
}
