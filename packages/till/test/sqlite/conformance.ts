import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { StoreGround } from '@tillkit/testing'
import type { SqliteTransaction } from '@tillkit/till/sqlite'
import { storeOnFile } from '../../src/sqlite/store.js'
import type { FoundDriver } from '../../src/sqlite/worker/driver.js'
import { findDriver } from '../../src/sqlite/worker/find-driver.js'
import { workerText } from '../../src/sqlite/worker/worker-text.js'

/** The drivers that this Node.js can run. */
export const drivers: readonly FoundDriver['name'][] = isBuiltin('node:sqlite') ? ['libsql', 'node:sqlite'] : ['libsql']

interface Libsql {
  new (
    file: string,
  ): {
    exec(sql: string): void
    prepare(sql: string): { get(id: string): { readonly value: string } | undefined }
    close(): void
  }
}

/** Fresh ground for `storeConformance`: a file with a table of the merchant, whose stores lose their workers when disturbed. */
export async function conformanceGround(
  driver: FoundDriver['name'],
  module?: string,
): Promise<StoreGround<SqliteTransaction>> {
  const directory = mkdtempSync(join(tmpdir(), 'tillkit-sqlite-'))
  const file = join(directory, 'shop.db')
  const Database: Libsql = createRequire(import.meta.url)('libsql')
  const merchants = new Database(file)
  merchants.exec('PRAGMA busy_timeout = 10000')
  merchants.exec('CREATE TABLE rows (id TEXT PRIMARY KEY, value TEXT NOT NULL)')
  const workers = new Set<Worker>()
  let back = 0
  let ids = 0
  const system = () => Date.now() - back
  const again = async () =>
    storeOnFile({
      file,
      driver: findDriver(driver),
      lockTimeout: 10_000,
      writesPerCommit: 256,
      newId: () => `${process.pid}-${++ids}`,
      system,
      monotonic: () => performance.now(),
      start(workerData) {
        const worker = new Worker(workerText, { eval: true, execArgv: [], workerData })
        workers.add(worker)
        worker.once('exit', () => workers.delete(worker))
        return worker
      },
    })
  return {
    store: await again(),
    again,
    rows: {
      insert: ({ run }, id, value) => run`insert into rows (id, value) values (${id}, ${value})`,
      read: async id => merchants.prepare('SELECT value FROM rows WHERE id = ?').get(id)?.value,
    },
    disturb: async () => {
      await Promise.all([...workers].map(worker => worker.terminate()))
    },
    setClockBack: milliseconds => {
      back += milliseconds
    },
    end: async () => {
      merchants.close()
      rmSync(directory, { recursive: true, force: true })
    },
    ...(module !== undefined && { elsewhere: { module, data: { file, driver } } }),
  }
}
