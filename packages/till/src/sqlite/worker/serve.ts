import type { MessagePort } from 'node:worker_threads'
import type { execute } from './execute.js'
import type { Database, Driver, Failure, FoundDriver, LoadDriver, Reply, Request, WorkerSettings } from './jobs.js'

/** The parts that the worker is made of: functions that come as text, each of which needs nothing around it. */
export interface WorkerParts {
  readonly drivers: Readonly<Record<FoundDriver['name'], LoadDriver>>
  readonly execute: typeof execute
}

/**
 * The worker thread: takes everything that has been posted by now, carries it out, and answers. It opens the file for the first
 * job, and again after a connection broke. Runs as text, so it uses nothing but its parameters and what the language has.
 *
 * @param load Node.js's `require`.
 */
export function serve(load: (path: string) => unknown, { drivers, execute }: WorkerParts): void {
  const threads = load('node:worker_threads') as {
    readonly parentPort: MessagePort
    readonly workerData: WorkerSettings
    receiveMessageOnPort(port: MessagePort): { readonly message: Request } | undefined
  }
  const { parentPort: port, workerData: settings, receiveMessageOnPort } = threads
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  const pause = 20
  const busy = 5
  let driver: Driver | undefined
  let database: Database | undefined
  const codeOf = (error: unknown) => driver?.codeOf(error)

  const prepare = (opened: Database): Database => {
    // SQLite refuses one of two processes that turn a new file to WAL at once, without a wait, whatever busy_timeout says.
    for (let waited = 0; ; waited += pause) {
      try {
        for (const pragma of settings.pragmas) opened.rows(`PRAGMA ${pragma}`, [])
        return opened
      } catch (error) {
        if (codeOf(error) !== busy || waited >= settings.lockTimeout) {
          opened.close()
          throw error
        }
        Atomics.wait(sleeper, 0, 0, pause)
      }
    }
  }
  const end = () => {
    try {
      database?.close()
    } catch {
      // Everything that was committed is in the file, and the next connection clears up the rest.
    }
    database = undefined
  }
  const answer = (replies: readonly Reply[]) => port.postMessage(replies)

  port.on('message', (first: Request) => {
    const requests = [first]
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      requests.push(next.message)
    }
    const jobs = requests.flatMap(request => (request.kind === 'work' ? request.jobs : []))
    const now = requests.reduce((latest, request) => (request.kind === 'work' ? request.now : latest), 0)
    if (jobs.length > 0) {
      try {
        driver ??= drivers[settings.driver.name](load, settings.driver.path)
        database ??= prepare(driver.open(settings.file, settings.isReadOnly))
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        const failure: Failure = { where: 'open', code: codeOf(error), message, isUnknown: false }
        answer(jobs.map(({ id }) => ({ kind: 'failed', id, failure })))
      }
      if (database !== undefined && !execute(jobs, { database, codeOf, settings, now, answer })) end()
    }
    if (requests.some(({ kind }) => kind === 'close')) {
      end()
      port.close()
    }
  })
}
