/**
 * Fingerprint of a request: tells whether two requests say the same, without saying what.
 *
 * @module
 */
import { cardFields } from '@tillkit/protocol'
import { nodeCrypto } from '../config/lazy.js'
import type { Settings } from '../config/settings.js'
import type { BuiltRequest } from './build-request.js'
import { fieldOrders } from './field-order.js'
import { keyedDigest } from './keyed-digest.js'

/**
 * Left out, so the same order paid with another card has the same fingerprint; and so has the same hosted form asked for
 * again, whose return address carries a state that is made anew each time.
 */
const leftOut: ReadonlySet<string | undefined> = new Set<string>([...cardFields, 'redirectUrl'])

const inOrder = fieldOrders(leftOut)

/**
 * HMAC-SHA256, lower-case hex, over path and form without what is left out; it does not depend on the order of fields
 * (adr/0031). Its key is derived from the merchant's own keys, so that whoever reads stored fingerprints cannot try amounts
 * against them; after a change of keys they differ.
 *
 * The text begins with the path below the base address, which identifies nothing: adr/0035. A line follows for each field, ordered by name and then value: both, each after its
 * length in UTF-16 code units, such as `6:amount5:10.42`. No value can pass for another field.
 */
export function requestFingerprint({ address: { path }, form }: BuiltRequest, settings: Settings): string {
  const { places, heads } = inOrder(form)
  let text = path.slice(settings.baseUrl.prefix.length)
  for (let at = 0; at < places.length; at += 1) {
    const value = form.texts[places[at] as number] ?? ''
    text += `${heads[at]}${value.length}:${value}`
  }
  return digestFor(settings)(text)
}

/** Kept with the settings that the merchant's keys are in. */
const digests = new WeakMap<Settings, (text: string) => string>()

function digestFor(settings: Settings): (text: string) => string {
  const known = digests.get(settings)
  if (known !== undefined) return known
  const { controlKey, privateKey, login } = settings
  const secret = controlKey ?? privateKey?.key.export({ type: 'pkcs8', format: 'der' }) ?? login
  const key = nodeCrypto().createHash('sha256').update('tillkit attempt fingerprint\n').update(secret).digest('hex')
  const digest = keyedDigest(key)
  digests.set(settings, digest)
  return digest
}
