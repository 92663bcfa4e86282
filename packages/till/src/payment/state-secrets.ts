import { createHash, hkdfSync } from 'node:crypto'
import type { StateSecrets } from '@tillkit/express-middleware/core'
import type { AccountsThen } from './accounts.js'

/**
 * Secrets of return addresses, derived from the control keys: who knows one of them does not know the keys. A replaced key goes on
 * reading the addresses that it made.
 *
 * @see RFC 5869
 */
export function derivedSecrets({ keys }: AccountsThen): StateSecrets {
  const derived = keys.map(key => {
    const secret = new Uint8Array(hkdfSync('sha256', key, '', 'tillkit return state', 32))
    return { id: createHash('sha256').update(secret).digest('hex').slice(0, 12), secret }
  })
  // A key may stand in the list twice, as that of two accounts or of one that has gone.
  const ids = new Set<string>()
  return derived.filter(({ id }) => !ids.has(id) && ids.add(id))
}
