import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { Database, Driver, Job, Reply, Request } from './jobs.js'
import { serve, type WorkerParts } from './serve.js'

/** A worker without a thread: `execute` is scripted, and so is each opening of the file. */
function served(
  execute: WorkerParts['execute'],
  pragma: (count: number) => void = () => {},
  open: () => void = () => {},
) {
  const log: string[] = []
  const waiting: Request[] = []
  let pragmas = 0
  const port = Object.assign(new EventEmitter(), {
    postMessage: (replies: readonly Reply[]) => log.push(`answer ${replies.map(({ id, kind }) => `${id} ${kind}`)}`),
    close: () => log.push('port closed'),
  })
  const database: Database = {
    rows(sql) {
      pragmas += 1
      pragma(pragmas)
      log.push(sql)
      return []
    },
    execute() {},
    close: () => log.push('closed'),
  }
  const driver: Driver = {
    open(file) {
      open()
      log.push(`open ${file}`)
      return database
    },
    codeOf: error => (error instanceof Error && 'code' in error ? Number(error.code) : undefined),
  }
  const workerData = {
    file: '/shop.db',
    driver: { name: 'libsql', path: '/libsql' },
    pragmas: ['first'],
    lockTimeout: 40,
    moveClock: '',
    readClock: '',
  }
  const threads = {
    parentPort: port,
    workerData,
    receiveMessageOnPort() {
      const message = waiting.shift()
      return message && { message }
    },
  }
  serve(() => threads, { drivers: { libsql: () => driver, 'node:sqlite': () => driver }, execute })
  return { log, waiting, send: (request: Request) => port.emit('message', request) }
}

const job = (id: number): Job => ({ id, kind: 'write', steps: [] })
const work = (now: number, ...ids: readonly number[]): Request => ({ kind: 'work', now, jobs: ids.map(job) })
const done: WorkerParts['execute'] = (jobs, { answer, now }) => {
  answer(jobs.map(({ id }) => ({ kind: 'done', id, at: now, rows: [] })))
  return true
}
const busy = () => {
  throw Object.assign(new Error('database is locked'), { code: 5 })
}

describe('serve', () => {
  it('opens the file with the first job, and keeps it open', () => {
    const { log, send } = served(done)
    expect(log).toEqual([])
    send(work(1, 1))
    send(work(2, 2))
    expect(log).toEqual(['open /shop.db', 'PRAGMA first', 'answer 1 done', 'answer 2 done'])
  })

  it('takes everything that was posted by then, at the latest of its dates', () => {
    const taken: unknown[] = []
    const { send, waiting } = served((jobs, { now }) => {
      taken.push([jobs.map(({ id }) => id), now])
      return true
    })
    waiting.push(work(6, 2, 3), work(7, 4))
    send(work(5, 1))
    expect(taken).toEqual([[[1, 2, 3, 4], 7]])
  })

  it('opens the file again after a connection that must not be used any more', () => {
    const { log, send } = served(() => false)
    send(work(1, 1))
    send(work(2, 2))
    expect(log).toEqual(['open /shop.db', 'PRAGMA first', 'closed', 'open /shop.db', 'PRAGMA first', 'closed'])
  })

  it('tries again to prepare the connection while the file is busy', () => {
    const { log, send } = served(done, count => count < 3 && busy())
    send(work(1, 1))
    expect(log).toEqual(['open /shop.db', 'PRAGMA first', 'answer 1 done'])
  })

  it('gives up once the file was busy for as long as may be waited, and begins anew with the next job', () => {
    const { log, send } = served(done, count => count < 5 && busy())
    send(work(1, 1, 2))
    expect(log).toEqual(['open /shop.db', 'closed', 'answer 1 failed,2 failed'])
    send(work(2, 3))
    expect(log.slice(3)).toEqual(['open /shop.db', 'PRAGMA first', 'answer 3 done'])
  })

  it('does not try again what is not a matter of waiting', () => {
    const { log, send } = served(done, () => {
      throw Object.assign(new Error('file is not a database'), { code: 26 })
    })
    send(work(1, 1))
    expect(log).toEqual(['open /shop.db', 'closed', 'answer 1 failed'])
  })

  it('answers every job where the file cannot be opened', () => {
    const { log, send } = served(
      done,
      () => {},
      () => {
        throw new Error('no such directory')
      },
    )
    send(work(1, 1, 2))
    expect(log).toEqual(['answer 1 failed,2 failed'])
  })

  it('carries out what came before it is closed', () => {
    const { log, send, waiting } = served(done)
    waiting.push({ kind: 'close' })
    send(work(1, 1))
    expect(log).toEqual(['open /shop.db', 'PRAGMA first', 'answer 1 done', 'closed', 'port closed'])
  })
})
