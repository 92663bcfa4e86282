/**
 * Which key a signature was made with, RFC 5849 sections 3.4.2 and 3.4.3.
 *
 * @module
 */

import { labelControlKeys, labelOf } from '../control/control-keys.js'
import { InvalidKeyError } from '../errors.js'
import { rsaBits } from '../keys/key-material.js'
import { type KeyObject, nodeCrypto } from '../keys/node-crypto.js'
import { type AuthorizationRefusal, type Refused, refuse } from '../refusal.js'
import { hmacSha1Signer, type SignatureMethod } from './signers.js'
import type { VerificationKeys } from './verify-authorization.js'

/** A signature, what it should cover, and the keys it may be made with. */
export interface SignatureToMatch {
  readonly method: SignatureMethod
  readonly signature: Buffer
  readonly baseString: string
  readonly keys: VerificationKeys
}

/**
 * Finds the key a signature was made with. Every key is tried, in constant time each.
 *
 * @returns The label of the key, or a refusal.
 */
export function matchingKey(attempt: SignatureToMatch): string | Refused<AuthorizationRefusal> {
  const labels = attempt.method === 'HMAC-SHA1' ? matchingSecrets(attempt) : matchingPublicKeys(attempt)
  if (labels === undefined) {
    return refuse('unsupported-method', `${attempt.method} is not accepted here: there is no key for it.`)
  }
  return labels[0] ?? refuse('mismatch', `The ${attempt.method} signature does not match: compare base strings first.`)
}

function matchingSecrets({ keys, baseString, signature }: SignatureToMatch): string[] | undefined {
  if (keys.hmacSecrets === undefined) return undefined
  const { tokenSecret, keyEncoding, hmacSecrets } = keys
  const more = { ...(tokenSecret && { tokenSecret }), ...(keyEncoding && { keyEncoding }) }
  return labelControlKeys(hmacSecrets)
    .filter(({ key }) => {
      const made = hmacSha1Signer({ consumerSecret: key, ...more }).sign(Buffer.from(baseString))
      return made.length === signature.length && nodeCrypto().timingSafeEqual(made, signature)
    })
    .map(({ label }) => label)
}

function matchingPublicKeys({ keys, baseString, signature }: SignatureToMatch): string[] | undefined {
  if (keys.publicKeys === undefined || keys.publicKeys.length === 0) return undefined
  const data = Buffer.from(baseString)
  return keys.publicKeys
    .map((entry, index) => ({ label: labelOf(entry, index), key: usable(entry?.key, index) }))
    .filter(({ key }) => nodeCrypto().verify('sha256', data, key, signature))
    .map(({ label }) => label)
}

function usable(key: KeyObject | undefined, index: number): KeyObject {
  if (key instanceof nodeCrypto().KeyObject && rsaBits(key) > 0) return key
  throw new InvalidKeyError(`"publicKeys[${index}]" has no key. Write publicKeys: [importPublicKey(pem)].`)
}
