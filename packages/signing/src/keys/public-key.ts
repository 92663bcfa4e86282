import type { PublicKeyInput } from 'node:crypto'
import { InvalidInputError, InvalidKeyError } from '../errors.js'
import { type KeyForm, type KeyMaterial, keyForm } from './key-material.js'
import { type KeyObject, nodeCrypto } from './node-crypto.js'

/** A public key fit for RSA-SHA256. */
export interface PublicKey {
  readonly key: KeyObject
  /** Length of the modulus, in bits. */
  readonly bits: number
  /** `SHA256:` and the Base64 SHA-256 of the key (SPKI, DER). */
  readonly fingerprint: string
}

/**
 * Reads an RSA public key: SPKI or PKCS#1, PEM or DER, a certificate, a JSON Web Key or a `KeyObject`.
 *
 * @throws {@link InvalidKeyError} when it is a private key (only the signer should hold it), not RSA, under 2048 or over 16384
 * bits, or damaged by the setting it comes from.
 * @see Interface specification, section 5.3
 */
export function importPublicKey(input: KeyMaterial): PublicKey {
  const form = keyForm(input)
  if (isPrivate(form)) {
    throw new InvalidKeyError(
      'A public key is needed to verify, and this is a private key. Keep it with the signer and hand over its public ' +
        'half: "openssl pkey -in key.pem -pubout".',
    )
  }
  const key = readPublicKey(form)
  return Object.freeze({ key, bits: rsaBits(key), fingerprint: fingerprintOf(key) })
}

function isPrivate(form: KeyForm): boolean {
  if (form.kind === 'file') return form.holds.includes('private key') || form.holds === 'a PKCS#12 file'
  return form.kind === 'jwk' ? form.jwk.d !== undefined : form.key.type === 'private'
}

function readPublicKey(form: KeyForm): KeyObject {
  if (form.kind === 'object') {
    if (form.key.type === 'public') return form.key
    throw new InvalidKeyError(`A public key is needed to verify, and this KeyObject is a ${form.key.type} key.`)
  }
  const { X509Certificate, createPublicKey } = nodeCrypto()
  try {
    if (form.kind === 'jwk') return createPublicKey({ key: form.jwk, format: 'jwk' })
    const { holds, input } = form
    return holds === 'a certificate'
      ? new X509Certificate(input.key).publicKey
      : createPublicKey(input as PublicKeyInput)
  } catch (cause) {
    // Node.js quotes the member of a JSON Web Key that it could not use, which may be a part of a key.
    throw new InvalidKeyError(
      'This public key cannot be read. Make it again from the private key: "openssl pkey -in key.pem -pubout".',
      form.kind === 'jwk' ? undefined : { cause },
    )
  }
}

/** Fewest bits of an RSA modulus the gateway accepts, interface specification section 8. */
export const minimumKeyBits = 2048

/** Most bits of an RSA modulus: OpenSSL verifies nothing with a longer one, and a signature by it takes seconds. */
export const maximumKeyBits = 16_384

/** The length of an RSA key's modulus, in bits. A key of another type, of under 2048 or over 16384 bits, is an {@link InvalidKeyError}. */
export function rsaBits(key: KeyObject): number {
  if (key.asymmetricKeyType !== 'rsa') {
    throw new InvalidKeyError(
      `The key is of type "${key.asymmetricKeyType}", and the gateway takes RSA only. ${makeOne}`,
    )
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < minimumKeyBits) {
    throw new InvalidKeyError(`The RSA key has ${bits} bits; the gateway wants at least ${minimumKeyBits}. ${makeOne}`)
  }
  if (bits > maximumKeyBits) {
    throw new InvalidKeyError(`The RSA key has ${bits} bits; at most ${maximumKeyBits} can be verified. ${makeOne}`)
  }
  return bits
}

const makeOne = 'Make one with generateKeyPair() or "openssl genrsa -out key.pem 2048".'

/** What `openssl pkey -pubin -in public.pem -outform DER | openssl dgst -sha256 -binary | base64` prints, after `SHA256:`. */
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
 * @throws {@link InvalidInputError} when it is not such a fingerprint.
 */
export function spokenFingerprint(fingerprint: string): string {
  const base64 = /^SHA256:([A-Za-z0-9+/]{43}=)$/.exec(fingerprint)?.[1]
  if (base64 === undefined) {
    throw new InvalidInputError('fingerprint', 'A fingerprint is "SHA256:" and 44 characters of Base64; this is not.')
  }
  const digits = Buffer.from(base64, 'base64').toString('hex')
  return digits.replace(/.{4}(?!$)/g, '$& ')
}
