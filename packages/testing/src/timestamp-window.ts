/**
 * Whether the timestamp of an OAuth request is near enough to the time.
 *
 * @module
 */
import type { FakeClock } from './clock.js'

/**
 * How far a timestamp may be from the gateway's clock, or from what it would be had nobody moved it, in seconds. The
 * specification shows none: the fake's own.
 */
export const timestampWindow = 300

/**
 * The time to measure a timestamp by, in seconds since the epoch. A client in this process follows the gateway's clock; a
 * shop in another one goes by the time of day, which is not moved.
 */
export function timeNearest(timestamp: number, clock: FakeClock): number {
  const [moved, unmoved] = [Math.floor(clock.now() / 1000), Math.floor(clock.base() / 1000)]
  return Math.abs(moved - timestamp) <= Math.abs(unmoved - timestamp) ? moved : unmoved
}

/** Says why a timestamp was refused: both times, and the window. */
export function staleTimestamp(timestamp: number, clock: FakeClock): string {
  const [now, base] = [clock.now(), clock.base()]
  const moved = Math.round((now - base) / 1000)
  const clocks =
    moved === 0
      ? `the gateway's clock says ${written(now)}`
      : `the gateway's clock says ${written(now)}, and ${written(base)} without the ${moved} s it was moved forward`
  const where = moved === 0 ? 'that' : 'one of the two'
  return (
    `"oauth_timestamp" is ${timestamp}, which is ${written(timestamp * 1000)}; ${clocks}. At most ${timestampWindow} s ` +
    `from ${where} are allowed: set the clock of the machine that signs, and write seconds, not milliseconds.`
  )
}

/** To the second. @returns The number where it is no time that can be written. */
function written(milliseconds: number): string {
  const time = new Date(milliseconds)
  return Number.isNaN(time.getTime()) ? String(milliseconds) : time.toISOString().replace(/\.\d+Z$/, 'Z')
}
