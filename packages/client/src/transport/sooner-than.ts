/**
 * Waiting for something that somebody else's code promises, and not for ever.
 *
 * @module
 */
import type { Deadline } from './deadline.js'

/** What was promised, or that it did not come in time. */
export type Sooner<Value> = { readonly isLate: false; readonly value: Value } | { readonly isLate: true }

/**
 * Waits for a promise until a deadline comes, or a limit passes that is started only for a promise that does not keep its
 * word at once.
 *
 * @throws What the promise rejects with, if it does so in time.
 */
export function soonerThan<Value>(
  promise: Promise<Value>,
  limit: Deadline | (() => Promise<void>),
): Promise<Sooner<Value>> {
  return typeof limit === 'function' ? soonerThanLimit(promise, limit) : soonerThanDeadline(promise, limit)
}

function soonerThanDeadline<Value>(promise: Promise<Value>, deadline: Deadline): Promise<Sooner<Value>> {
  return new Promise((resolve, reject) => {
    const listener = { deadlineCame: () => resolve(late) }
    if (deadline.isOver()) listener.deadlineCame()
    else deadline.addListener(listener)
    Promise.resolve(promise).then(
      value => {
        deadline.removeListener(listener)
        resolve({ isLate: false, value })
      },
      (cause: unknown) => {
        deadline.removeListener(listener)
        reject(cause)
      },
    )
  })
}

async function soonerThanLimit<Value>(promise: Promise<Value>, limit: () => Promise<void>): Promise<Sooner<Value>> {
  const kept = watch(promise)
  for (let turn = 0; turn < turns && kept.word === undefined; turn += 1) await undefined
  if (kept.word === undefined) await endOfWaiting(kept, limit)
  const { word } = kept
  if (word === undefined) return late
  if (!word.isKept) throw word.cause
  return { isLate: false, value: word.value }
}

const late = { isLate: true } as const

/** Turns of the queue, within which memory answers: a call need not be made to wait for what comes so soon. */
const turns = 4

/** A promise that is watched. */
interface Watched<Value> {
  word?: { readonly isKept: true; readonly value: Value } | { readonly isKept: false; readonly cause: unknown }
  /** Called when the word is there. */
  told?: () => void
}

function watch<Value>(promise: Promise<Value>): Watched<Value> {
  const watched: Watched<Value> = {}
  Promise.resolve(promise).then(
    value => {
      watched.word = { isKept: true, value }
      watched.told?.()
    },
    (cause: unknown) => {
      watched.word = { isKept: false, cause }
      watched.told?.()
    },
  )
  return watched
}

function endOfWaiting<Value>(watched: Watched<Value>, limit: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    watched.told = resolve
    limit().then(resolve, reject)
  })
}
