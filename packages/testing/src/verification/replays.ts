import type { NonceStore } from '@tillkit/signing'
import type { FakeClock } from '../time/clock.js'

/** How many nonces are kept, oldest dropped first. */
const mostNonces = 100_000

/** Makes a memory of used nonces. */
export function createNonces(): NonceStore & { clear(): void } {
  const seen = new Set<string>()
  return {
    claim({ consumerKey, nonce, timestamp }) {
      const key = JSON.stringify([consumerKey, nonce, timestamp])
      if (seen.has(key)) return false
      seen.add(key)
      for (const oldest of seen) {
        if (seen.size <= mostNonces) break
        seen.delete(oldest)
      }
      return true
    },
    clear: () => seen.clear(),
  }
}

/**
 * The time to measure a timestamp by, in seconds since the epoch. A client in this process follows the gateway's clock; a
 * shop in another one goes by the time of day, which is not moved.
 */
export function timeNearest(timestamp: number, clock: FakeClock): number {
  const [moved, unmoved] = [Math.floor(clock.now() / 1000), Math.floor(clock.base() / 1000)]
  return Math.abs(moved - timestamp) <= Math.abs(unmoved - timestamp) ? moved : unmoved
}

/** Says why a timestamp was refused: both times, and the window, the profile's `oauthWindow` in either direction. */
export function staleTimestamp(timestamp: number, windowSeconds: number, clock: FakeClock): string {
  const [now, base] = [clock.now(), clock.base()]
  const moved = Math.round((now - base) / 1000)
  const clocks =
    moved === 0
      ? `the gateway's clock says ${written(now)}`
      : `the gateway's clock says ${written(now)}, and ${written(base)} without the ${moved} s it was moved forward`
  const where = moved === 0 ? 'that' : 'one of the two'
  return (
    `"oauth_timestamp" is ${timestamp}, which is ${written(timestamp * 1000)}; ${clocks}. At most ${windowSeconds} s ` +
    `from ${where} are allowed: set the clock of the machine that signs, and write seconds, not milliseconds.`
  )
}

/** To the second. @returns The number where it is no time that can be written. */
function written(milliseconds: number): string {
  const time = new Date(milliseconds)
  return Number.isNaN(time.getTime()) ? String(milliseconds) : time.toISOString().replace(/\.\d+Z$/, 'Z')
}
