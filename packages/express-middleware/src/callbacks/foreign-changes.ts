/**
 * Returns and voids that status speaks of and nobody waits for: the merchant's own, or made by somebody at the gateway.
 *
 * A callback may be faster than the answer to the merchant's own request, whose serial number is not stored then. Whatever is
 * still not waited for a minute later is no request of the merchant's.
 *
 * @module
 */
import { boundedMap } from '../state/bounded-map.js'

/** Longer than any request takes, in milliseconds. */
const patience = 60_000

/** Most changes that are remembered. */
const capacity = 10_000

/**
 * Remembers when each change was first seen unexpected, in this process: the gateway goes on sending its callback.
 *
 * @returns Whether the change with this key was there a minute ago already.
 */
export function foreignChanges({ clock }: { readonly clock: () => number }): (key: string) => boolean {
  const firstSeen = boundedMap<number>(capacity)
  return key => {
    const now = clock()
    const since = firstSeen.get(key) ?? now
    if (since === now) firstSeen.set(key, now)
    return now - since >= patience
  }
}
