/**
 * Key material as people hold it, and the plain mistakes in it.
 *
 * @module
 */

import { InvalidInputError, InvalidKeyError } from '../errors.js'
import { type DerKind, derKind, isDer } from './der-kind.js'
import { type JsonWebKey, type KeyObject, nodeCrypto } from './node-crypto.js'
import { pemDamage } from './pem-damage.js'

/** A key as PEM text, as the bytes of a PEM or DER file, as a JSON Web Key, or as a `KeyObject` of `node:crypto`. */
export type KeyMaterial = string | Uint8Array | JsonWebKey | KeyObject

/** Fewest bits of an RSA modulus the gateway accepts, interface specification section 8. */
export const minimumKeyBits = 2048

/** Key material, told apart by its form. */
export type KeyForm =
  | { readonly form: 'pem'; readonly text: string }
  | { readonly form: 'der'; readonly bytes: Buffer; readonly kind: DerKind }
  | { readonly form: 'jwk'; readonly jwk: JsonWebKey }
  | { readonly form: 'object'; readonly key: KeyObject }

/**
 * Tells the form of key material and refuses text that cannot be a PEM file.
 *
 * @throws {@link InvalidKeyError} when it is empty, damaged (each kind by its name, with the cure) or no key at all.
 */
export function keyForm(material: KeyMaterial): KeyForm {
  if (material instanceof nodeCrypto().KeyObject) return { form: 'object', key: material }
  if (material instanceof Uint8Array) {
    const bytes = Buffer.from(material.buffer, material.byteOffset, material.byteLength)
    if (isDer(bytes)) return { form: 'der', bytes, kind: derKind(bytes) }
    return { form: 'pem', text: pemText(bytes.toString('utf8')) }
  }
  if (typeof material === 'string') return { form: 'pem', text: pemText(material) }
  if (typeof material === 'object' && material !== null) return { form: 'jwk', jwk: material }
  throw new InvalidKeyError(`A key must be PEM text, bytes, a JSON Web Key or a KeyObject, not ${typeof material}.`)
}

function pemText(raw: string): string {
  const text = raw.startsWith('\uFEFF') ? raw.slice(1) : raw
  const damage = pemDamage(text)
  if (damage !== undefined) throw new InvalidKeyError(damage)
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
      `The key is of type "${key.asymmetricKeyType ?? 'secret'}", and the gateway takes RSA only. ${makeOne}`,
    )
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < minimumKeyBits) {
    throw new InvalidKeyError(`The RSA key has ${bits} bits; the gateway wants at least ${minimumKeyBits}. ${makeOne}`)
  }
  return bits
}

const makeOne = 'Make one with generateKeyPair() or "openssl genrsa -out key.pem 2048".'

/**
 * Names a key pair: `SHA256:` and the Base64 SHA-256 of its public half (SPKI, DER).
 *
 * `openssl pkey -pubin -in public.pem -outform DER | openssl dgst -sha256 -binary | base64` prints the same.
 */
export function fingerprintOf(publicKey: KeyObject): string {
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return `SHA256:${nodeCrypto().createHash('sha256').update(der).digest('base64')}`
}

/**
 * Writes a fingerprint so that two people can compare it over the phone: hexadecimal, in sixteen groups of four.
 *
 * Base64, as {@link fingerprintOf} writes it, tells capitals from small letters and `l` from `I`; this does not.
 * `openssl pkey -pubin -in public.pem -outform DER | openssl dgst -sha256` prints the same digits.
 *
 * @param fingerprint `fingerprint` of a key or key pair: `SHA256:` and Base64.
 * @example
 * ```ts
 * spokenFingerprint('SHA256:N5HGx0+YJz5U7SaokVjr0LtKsXFzuCOV7T7kMrL7Lr8=')
 * // '3791 c6c7 4f98 273e 54ed 26a8 9158 ebd0 bb4a b171 73b8 2395 ed3e e432 b2fb 2ebf'
 * ```
 * @throws {@link InvalidInputError} when it is no such fingerprint.
 */
export function spokenFingerprint(fingerprint: string): string {
  const base64 = /^SHA256:([A-Za-z0-9+/]{43}=)$/.exec(fingerprint)?.[1]
  if (base64 === undefined) {
    throw new InvalidInputError('fingerprint', 'A fingerprint is "SHA256:" and 44 characters of Base64; this is not.')
  }
  const digits = Buffer.from(base64, 'base64').toString('hex')
  return (digits.match(/.{4}/g) ?? []).join(' ')
}
