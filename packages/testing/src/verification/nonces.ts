/**
 * Nonces that were used, forgotten once their timestamps are too old to pass.
 *
 * @module
 */
import type { NonceStore } from '@tillkit/signing'

/** How many nonces are kept before the first search for old ones. */
const fewNonces = 1_000

/** Makes a memory of nonces. */
export function createNonces(options: {
  /** The times, in milliseconds since the epoch, that a timestamp may be near. */
  readonly times: () => readonly number[]
  /** How far a timestamp that could still pass may be from one of them, in seconds. */
  readonly seconds: number
}): NonceStore & { clear(): void } {
  const seen = new Map<string, number>()
  let sweepAt = fewNonces
  /** Looks at all of them, but each time only when there are twice as many as were left before. */
  const sweep = (): void => {
    const times = options.times().map(time => Math.floor(time / 1000))
    for (const [key, at] of seen) {
      if (times.every(time => Math.abs(time - at) > options.seconds)) seen.delete(key)
    }
    sweepAt = Math.max(fewNonces, seen.size * 2)
  }
  return {
    claim({ consumerKey, nonce, timestamp }) {
      const key = JSON.stringify([consumerKey, nonce, timestamp])
      if (seen.has(key)) return false
      if (seen.size >= sweepAt) sweep()
      seen.set(key, timestamp)
      return true
    },
    clear() {
      seen.clear()
      sweepAt = fewNonces
    },
  }
}
