import type { Database, Driver, Failure, Job, Reply, Row, Step, WorkerSettings } from './jobs.js'

/** Everything that jobs are carried out with. */
export interface ExecuteContext {
  readonly database: Database
  readonly codeOf: Driver['codeOf']
  readonly settings: Pick<WorkerSettings, 'moveClock' | 'readClock'>
  /** Milliseconds since the epoch. A job's `at` is this, or the clock of the file where that is later. */
  readonly now: number
  /** Is given the replies of a transaction once it is over. */
  readonly answer: (replies: readonly Reply[]) => void
}

/**
 * Carries jobs out, in as few transactions as their kinds allow, and answers each once its transaction is over. Runs in the worker
 * as text, so it uses nothing but its parameters and what the language has.
 *
 * @returns Whether the connection may be used again.
 */
export function execute(jobs: readonly Job[], { database, codeOf, settings, now, answer }: ExecuteContext): boolean {
  // ERROR, FULL, TOOBIG, CONSTRAINT, MISMATCH, RANGE: one job's fault, or one that a smaller transaction may not have.
  const triedSingly = [1, 13, 18, 19, 20, 25]
  // BUSY, FULL, CONSTRAINT: a COMMIT that fails with one of these has left no whole commit record in the file.
  const certainAtCommit = [5, 13, 19]
  // They share a commit, and with it the wait for the disk.
  const mostWrites = 256
  let isUsable = true
  let statement: string | undefined

  const failureAt = (where: Failure['where'], error: unknown): Failure => {
    const code = codeOf(error)
    const isUnknown = where === 'commit' && !(code !== undefined && certainAtCommit.includes(code))
    const message = error instanceof Error ? error.message : String(error)
    return { where, code, message, isUnknown, ...(where === 'step' && statement !== undefined ? { statement } : {}) }
  }
  const rollBack = () => {
    try {
      database.execute('ROLLBACK')
    } catch (error) {
      // SQLite has rolled back by itself after some errors. After any other the transaction may still be open.
      if (!String(error).includes('no transaction is active')) isUsable = false
    }
  }

  /** Rows of each step, or undefined where the job must be undone. */
  const perform = (steps: readonly Step[]): (readonly Row[] | undefined)[] | undefined => {
    const rows: (readonly Row[] | undefined)[] = []
    for (const { sql, values, otherwise = false, must = false, ofHandler = false } of steps) {
      statement = ofHandler ? sql : undefined
      const isLeftOut = otherwise && (rows.at(-1)?.length ?? 0) > 0
      rows.push(isLeftOut ? undefined : database.rows(sql, values))
      if (must && rows.at(-1)?.length === 0) return undefined
    }
    return rows
  }

  const write = (batch: readonly Job[]): void => {
    let where: Failure['where'] = 'begin'
    const replies: Reply[] = []
    try {
      database.execute('BEGIN IMMEDIATE')
      where = 'step'
      statement = undefined
      const at = batch[0]?.kind === 'create' ? now : Number(database.rows(settings.moveClock, [now])[0]?.at)
      for (const { id, steps } of batch) {
        const rows = perform(steps)
        if (rows === undefined) {
          rollBack()
          answer([{ kind: 'undone', id, at }])
          return
        }
        replies.push({ kind: 'done', id, at, rows })
      }
      where = 'commit'
      database.execute('COMMIT')
    } catch (error) {
      const failure = failureAt(where, error)
      if (where !== 'begin') rollBack()
      if (failure.isUnknown || (where === 'begin' && failure.code !== 5)) isUsable = false
      const isTriedSingly = where !== 'begin' && failure.code !== undefined && triedSingly.includes(failure.code)
      if (batch.length > 1 && isTriedSingly && isUsable) {
        for (const job of batch) write([job])
        return
      }
      answer(batch.map(({ id }) => ({ kind: 'failed', id, failure })))
      return
    }
    answer(replies)
  }

  const read = (batch: readonly Job[]): void => {
    let where: Failure['where'] = 'begin'
    try {
      database.execute('BEGIN')
      where = 'step'
      statement = undefined
      const at =
        batch[0]?.kind === 'inspect' ? now : Math.max(now, Number(database.rows(settings.readClock, [])[0]?.at))
      const replies = batch.map(({ id, steps }): Reply => ({ kind: 'done', id, at, rows: perform(steps) ?? [] }))
      database.execute('COMMIT')
      answer(replies)
    } catch (error) {
      const failure = { ...failureAt(where, error), isUnknown: false }
      if (where === 'begin') isUsable = false
      else rollBack()
      answer(batch.map(({ id }) => ({ kind: 'failed', id, failure })))
    }
  }

  const of = (kind: Job['kind']): readonly Job[] => jobs.filter(job => job.kind === kind)
  for (const job of of('inspect')) read([job])
  for (const job of of('create')) write([job])
  const writes = of('write')
  for (let start = 0; start < writes.length; start += mostWrites) write(writes.slice(start, start + mostWrites))
  for (const job of of('alone')) write([job])
  const reads = of('read')
  if (reads.length > 0) read(reads)
  return isUsable
}
