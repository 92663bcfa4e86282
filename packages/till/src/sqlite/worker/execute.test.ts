import { describe, expect, it } from 'vitest'
import { execute } from './execute.js'
import type { Database, Job, Reply, Row } from './jobs.js'

class SqliteFault extends Error {
  readonly code: number

  constructor(code: number) {
    super(`code ${code}`)
    this.code = code
  }
}

/** A database that notes what it runs; `rows` says what a statement gives, or throws. */
function scripted(rows: (sql: string, values: readonly unknown[]) => readonly Row[]) {
  const log: string[] = []
  const database: Database = {
    rows(sql, values) {
      log.push(sql)
      return rows(sql, values)
    },
    execute(sql) {
      log.push(sql)
      rows(sql, [])
    },
    close() {},
  }
  return { database, log }
}

const settings = { moveClock: 'MOVE', readClock: 'CLOCK' }
const codeOf = (error: unknown) => (error instanceof SqliteFault ? error.code : undefined)
const job = (id: number, kind: Job['kind'], ...sql: readonly string[]): Job => ({
  id,
  kind,
  steps: sql.map(each => ({ sql: each, values: [] })),
})

function outcomeOf(jobs: readonly Job[], rows: (sql: string, values: readonly unknown[]) => readonly Row[]) {
  const { database, log } = scripted((sql, values) =>
    sql === 'MOVE' || sql === 'CLOCK' ? [{ at: 50 }] : rows(sql, values),
  )
  const answers: { readonly replies: readonly Reply[]; readonly after: string | undefined }[] = []
  const answer = (replies: readonly Reply[]) => answers.push({ replies, after: log.at(-1) })
  const isUsable = execute(jobs, { database, codeOf, settings, now: 40, answer })
  return { log, isUsable, answers, replies: answers.flatMap(({ replies }) => replies) }
}

const failing = (at: string, code: number) => (sql: string) => {
  if (sql === at) throw new SqliteFault(code)
  return []
}

