/**
 * Lines of writes: one for each key, in the order of the calls.
 *
 * @module
 */
import type { Entry, Stored, Written } from '../store/store.js'

/** A write that waits for its answer. */
export interface Task {
  readonly key: string
  readonly entry: Entry
  readonly after: string | undefined
  readonly id: string
  /** The length of the body as UTF-8, in bytes. */
  readonly bytes: number
  readonly resolve: (written: Written) => void
  readonly reject: (error: Error) => void
}

interface Line {
  readonly tasks: Task[]
  /** How many had called when the head was sent. What the head finds out is news for them, and may be old for later ones. */
  called: number
}

/** The lines of one store. Of each key at most one write is at the server. */
export function writeLines() {
  const lines = new Map<string, Line>()

  const leave = ({ key }: Task): Line => {
    const line = lines.get(key) ?? { tasks: [], called: 0 }
    line.tasks.shift()
    return line
  }
  const next = (key: string, { tasks }: Line): Task | undefined => {
    if (tasks.length === 0) lines.delete(key)
    return tasks[0]
  }

  return {
    /** @returns Whether the task is at the head of its line, and may be sent. */
    join(task: Task): boolean {
      const line = lines.get(task.key)
      if (line === undefined) lines.set(task.key, { tasks: [task], called: 1 })
      else line.tasks.push(task)
      return line === undefined
    },
    /** Says that the head of a line is sent now. */
    sent({ key }: Task): void {
      const line = lines.get(key)
      if (line !== undefined) line.called = line.tasks.length
    },
    /** Answers the head of a line, and those behind it that this answers as well. @returns The next to be sent. */
    answer(task: Task, written: Written): Task | undefined {
      const line = leave(task)
      const waiting = line.tasks.splice(0, line.called - 1)
      const unanswered = waiting.filter(each => {
        const answer = sameAnswer(each, task, written)
        if (answer !== undefined) each.resolve(answer)
        return answer === undefined
      })
      line.tasks.unshift(...unanswered)
      // Those that lost line up again before the winner does, or it would win every time.
      if (unanswered.length < waiting.length) setImmediate(task.resolve, written)
      else task.resolve(written)
      return next(task.key, line)
    },
    /** Rejects the head of a line. @returns The next to be sent. */
    fail(task: Task, error: Error): Task | undefined {
      const line = leave(task)
      task.reject(error)
      return next(task.key, line)
    },
  }
}

/** The answer to a write of the same key, where what became of the one before leaves no other. */
function sameAnswer(task: Task, before: Task, written: Written): Written | undefined {
  const { at } = written
  const current: Stored | undefined =
    written.kind === 'written'
      ? { key: before.key, version: written.version, writeId: before.id, body: before.entry.body }
      : written.current
  if (current?.writeId === task.after) return undefined
  // Its own, sent before.
  if (current?.writeId === task.id) return { kind: 'written', version: current.version, at }
  return { kind: 'conflict', current, at }
}
