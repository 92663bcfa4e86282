/** A port of attempts on a file that several processes share, one at a time: whoever makes the lock has it. */
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import {
  type Attempt,
  type AttemptsPort,
  attemptKey,
  changedOrderKey,
  laterEnd,
  type RememberedAttempt,
  refuseAttempt,
} from '@tillkit/protocol'

export function fileAttempts(path: string): AttemptsPort {
  const read = (): RememberedAttempt[] => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [])
  const write = (attempts: readonly RememberedAttempt[]): void => {
    const fresh = `${path}.${process.pid}`
    writeFileSync(fresh, JSON.stringify(attempts))
    renameSync(fresh, path)
  }
  const isRelated = (attempt: Attempt) => {
    const order = changedOrderKey(attempt)
    return (each: Attempt) =>
      attemptKey(each) === attemptKey(attempt) || (order !== undefined && changedOrderKey(each) === order)
  }
  return {
    reserve: attempt =>
      alone(path, () => {
        const attempts = read()
        const reservation = refuseAttempt(attempt, attempts.filter(isRelated(attempt)))
        if (reservation.kind === 'reserved') write([...attempts, attempt])
        return reservation
      }),
    settled: (attempt, end) =>
      alone(path, () => {
        const attempts = read()
        const at = attempts.findLastIndex(
          each => each.attemptId === attempt.attemptId && attemptKey(each) === attemptKey(attempt),
        )
        write(attempts.map((each, index) => (index === at ? { ...each, end: laterEnd(each.end, end) } : each)))
      }),
    changesOf: attempt =>
      alone(path, () => {
        const order = changedOrderKey(attempt)
        return read().filter(each => order !== undefined && changedOrderKey(each) === order)
      }),
  }
}

async function alone<Result>(path: string, act: () => Result): Promise<Result> {
  const lock = `${path}.lock`
  for (;;) {
    try {
      closeSync(openSync(lock, 'wx'))
      break
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'EEXIST') throw error
      await setImmediate()
    }
  }
  try {
    return act()
  } finally {
    rmSync(lock)
  }
}
