import { quote } from '@tillkit/protocol'

/** Clocks that are further apart are not believed where something would be lost by it. In milliseconds. */
const farApart = 3_600_000

/**
 * Says that a store's clock and that of this process are an hour apart, or more; undefined: they are not. The clock of a
 * file of SQLite never goes back: after a process whose clock was ahead it goes at half speed until it is caught up with.
 *
 * @param at What the store's clock says, in milliseconds; `now`: that of this process.
 */
export function clocksApart(at: number, now: number): string | undefined {
  if (Math.abs(at - now) < farApart) return undefined
  const [stored, here] = [at, now].map(each => quote(new Date(each).toISOString()))
  return (
    `The store's clock says ${stored}, and the clock of this process ${here}. One of them is wrong, or, on a file of SQLite, one of its ` +
    'processes had a wrong clock once. Waits end too late or too soon until both agree, and nothing is purged.'
  )
}
