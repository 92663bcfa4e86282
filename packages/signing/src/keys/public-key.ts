import { InvalidKeyError } from '../errors.js'
import {
  type DerKind,
  fingerprintOf,
  type KeyForm,
  type KeyMaterial,
  keyForm,
  pemLabels,
  rsaBits,
} from './key-material.js'
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
 * @throws {@link InvalidKeyError} when it is a private key (only the signer should hold it), not RSA, under 2048
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

const privateKinds: readonly DerKind[] = ['pkcs8', 'encrypted-pkcs8', 'pkcs1', 'sec1', 'pkcs12']

function isPrivate(form: KeyForm): boolean {
  switch (form.kind) {
    case 'pem':
      return pemLabels(form.text).some(label => label.endsWith('PRIVATE KEY'))
    case 'der':
      return privateKinds.includes(form.holds)
    case 'jwk':
      return form.jwk.d !== undefined
    case 'object':
      return form.key.type === 'private'
  }
}

function readPublicKey(form: KeyForm): KeyObject {
  if (form.kind === 'object') {
    if (form.key.type === 'public') return form.key
    throw new InvalidKeyError(`A public key is needed to verify, and this KeyObject is a ${form.key.type} key.`)
  }
  try {
    if (form.kind === 'pem') return nodeCrypto().createPublicKey(form.text)
    if (form.kind === 'jwk') return nodeCrypto().createPublicKey({ key: form.jwk, format: 'jwk' })
    if (form.holds === 'certificate') return new (nodeCrypto().X509Certificate)(form.bytes).publicKey
    return nodeCrypto().createPublicKey({
      key: form.bytes,
      format: 'der',
      type: form.holds === 'spki' ? 'spki' : 'pkcs1',
    })
  } catch (cause) {
    throw new InvalidKeyError(
      'This public key cannot be read. Make it again from the private key: "openssl pkey -in key.pem -pubout".',
      { cause },
    )
  }
}
