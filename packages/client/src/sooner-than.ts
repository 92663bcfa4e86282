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
  return new Promise((resolve, reject) => {
    let isDone = false
    const giveUp = () => resolve(late)
    const done = () => {
      isDone = true
      if (typeof limit === 'object') limit.removeListener(giveUp)
    }
    Promise.resolve(promise).then(
      value => {
        done()
        resolve({ isLate: false, value })
      },
      cause => {
        done()
        reject(cause)
      },
    )
    if (typeof limit === 'object') {
      if (limit.isOver()) giveUp()
      else limit.addListener(giveUp)
    } else {
      void nextTurns(() => isDone).then(() => (isDone ? undefined : limit().then(giveUp, reject)))
    }
  })
}

const late = { isLate: true } as const

/** A few turns of the queue, within which memory answers. */
async function nextTurns(isEnough: () => boolean): Promise<void> {
  for (let turn = 0; turn < 4 && !isEnough(); turn += 1) await undefined
}
