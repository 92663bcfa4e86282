/**
 * Sends writes, many in one statement.
 *
 * @module
 */
import type { Written } from '../store/store.js'
import type { PostgresQuery, PostgresRow } from './driver.js'
import { isRefusedByServer, isWorthRepeating, writeError } from './errors.js'
import { type SeenClock, storedIn } from './rows.js'
import type { Statements } from './statements.js'
import { type Task, writeLines } from './write-lines.js'

/** The parts of the store that a queue works on. */
export interface WriteQueueOptions {
  readonly write: PostgresQuery
  readonly statements: Statements
  readonly clock: SeenClock
  /** How many statements with several entries are at the server at once. */
  readonly batches: number
  /** How many with one entry: those that may wait for a row, and large ones. */
  readonly singles: number
}

/** Most bytes of bodies in a batch; and from how many on a body goes by itself, since batching it gains nothing. */
const [batchBytes, largeBytes] = [131_072, 16_384]

/** @returns What takes a task; its promise is settled once the write is committed, refused or lost. */
export function writeQueue({ write, statements, clock, ...most }: WriteQueueOptions): (task: Task) => void {
  const lines = writeLines()
  const small: Task[] = []
  const single: Task[] = []
  let batches = 0
  let stalled = 0
  let singles = 0
  let isScheduled = false

  function ready(task: Task | undefined): void {
    if (task === undefined) return
    ;(task.bytes >= largeBytes ? single : small).push(task)
    schedule()
  }

  /**
   * Sends what is ready at the end of this turn. Callers that are answered now write again by then: they share a statement, and
   * one that lost stands in line again before the next of its key is sent. Sent at once, the same one would lose every time.
   */
  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      flush()
    })
  }

  function flush(): void {
    while (batches < most.batches && small.length > 0) {
      const size = sizeOfBatch(small)
      const isFull = size < small.length
      if (!isFull && batches > stalled) break
      startBatch(small.splice(0, size))
    }
    for (let task: Task | undefined; singles < most.singles; ) {
      task = single.shift()
      if (task === undefined) return
      singles += 1
      void sendSingle(task).finally(() => {
        singles -= 1
        schedule()
      })
    }
  }

  /**
   * While one batch is at the server, only a full one follows it. Two half ones would wait for the disk in turn, and each caller
   * twice as long. A batch that takes long holds up none: something else may hold it.
   */
  function startBatch(tasks: readonly Task[]): void {
    let isStalled = false
    const timer = setTimeout(() => {
      isStalled = true
      stalled += 1
      schedule()
    }, stallAfter)
    batches += 1
    void sendBatch(tasks).finally(() => {
      clearTimeout(timer)
      batches -= 1
      if (isStalled) stalled -= 1
      schedule()
    })
  }

  async function sendBatch(tasks: readonly Task[]): Promise<void> {
    for (const task of tasks) lines.sent(task)
    let answers: readonly (Written | undefined)[]
    try {
      const rows = await write(statements.writeFree, [parameterOf(tasks)])
      const byKey = new Map(rows.map(row => [row.key, row]))
      answers = tasks.map(task => writtenIn(byKey.get(task.key)))
    } catch (error) {
      // The server refused the whole for the sake of one. After a lost answer the same is never sent again from here.
      if (isRefusedByServer(error)) single.push(...tasks)
      else for (const task of tasks) ready(lines.fail(task, errorOf(task, error)))
      return
    }
    for (const [index, task] of tasks.entries()) {
      const written = answers[index]
      if (written === undefined) single.push(task)
      else ready(lines.answer(task, written))
    }
  }

  async function sendSingle(task: Task): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      lines.sent(task)
      try {
        const [row] = await write(statements.write, [parameterOf([task])])
        const isGone = row?.became === 'absent' && task.after !== undefined
        const written: Written | undefined = isGone
          ? { kind: 'conflict', current: undefined, at: clock.see(row.at) }
          : writtenIn(row)
        if (written !== undefined) return ready(lines.answer(task, written))
        if (tries >= mostTries) throw new Error('The row was created by others, and was never found.')
      } catch (error) {
        if (!isWorthRepeating(error) || tries >= mostTries) return ready(lines.fail(task, errorOf(task, error)))
        await new Promise(resolve => setTimeout(resolve, tries))
      }
    }
  }

  /** undefined: the row is held by another transaction, or one has just created it. */
  function writtenIn(row: PostgresRow | undefined): Written | undefined {
    if (row === undefined || row.became === 'absent') return undefined
    const at = clock.see(row.at)
    return row.became === 'conflict'
      ? { kind: 'conflict', current: storedIn(row), at }
      : { kind: 'written', version: Number(row.version), at }
  }

  return task => {
    if (lines.join(task)) ready(task)
  }
}

/** How often a write is repeated that the server asked to repeat, the pauses a millisecond longer each time. */
const mostTries = 20

/** In milliseconds. */
const stallAfter = 50

/** How many of the ready ones the next batch takes: as many as fit, and at least one. */
function sizeOfBatch(ready: readonly Task[]): number {
  let bytes = 0
  const end = ready.findIndex((task, index) => {
    bytes += task.bytes
    return index > 0 && bytes > batchBytes
  })
  return end === -1 ? ready.length : end
}

/** One JSON text: arrays of texts cost a client nine times as much at 16 kB. */
export const parameterOf = (tasks: readonly Pick<Task, 'key' | 'after' | 'id' | 'entry'>[]): string =>
  JSON.stringify(tasks.map(({ key, after, id, entry: { body, due, list } }) => ({ key, after, id, body, due, list })))

const errorOf = ({ key, id }: Task, error: unknown) =>
  writeError(`Writing ${JSON.stringify(key)}`, error, `Repeat the write with the same id, ${id}, to learn which.`)
