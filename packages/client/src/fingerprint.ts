/**
 * Fingerprint of a request: tells whether two requests say the same, without saying what.
 *
 * @module
 */
import { cardFields } from '@tillkit/protocol'
import { type Parameter, signatureBaseString } from '@tillkit/signing'
import type { BuiltRequest } from './build-request.js'
import { nodeCrypto } from './node-modules.js'
import type { Settings } from './settings.js'

/**
 * Left out, so the same order paid with another card has the same fingerprint; and so has the same hosted form asked for
 * again, whose return address carries a state that is made anew each time.
 */
const leftOut: ReadonlySet<string | undefined> = new Set<string>([...cardFields, 'redirectUrl'])

/**
 * HMAC-SHA256, lower-case hex, over the signature base string of address and form without what is left out, which does not
 * depend on the order of fields. Its key is derived from the merchant's own keys, so
 * that whoever reads stored fingerprints cannot try amounts against them; after a change of keys they differ.
 */
export function requestFingerprint({ address: { url }, form }: BuiltRequest, settings: Settings): string {
  const parameters: Parameter[] = []
  for (const { name, value, field } of form) if (!leftOut.has(field)) parameters.push([name, value])
  const text = signatureBaseString({ method: 'POST', url, parameters })
  return nodeCrypto().createHmac('sha256', keyOf(settings)).update(text).digest('hex')
}

/** Kept with the settings that the merchant's keys are in. */
const keys = new WeakMap<Settings, Buffer>()

function keyOf(settings: Settings): Buffer {
  const known = keys.get(settings)
  if (known !== undefined) return known
  const { controlKey, privateKey, login } = settings
  const secret = controlKey ?? privateKey?.key.export({ type: 'pkcs8', format: 'der' }) ?? login
  const key = nodeCrypto().createHash('sha256').update('tillkit attempt fingerprint\n').update(secret).digest()
  keys.set(settings, key)
  return key
}
