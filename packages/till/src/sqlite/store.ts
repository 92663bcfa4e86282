import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import {
  checkCount,
  checkKey,
  checkPostpone,
  checkTake,
  checkWrite,
  type Store,
  StoreError,
  type Written,
} from '../store/store.js'
import { type Clocks, connect, type Run, storeClock } from './connection.js'
import { listing, looking, pageOf, postponing, reading, storedOf, taking, writing, writingSteps } from './documents.js'
import { closed, isWrite } from './errors.js'
import { refuseOtherLibrary, watchFile } from './other-library.js'
import { moveClock, noTables, prepareTables, readClock, readTables, type SqliteTables } from './schema.js'
import { collect, type SqliteTransaction } from './transaction.js'
import type { FoundDriver, WorkerSettings } from './worker/jobs.js'

/** Everything a store is made of. */
export interface Surroundings extends Clocks {
  readonly file: string | URL
  readonly driver: FoundDriver
  /** In milliseconds. */
  readonly lockTimeout: number
  /** Makes the id of a commit: 1 to 128 printable ASCII characters, never one that was there. */
  readonly newId: () => string
  readonly start: (settings: WorkerSettings) => Worker
}

/** A store on a file of SQLite. */
export function storeOnFile({ start, driver, lockTimeout, newId, ...rest }: Surroundings) {
  const file = pathOf(rest.file)
  const settings: WorkerSettings = {
    file,
    driver,
    lockTimeout,
    moveClock,
    readClock,
    // The time to wait comes first: turning a file to WAL may have to wait already.
    pragmas: [`busy_timeout = ${lockTimeout}`, 'journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'],
  }
  const clock = storeClock(rest)
  const watch = watchFile(file)
  const connection = connect({
    file,
    lockTimeout,
    clock,
    start: () => start(settings),
    async prepare(run) {
      refuseOtherLibrary(file, driver.name)
      await prepareTables(run, file)
      watch.opened()
    },
  })
  let underWay = 0
  let closing: Promise<void> | undefined
  let allDone: (() => void) | undefined

  /** Counts what is under way, which `close` waits for, and lets nothing begin after it. */
  const tracked = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    if (closing !== undefined) throw closed(what, file)
    underWay += 1
    try {
      return await work()
    } finally {
      underWay -= 1
      if (underWay === 0) allDone?.()
    }
  }
  const read = async (key: string) => {
    const { at, rows } = await connection.run(reading(key))
    const row = rows?.[0]?.[0]
    return { at, stored: row === undefined ? undefined : storedOf(row) }
  }
  const run: Run = async work => {
    const outcome = await connection.run(work)
    if (isWrite(work)) watch.check(work.what)
    return outcome
  }

  const store: Required<Omit<Store<SqliteTransaction>, 'risks'>> = {
    read: key =>
      tracked('A read', () => {
        checkKey(key)
        return read(key)
      }),

    write: (key, entry, options) =>
      tracked('A write', async (): Promise<Written> => {
        checkWrite(key, entry, options)
        const { at, rows = [] } = await run(writing(key, entry, options))
        const written = rows.at(-2)?.[0]
        if (rows.at(-1) === undefined) return { kind: 'written', version: Number(written?.version), at }
        const [row] = rows.at(-1) ?? []
        const current = row === undefined ? undefined : storedOf(row)
        if (current?.writeId === options.id) return { kind: 'written', version: current.version, at }
        return { kind: 'conflict', current, at }
      }),

    postpone: (key, after, due) =>
      tracked('A postponing', async () => {
        checkPostpone(key, after, due)
        await run(postponing(key, after, due))
      }),

    take: options =>
      tracked('A taking', async () => {
        checkTake(options)
        const { at, rows } = await run(looking(clock.now(), options))
        if (rows?.[0]?.length === 0) return { at, items: [] }
        const taken = await run(taking(options))
        return { at: taken.at, items: (taken.rows?.[0] ?? []).map(storedOf) }
      }),

    list: ({ list, after, limit }) =>
      tracked('A list', async () => {
        checkCount('limit', limit, 1, 1000)
        checkPage(list, after)
        return pageOf(await run(listing(list, after, limit)), list, limit)
      }),

    commit: (key, work, finish, known) =>
      tracked('A commit', async (): Promise<Written> => {
        checkKey(key)
        const collected = collect()
        await work(collected.transaction)
        const statements = collected.end()
        const id = newId()
        for (let hint = known; ; hint = undefined) {
          let current = hint
          let entry = hint === undefined ? undefined : finish(hint)
          if (entry === undefined) {
            const looked = await read(key)
            current = looked.stored
            entry = finish(current)
            if (entry === undefined) return { kind: 'conflict', current, at: looked.at }
          }
          const options = { after: current?.writeId, id }
          checkWrite(key, entry, options)
          const ours = writingSteps(key, entry, options)
          const steps = ours.map((step, index) => (index === ours.length - 1 ? { ...step, must: true } : step))
          const outcome = await run({
            kind: 'alone',
            what: `The commit of ${JSON.stringify(key)}`,
            cure: 'Read the document to learn which: the rows are there if it is.',
            steps: [...steps, ...statements.map(step => ({ ...step, ofHandler: true }))],
          })
          if (outcome.rows !== undefined)
            return { kind: 'written', version: (current?.version ?? 0) + 1, at: outcome.at }
        }
      }),

    close() {
      closing ??= (async () => {
        if (underWay > 0) await new Promise<void>(resolve => (allDone = resolve))
        await connection.close()
      })()
      return closing
    },
  }
  return store
}

const pathOf = (file: string | URL): string => (typeof file === 'string' ? resolve(file) : fileURLToPath(file))

/** Tells what a store would find in a file. It opens the file for reading only. */
export async function tablesOfFile({
  start,
  driver,
  lockTimeout,
  ...rest
}: Omit<Surroundings, 'newId'>): Promise<SqliteTables> {
  const file = pathOf(rest.file)
  if (isMissing(file)) return noTables
  const pragmas = [`busy_timeout = ${lockTimeout}`]
  const settings = { file, driver, isReadOnly: true, lockTimeout, pragmas, moveClock, readClock }
  const connection = connect({
    file,
    lockTimeout,
    clock: storeClock(rest),
    start: () => start(settings),
    prepare: async () => refuseOtherLibrary(file, driver.name),
  })
  try {
    return await readTables(connection.run, file)
  } finally {
    await connection.close()
  }
}

/** Whether a file is known not to be there. Of one that cannot be looked at, opening it says why. */
function isMissing(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}

function checkPage(list: string | undefined, after: string | undefined): void {
  if (list === undefined) return
  const found = typeof list === 'string' ? JSON.stringify(list) : `of the type ${typeof list}`
  if (typeof list !== 'string') throw new StoreError('ERR_STORE_REFUSED', `"list" is ${found}; it must be text.`)
  if (after === undefined || /^\d{1,16}$/.test(after)) return
  throw new StoreError('ERR_STORE_REFUSED', `"after" is not the "next" of a page of the list ${found}.`)
}
