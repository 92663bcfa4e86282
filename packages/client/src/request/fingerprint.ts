import { cardFields } from '@tillkit/protocol'
import { nodeCrypto, oncePer } from '../config/lazy.js'
import type { Settings } from '../config/settings.js'
import type { BuiltRequest, FormField } from './types.js'

/**
 * Left out, so the same order paid with another card has the same fingerprint; and so has the same hosted form asked for
 * again, whose return address carries a state that is made anew each time.
 */
const leftOut: ReadonlySet<string | undefined> = new Set<string>([...cardFields, 'redirectUrl'])

/**
 * Fingerprint of a request: tells whether two requests say the same, without saying what.
 *
 * HMAC-SHA256, lower-case hex, over path and form without what is left out; it does not depend on the order of fields
 * (adr/0031). Its key is derived from the merchant's own keys, so that stored fingerprints alone are not enough to try
 * amounts against them; after a change of keys they differ.
 *
 * The text begins with the path below the base address, which identifies nothing: adr/0035. A line follows for each field,
 * ordered by name and then value: both, each after its length in UTF-16 code units, such as `6:amount5:10.42`. No value can
 * pass for another field.
 */
export function requestFingerprint({ address: { path }, form }: BuiltRequest, settings: Settings): string {
  const lines = form
    .filter(({ shownAs }) => !leftOut.has(shownAs))
    .sort((a, b) => compare(a.name, b.name) || compare(a.value, b.value))
    .map(({ name, value }: FormField) => `\n${name.length}:${name}${value.length}:${value}`)
  const text = path.slice(settings.baseUrl.prefix.length) + lines.join('')
  return nodeCrypto().createHmac('sha256', keyOf(settings)).update(text, 'utf8').digest('hex')
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Kept with the settings that the merchant's keys are in. */
const keyOf = /* @__PURE__ */ oncePer(({ controlKey, privateKey, login }: Settings) => {
  const { createHash, createSecretKey } = nodeCrypto()
  const secret = controlKey ?? privateKey?.key.export({ type: 'pkcs8', format: 'der' }) ?? login
  const key = createHash('sha256').update('tillkit attempt fingerprint\n').update(secret).digest('hex')
  return createSecretKey(key, 'utf8')
})