describe('execute', () => {
  it('puts writes into one transaction and answers after its end; reads come after it, of one state', () => {
    const { log, answers, isUsable } = outcomeOf(
      [job(1, 'read', 'R1'), job(2, 'write', 'W1', 'W2'), job(3, 'read', 'R2'), job(4, 'write', 'W3')],
      () => [],
    )
    expect(log).toEqual([
      ...['BEGIN IMMEDIATE', 'MOVE', 'W1', 'W2', 'W3', 'COMMIT'],
      ...['BEGIN', 'CLOCK', 'R1', 'R2', 'COMMIT'],
    ])
    expect(answers.map(({ after, replies }) => [after, replies.map(({ id }) => id)])).toEqual([
      ['COMMIT', [2, 4]],
      ['COMMIT', [1, 3]],
    ])
    expect(isUsable).toBe(true)
  })

  it('gives the later one of the clock of the file and that of the caller', () => {
    const later = outcomeOf([job(1, 'read', 'R')], () => [])
    expect(later.replies).toMatchObject([{ kind: 'done', at: 50 }])
  })

  it('takes no more than 256 writes into a commit', () => {
    const { log } = outcomeOf(
      Array.from({ length: 257 }, (_, index) => job(index, 'write', 'A')),
      () => [],
    )
    expect(log.filter(sql => sql.length > 1)).toEqual([
      ...['BEGIN IMMEDIATE', 'MOVE', 'COMMIT'],
      ...['BEGIN IMMEDIATE', 'MOVE', 'COMMIT'],
    ])
  })

  it('leaves a step out where the one before gave a row', () => {
    const steps = [
      { sql: 'FIRST', values: [] },
      { sql: 'ELSE', values: [], otherwise: true },
    ]
    const given = outcomeOf([{ id: 1, kind: 'write', steps }], sql => (sql === 'FIRST' ? [{ v: 1 }] : []))
    expect(given.replies).toEqual([{ kind: 'done', id: 1, at: 50, rows: [[{ v: 1 }], undefined] }])
    expect(given.log).not.toContain('ELSE')
    expect(outcomeOf([{ id: 1, kind: 'write', steps }], () => []).log).toContain('ELSE')
  })

  it('undoes a job of its own where a step that must give a row gives none', () => {
    const steps = [
      { sql: 'MUST', values: [], must: true },
      { sql: 'REST', values: [] },
    ]
    const { log, replies } = outcomeOf([{ id: 1, kind: 'alone', steps }], () => [])
    expect(log).toEqual(['BEGIN IMMEDIATE', 'MOVE', 'MUST', 'ROLLBACK'])
    expect(replies).toEqual([{ kind: 'undone', id: 1, at: 50 }])
  })

  it('goes back to single transactions where one job of several breaks a constraint', () => {
    const { log, replies, isUsable } = outcomeOf([job(1, 'write', 'A'), job(2, 'write', 'B')], failing('A', 19))
    expect(log).toEqual([
      ...['BEGIN IMMEDIATE', 'MOVE', 'A', 'ROLLBACK'],
      ...['BEGIN IMMEDIATE', 'MOVE', 'A', 'ROLLBACK'],
      ...['BEGIN IMMEDIATE', 'MOVE', 'B', 'COMMIT'],
    ])
    expect(replies).toMatchObject([
      { id: 1, kind: 'failed', failure: { where: 'step', code: 19, isUnknown: false } },
      { id: 2, kind: 'done' },
    ])
    expect(isUsable).toBe(true)
  })

  it('waits for the lock once for all, and has written nothing', () => {
    const { log, replies, isUsable } = outcomeOf(
      [job(1, 'write', 'A'), job(2, 'write', 'B')],
      failing('BEGIN IMMEDIATE', 5),
    )
    expect(log).toEqual(['BEGIN IMMEDIATE'])
    expect(replies.map(reply => reply.kind === 'failed' && reply.failure.isUnknown)).toEqual([false, false])
    expect(isUsable).toBe(true)
  })

  it.each([
    ['the disk is full', 13],
    ['a constraint is broken that was put off', 19],
    ['it is busy', 5],
  ])('has written nothing where COMMIT says that %s', (_, code) => {
    const { log, replies, isUsable } = outcomeOf([job(1, 'write', 'A')], failing('COMMIT', code))
    expect(log.slice(-2)).toEqual(['COMMIT', 'ROLLBACK'])
    expect(replies).toMatchObject([{ kind: 'failed', failure: { where: 'commit', isUnknown: false } }])
    expect(isUsable).toBe(true)
  })

  it.each([
    ['the disk failed', 10],
    ['the file is damaged', 11],
  ])('does not know what was written where COMMIT says that %s, and repeats nothing', (_, code) => {
    const { log, replies, isUsable } = outcomeOf([job(1, 'write', 'A'), job(2, 'write', 'B')], failing('COMMIT', code))
    expect(log).toEqual(['BEGIN IMMEDIATE', 'MOVE', 'A', 'B', 'COMMIT', 'ROLLBACK'])
    expect(replies.map(reply => reply.kind === 'failed' && reply.failure.isUnknown)).toEqual([true, true])
    expect(isUsable).toBe(false)
  })

  it('does not know what was written where COMMIT throws what is not from SQLite', () => {
    const { replies } = outcomeOf([job(1, 'write', 'A')], sql => {
      if (sql === 'COMMIT') throw new TypeError('of the driver')
      return []
    })
    expect(replies).toMatchObject([{ failure: { code: undefined, isUnknown: true, message: 'of the driver' } }])
  })

  it('gives up a connection whose transaction cannot be ended', () => {
    const stuck = (sql: string) => {
      if (sql === 'A') throw new SqliteFault(10)
      if (sql === 'ROLLBACK') throw new SqliteFault(10)
      return []
    }
    expect(outcomeOf([job(1, 'write', 'A')], stuck).isUsable).toBe(false)
  })

  it('keeps one that SQLite has rolled back by itself', () => {
    const rolledBack = (sql: string) => {
      if (sql === 'A') throw new SqliteFault(19)
      if (sql === 'ROLLBACK') throw new Error('cannot rollback - no transaction is active')
      return []
    }
    expect(outcomeOf([job(1, 'write', 'A')], rolledBack).isUsable).toBe(true)
  })

  it('never calls a read unknown', () => {
    const { replies } = outcomeOf([job(1, 'read', 'R')], failing('COMMIT', 10))
    expect(replies).toMatchObject([{ kind: 'failed', failure: { isUnknown: false } }])
  })
})
