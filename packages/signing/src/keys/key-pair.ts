/**
 * Making a key pair for RSA-SHA256.
 *
 * @module
 */

import { InvalidInputError } from '../errors.js'
import { fingerprintOf, minimumKeyBits } from './key-material.js'
import { nodeCrypto } from './node-crypto.js'

/** A fresh key pair. Only the public half leaves your hands. */
export interface KeyPair {
  /** PKCS#8 PEM, not encrypted. Keep it secret. */
  readonly privateKey: string
  /** SPKI PEM, for the gateway's support contact. */
  readonly publicKey: string
  /** `SHA256:` and the Base64 SHA-256 of the public half (SPKI, DER). */
  readonly fingerprint: string
}

/**
 * Makes an RSA key pair. Make one for testing and another for production.
 *
 * @param options `bits`: length of the modulus in bits, 2048 to 16384. Default: 2048.
 * @throws {@link InvalidInputError} when `bits` is out of that range or no whole number.
 * @see Interface specification, section 5.3
 */
export function generateKeyPair(options: { readonly bits?: number } = {}): KeyPair {
  const { bits = minimumKeyBits } = options
  if (!Number.isInteger(bits) || bits < minimumKeyBits || bits > 16384) {
    throw new InvalidInputError('bits', `"bits" is ${String(bits)}; it must be a whole number from 2048 to 16384.`)
  }
  const { privateKey, publicKey } = nodeCrypto().generateKeyPairSync('rsa', {
    modulusLength: bits,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  return { privateKey, publicKey, fingerprint: fingerprintOf(nodeCrypto().createPublicKey(publicKey)) }
}
