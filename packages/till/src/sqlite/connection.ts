import type { Worker } from 'node:worker_threads'
import { type Problem, type Undertaking, wentWrong } from './errors.js'
import type { Job, Reply, Request, Row } from './worker/jobs.js'

/** Clocks of the surroundings. */
export interface Clocks {
  /** Milliseconds since the epoch. */
  readonly system: () => number
  /** Milliseconds since any moment. */
  readonly monotonic: () => number
}

/**
 * A clock that never goes back. Where the system's clock was set back, this one goes at half speed until it is caught up with: it
 * would otherwise stand still for as long as the system's was ahead, and nothing would fall due.
 */
export function storeClock({ system, monotonic }: Clocks) {
  let told = 0
  let toldAt = monotonic()
  const tell = (at: number) => {
    told = at
    toldAt = monotonic()
  }
  return {
    /** Whole milliseconds since the epoch, never less than before. */
    now(): number {
      tell(Math.max(system(), told + Math.max(0, monotonic() - toldAt) / 2))
      return Math.floor(told)
    },
    /** The file has told a date, which is never undercut from now on. */
    heard(at: number): void {
      if (at > told) tell(at)
    },
  }
}

/** A job, and how to speak of it in an error. */
export interface Work extends Undertaking, Omit<Job, 'id'> {}

/** The result of a job. */
export interface Outcome {
  /** Milliseconds since the epoch, on the store's clock. */
  readonly at: number
  /** Rows of each step that ran; undefined where the job was undone. */
  readonly rows: readonly (readonly Row[] | undefined)[] | undefined
}

/** Runs one job in the worker. */
export type Run = (work: Work) => Promise<Outcome>

/** Everything that a connection is made of. */
export interface ConnectionOptions {
  readonly file: string
  /** In milliseconds, for errors. */
  readonly lockTimeout: number
  readonly clock: ReturnType<typeof storeClock>
  /** Starts a worker thread. */
  readonly start: () => Worker
  /** Is run with each new worker before anything else, and again with the next call where it failed. */
  readonly prepare: (run: Run) => Promise<void>
}

interface Waiting {
  readonly done: (outcome: Outcome) => void
  readonly fail: (problem: Problem) => void
}

/** One worker thread, and what it was asked. */
interface Session {
  readonly worker: Worker
  readonly waiting: Map<number, Waiting>
  queue: Job[]
  ready: Promise<void> | undefined
  isReady: boolean
}

/** The error that `prepare` sees: each caller is told in its own words. */
class PreparationFailed extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super('The file could not be prepared.')
    this.problem = { ...problem, isBefore: true }
  }
}

/**
 * Posts jobs to a worker thread, those of one turn in one message. The worker is started for the first job, and keeps the process
 * alive only while a job is under way. Where it ends unexpectedly, what it was asked rejects, and the next job starts another.
 */
export function connect({ file, lockTimeout, clock, start, prepare }: ConnectionOptions) {
  let session: Session | undefined
  let lastId = 0

  const settle = ({ waiting }: Session, reply: Reply) => {
    const one = waiting.get(reply.id)
    waiting.delete(reply.id)
    if (reply.kind === 'failed') return one?.fail({ kind: 'failed', failure: reply.failure, isBefore: false })
    clock.heard(reply.at)
    one?.done({ at: reply.at, rows: reply.kind === 'done' ? reply.rows : undefined })
  }

  const begin = (): Session => {
    const worker = start()
    const begun: Session = { worker, waiting: new Map(), queue: [], ready: undefined, isReady: false }
    let cause: unknown
    worker.on('message', (replies: readonly Reply[]) => {
      for (const reply of replies) settle(begun, reply)
      if (begun.waiting.size === 0) worker.unref()
    })
    worker.on('error', error => {
      cause = error
    })
    worker.on('exit', code => {
      if (session === begun) session = undefined
      cause ??= new Error(`The worker thread ended with the code ${code}.`)
      for (const { fail } of begun.waiting.values()) fail({ kind: 'ended', cause, isBefore: false })
      begun.waiting.clear()
    })
    // Last: who listens to a worker keeps it alive.
    worker.unref()
    return begun
  }

  const flush = (to: Session) => {
    const request: Request = { kind: 'work', now: clock.now(), jobs: to.queue }
    to.queue = []
    to.worker.postMessage(request)
  }

  const post = (to: Session, { kind, steps }: Work, asError: (problem: Problem) => Error): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      lastId += 1
      if (to.waiting.size === 0) to.worker.ref()
      to.waiting.set(lastId, { done: resolve, fail: problem => reject(asError(problem)) })
      if (to.queue.push({ id: lastId, kind, steps }) === 1) queueMicrotask(() => flush(to))
    })

  const makeReady = async (to: Session): Promise<void> => {
    try {
      await prepare(work => post(to, work, problem => new PreparationFailed(problem)))
      to.isReady = true
    } catch (error) {
      to.ready = undefined
      throw error
    }
  }

  const run: Run = async work => {
    const asError = (problem: Problem) => wentWrong(work, problem, file, lockTimeout)
    try {
      session ??= begin()
    } catch (cause) {
      throw asError({ kind: 'ended', cause, isBefore: true })
    }
    const to = session
    if (!to.isReady) {
      to.ready ??= makeReady(to)
      await to.ready.catch(error => {
        throw error instanceof PreparationFailed ? asError(error.problem) : error
      })
      // The worker may have ended in the meantime.
      if (session !== to) return run(work)
    }
    return post(to, work, asError)
  }

  return {
    run,
    /** Ends the worker. Everything has to be answered by then. */
    async close(): Promise<void> {
      const last = session
      if (last === undefined) return
      const ended = new Promise(resolve => last.worker.once('exit', resolve))
      last.worker.ref()
      last.worker.postMessage({ kind: 'close' } satisfies Request)
      await ended
    },
  }
}
