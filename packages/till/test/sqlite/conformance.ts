import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type { SqliteTransaction } from '@tillkit/till/sqlite'
import type { StoreGround } from '../../src/conformance.js'
import { storeOnFile } from '../../src/sqlite/store.js'
import { findDriver } from '../../src/sqlite/worker/find-driver.js'
import type { Request } from '../../src/sqlite/worker/jobs.js'
import { libsql } from '../../src/sqlite/worker/libsql.js'
import { nodeSqlite } from '../../src/sqlite/worker/node-sqlite.js'
import { workerText } from '../../src/sqlite/worker/worker-text.js'
import type { createThreads } from './threads.js'

/** One driver a process: two libraries do not see each other's locks. */
export const driver = findDriver(undefined)

/** A connection of the merchant. */
export function merchantsConnection(file: string) {
  const load = createRequire(import.meta.url)
  return (driver.name === 'libsql' ? libsql : nodeSqlite)(load, driver.path).open(file)
}

/**
 * A worker that ends by itself, before it takes up what was posted or before it answers, once its flag is set. Ended from outside
 * in the middle of a call, libsql ends the whole process.
 */
const mortal = `
const { parentPort, workerData } = require('node:worker_threads')
const post = parentPort.postMessage.bind(parentPort)
const mayEnd = () => Atomics.load(workerData.flag, 0) === 1 && process.exit(1)
parentPort.on('message', mayEnd)
parentPort.postMessage = replies => {
  mayEnd()
  post(replies)
}
`

interface ConformanceOptions {
  /** The module that other processes run. Default: there are none. */
  readonly module?: string
  /** How often the stores lose their workers at most. Default: each time that a check wants it. */
  readonly mostDisturbed?: number
}

/** Fresh ground for `storeConformance`: a file with a table of the merchant, whose stores lose their workers when disturbed. */
export async function conformanceGround(
  threads: Pick<ReturnType<typeof createThreads>, 'start'>,
  { module, mostDisturbed = Number.POSITIVE_INFINITY }: ConformanceOptions = {},
): Promise<StoreGround<SqliteTransaction>> {
  const directory = mkdtempSync(join(tmpdir(), 'tillkit-sqlite-'))
  const file = join(directory, 'shop.db')
  const merchants = merchantsConnection(file)
  merchants.execute('PRAGMA busy_timeout = 100000')
  merchants.execute('CREATE TABLE rows (id TEXT PRIMARY KEY, value TEXT NOT NULL)')
  const workers = new Map<Worker, Int32Array>()
  let back = 0
  let disturbed = 0
  let ids = 0
  const system = () => Date.now() - back
  const again = async () =>
    storeOnFile({
      file,
      driver,
      lockTimeout: 100_000,
      newId: () => `${process.pid}-${++ids}`,
      system,
      monotonic: () => performance.now(),
      start(workerData) {
        const flag = new Int32Array(new SharedArrayBuffer(4))
        const worker = threads.start({
          text: mortal + workerText,
          workerData: { ...workerData, flag },
          mayEnd: () => Atomics.load(flag, 0) === 1,
        })
        workers.set(worker, flag)
        worker.once('exit', () => workers.delete(worker))
        return worker
      },
    })
  return {
    store: await again(),
    again,
    rows: {
      insert: ({ run }, id, value) => run`insert into rows (id, value) values (${id}, ${value})`,
      read: async id => {
        const [row] = merchants.rows('SELECT value FROM rows WHERE id = ?', [id])
        return row === undefined ? undefined : String(row.value)
      },
    },
    async disturb() {
      disturbed += 1
      if (disturbed > mostDisturbed) return
      const ended = [...workers].map(([worker, flag]) => {
        Atomics.store(flag, 0, 1)
        worker.postMessage({ kind: 'work', now: 0, jobs: [] } satisfies Request)
        return once(worker, 'exit')
      })
      await Promise.all(ended)
    },
    setClockBack: milliseconds => {
      back += milliseconds
    },
    end: async () => {
      merchants.close()
      rmSync(directory, { recursive: true, force: true })
    },
    ...(module !== undefined && { elsewhere: { module, data: { file } } }),
  }
}
