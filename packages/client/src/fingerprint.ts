/**
 * Fingerprint of a request: tells whether two requests say the same, without saying what.
 *
 * @module
 */
import { createHash, createHmac } from 'node:crypto'
import { cardFields } from '@tillkit/protocol'
import type { BuiltRequest } from './build-request.js'
import type { Settings } from './settings.js'

/** Left out, so the same order paid with another card has the same fingerprint. */
const leftOut: ReadonlySet<string | undefined> = new Set(cardFields)

/**
 * HMAC-SHA256, lower-case hex, over address and form without card fields. Its key is derived from the merchant's own keys, so
 * that whoever reads stored fingerprints cannot try amounts against them; after a change of keys they differ.
 */
export function requestFingerprint({ url, form }: BuiltRequest, settings: Settings): string {
  const kept = form
    .filter(({ field }) => !leftOut.has(field))
    .map(({ name, value }) => [name, value] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return createHmac('sha256', keyOf(settings))
    .update(JSON.stringify([url.href, kept]), 'utf8')
    .digest('hex')
}

function keyOf({ controlKey, privateKey, login }: Settings): Buffer {
  const secret = controlKey ?? privateKey?.key.export({ type: 'pkcs8', format: 'der' }) ?? login
  return createHash('sha256').update('tillkit attempt fingerprint\n').update(secret).digest()
}
