/**
 * Fingerprint of a request: tells whether two requests say the same, without saying what.
 *
 * @module
 */
import { createHash, createHmac } from 'node:crypto'
import { wireNames } from '@tillkit/protocol'
import type { BuiltRequest } from './build-request.js'
import type { Settings } from './settings.js'

/** Fields that hold card data. They are left out, so the same order paid with another card has the same fingerprint. */
const cardFields: ReadonlySet<string> = new Set([
  'creditCardNumber',
  'cardPrintedName',
  'expireMonth',
  'expireYear',
  'cvv2',
  'destinationCardNo',
  'sendingCardNumber',
])

const cardWireNames: ReadonlySet<string> = new Set(
  Object.entries(wireNames).flatMap(([field, name]) => (cardFields.has(field) ? [normalize(name)] : [])),
)

/**
 * HMAC-SHA256, lower-case hex, over address and form without card fields. Its key is derived from the merchant's own keys, so
 * that whoever reads stored fingerprints cannot try amounts against them; after a change of keys they differ.
 */
export function requestFingerprint({ url, form }: BuiltRequest, settings: Settings): string {
  const kept = form
    .filter(({ field, name }) => (field === undefined ? !cardWireNames.has(normalize(name)) : !cardFields.has(field)))
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

function normalize(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase()
}
