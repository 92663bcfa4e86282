/**
 * The end of a turn of the event loop: requests that come in one turn are answered together, one after the other, adr/0028.
 *
 * @module
 */
import { setImmediate } from 'node:timers'

/** That of when this was loaded: a test may replace timers later and never let them come. */
const atEndOfTurn = setImmediate

let ending: Promise<void> | undefined

/** Comes at the end of this turn, for everybody who waits for it. */
export function endOfTurn(): Promise<void> {
  ending ??= new Promise(resolve => {
    atEndOfTurn(() => {
      ending = undefined
      resolve()
    })
  })
  return ending
}
