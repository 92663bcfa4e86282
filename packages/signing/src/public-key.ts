/**
 * Public keys, to verify RSA-SHA256 signatures.
 *
 * @module
 */
import { createPublicKey, KeyObject } from 'node:crypto'
import { InvalidKeyError } from './errors.js'
import { fingerprintOf, type KeyMaterial, pemLabels, pemText, rsaBits } from './key-material.js'

/** A public key fit for RSA-SHA256. */
export interface PublicKey {
  readonly key: KeyObject
  /** Length of the modulus, in bits. */
  readonly bits: number
  /** `SHA256:` and the Base64 SHA-256 of the key (SPKI, DER). */
  readonly fingerprint: string
}

/**
 * Reads an RSA public key: SPKI or PKCS#1 PEM, a certificate, a JSON Web Key or a `KeyObject`.
 *
 * @throws {@link InvalidKeyError} when it is a private key (whoever verifies should not hold it), not RSA, under 2048
 * bits, or its line breaks are escaped.
 * @see Interface specification, section 5.3
 */
export function importPublicKey(input: KeyMaterial): PublicKey {
  const key = readPublicKey(input)
  return Object.freeze({ key, bits: rsaBits(key), fingerprint: fingerprintOf(key) })
}

function readPublicKey(input: KeyMaterial): KeyObject {
  const text = pemText(input)
  if (text !== undefined ? pemLabels(text).some(label => label.endsWith('PRIVATE KEY')) : isPrivate(input)) {
    throw new InvalidKeyError(
      'A public key is needed to verify, and this is a private key. Keep it with the signer and hand over its public ' +
        'half: "openssl pkey -in key.pem -pubout".',
    )
  }
  if (input instanceof KeyObject) {
    if (input.type === 'public') return input
    throw new InvalidKeyError(`A public key is needed to verify, and this KeyObject is a ${input.type} key.`)
  }
  try {
    if (text !== undefined) return createPublicKey(text)
    if (typeof input !== 'object' || Buffer.isBuffer(input)) throw new InvalidKeyError('This is not a public key.')
    return createPublicKey({ key: input, format: 'jwk' })
  } catch (cause) {
    throw new InvalidKeyError(
      'The public key cannot be read: it is damaged or of an unknown format. Make it again from the private key with ' +
        '"openssl pkey -in key.pem -pubout".',
      { cause },
    )
  }
}

function isPrivate(input: KeyMaterial): boolean {
  if (input instanceof KeyObject) return input.type === 'private'
  return typeof input === 'object' && !Buffer.isBuffer(input) && input.d !== undefined
}
