/**
 * Key material as people hold it, and the plain mistakes in it.
 *
 * @module
 */
import { createHash, type JsonWebKey, KeyObject } from 'node:crypto'
import { InvalidKeyError } from './errors.js'

/** A key as text or bytes of a PEM file, as a JSON Web Key, or as a `KeyObject` of `node:crypto`. */
export type KeyMaterial = string | Buffer | JsonWebKey | KeyObject

/** Fewest bits of an RSA modulus the gateway accepts, interface specification section 8. */
export const minimumKeyBits = 2048

/**
 * Takes the PEM text out of key material and refuses text that cannot be a PEM file.
 *
 * @returns The text, or `undefined` when the material is a JSON Web Key or a `KeyObject`.
 * @throws {@link InvalidKeyError} when line breaks are escaped or there is no PEM block at all.
 */
export function pemText(material: KeyMaterial): string | undefined {
  if (typeof material !== 'string' && !Buffer.isBuffer(material)) {
    if (material instanceof KeyObject || (typeof material === 'object' && material !== null)) return undefined
    throw new InvalidKeyError(`A key must be PEM text, a JSON Web Key or a KeyObject, not ${typeof material}.`)
  }
  const text = material.toString()
  if (text.includes('-----BEGIN') && text.includes('\\n')) {
    throw new InvalidKeyError(
      'The key holds the two characters "\\n" where its line breaks belong: the setting it comes from was escaped. ' +
        "Store it with real line breaks, or write key.replaceAll('\\\\n', '\\n') before handing it over.",
    )
  }
  if (!text.includes('-----BEGIN')) {
    throw new InvalidKeyError(
      'This is not a PEM key: there is no line "-----BEGIN …-----" in it. If it is the path of a file, read the file ' +
        'first; if it is DER, convert it with "openssl pkey -inform DER -in key.der -out key.pem".',
    )
  }
  return text
}

/** Lists the labels of a PEM file's blocks: `PRIVATE KEY`, `CERTIFICATE`, … */
export const pemLabels = (text: string): string[] =>
  [...text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,40})-----/g)].map(match => match[1] ?? '')

/**
 * Checks that a key is RSA and strong enough.
 *
 * @returns Length of its modulus, in bits.
 * @throws {@link InvalidKeyError} when the key is of another type or under 2048 bits.
 * @see Interface specification, sections 5.3 and 8
 */
export function rsaBits(key: KeyObject): number {
  if (key.asymmetricKeyType !== 'rsa') {
    throw new InvalidKeyError(
      `The key is of type "${key.asymmetricKeyType ?? 'secret'}", and the gateway takes RSA only. Make one with ` +
        'generateKeyPair() or "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out key.pem".',
    )
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < minimumKeyBits) {
    throw new InvalidKeyError(
      `The RSA key has ${bits} bits; the gateway wants at least ${minimumKeyBits}. Make a new one with ` +
        'generateKeyPair() or "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out key.pem".',
    )
  }
  return bits
}

/**
 * Names a key pair: `SHA256:` and the Base64 SHA-256 of its public half (SPKI, DER).
 *
 * `openssl pkey -pubin -in public.pem -outform DER | openssl dgst -sha256 -binary | base64` prints the same.
 */
export function fingerprintOf(publicKey: KeyObject): string {
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return `SHA256:${createHash('sha256').update(der).digest('base64')}`
}
