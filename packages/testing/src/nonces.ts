/**
 * Nonces that were used, forgotten once their timestamps are too old to pass.
 *
 * @module
 */
import type { NonceStore } from '@tillkit/signing'

/** Makes a memory of nonces. */
export function createNonces(options: {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** How long a nonce is remembered, in seconds. */
  readonly seconds: number
}): NonceStore & { clear(): void } {
  const seen = new Map<string, number>()
  return {
    claim({ consumerKey, nonce, timestamp }) {
      const oldest = Math.floor(options.now() / 1000) - options.seconds
      // In the order they came, which is nearly that of their timestamps: what is late to go goes a little later.
      for (const [key, at] of seen) {
        if (at >= oldest) break
        seen.delete(key)
      }
      const key = JSON.stringify([consumerKey, nonce, timestamp])
      if (seen.has(key)) return false
      seen.set(key, timestamp)
      return true
    },
    clear: () => seen.clear(),
  }
}
