/**
 * Our clock against the gateway's: a wrong one makes right signatures look wrong.
 *
 * @module
 */
import type { ReplyHeaders } from '../transport/transmit.js'

/** Differences below this are not worth a word, in seconds. */
export const noticeable = 30

/**
 * Our clock minus the answer's `Date` header, in whole seconds.
 *
 * @param now Milliseconds since the epoch.
 * @returns `undefined` where there is no such header.
 * @see RFC 9110 section 6.6.1
 */
export function clockDifference(headers: ReplyHeaders, now: number): number | undefined {
  const { date } = headers
  const theirs = typeof date === 'string' ? Date.parse(date) : Number.NaN
  return Number.isNaN(theirs) ? undefined : Math.round((now - theirs) / 1000)
}

/** One sentence about a difference of clocks. */
export function describeClock(difference: number): string {
  if (Math.abs(difference) < noticeable) return 'Our clock agrees with the gateway’s.'
  const direction = difference > 0 ? 'ahead of' : 'behind'
  return `Our clock is ${Math.abs(difference)} s ${direction} the gateway’s: set it right first, signatures carry the time.`
}
