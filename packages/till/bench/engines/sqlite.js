import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteStore } from '@tillkit/till/sqlite'

/** SQLite, each store on a file of its own in the directory for temporary files. */
export const sqlite = {
  name: 'SQLite',
  atLeast: { 64: 2 },
  async open() {
    const directory = mkdtempSync(join(tmpdir(), 'tillkit-bench-'))
    const coalesced = sqliteStore(join(directory, 'coalesced.db'))
    const single = sqliteStore(join(directory, 'single.db'), { writesPerCommit: 1 })
    return {
      coalesced,
      single,
      async close() {
        await Promise.all([coalesced.close(), single.close()])
        rmSync(directory, { recursive: true })
      },
    }
  },
}
