/**
 * Private keys for RSA-SHA256, interface specification section 5.3.
 *
 * @module
 */
import { createPrivateKey, createPublicKey, KeyObject } from 'node:crypto'
import { InvalidKeyError } from './errors.js'
import { fingerprintOf, type KeyMaterial, pemLabels, pemText, rsaBits } from './key-material.js'

/** What a key pair is for: the specification wants separate ones. */
export type KeyLabel = 'test' | 'production'

/** A private key fit for RSA-SHA256. Printing it shows no key material. */
export interface PrivateKey {
  readonly key: KeyObject
  /** Length of the modulus, in bits. */
  readonly bits: number
  /** `SHA256:` and the Base64 SHA-256 of the public half (SPKI, DER). Safe to log. */
  readonly fingerprint: string
  readonly label?: KeyLabel
}

/** How to read a private key. */
export interface ImportPrivateKeyOptions {
  /** Passphrase of an encrypted key. */
  readonly passphrase?: string
  /** What the key is for. Default: not said. */
  readonly label?: KeyLabel
}

/**
 * Reads an RSA private key: PKCS#8 or PKCS#1 PEM, encrypted or not, a JSON Web Key or a `KeyObject`.
 *
 * @throws {@link InvalidKeyError} when it is no private key, not RSA, under 2048 bits, encrypted and the passphrase
 * is missing or wrong, or its line breaks are escaped. The message names the cure and never holds key material.
 * @see Interface specification, section 5.3
 */
export function importPrivateKey(input: KeyMaterial, options: ImportPrivateKeyOptions = {}): PrivateKey {
  const key = readPrivateKey(input, options.passphrase)
  const bits = rsaBits(key)
  const fingerprint = fingerprintOf(createPublicKey(key))
  return Object.freeze({ key, bits, fingerprint, ...(options.label === undefined ? {} : { label: options.label }) })
}

function readPrivateKey(input: KeyMaterial, passphrase: string | undefined): KeyObject {
  const text = pemText(input)
  if (text !== undefined) return readPem(text, passphrase)
  if (input instanceof KeyObject) {
    if (input.type === 'private') return input
    throw new InvalidKeyError(`A private key is needed to sign, and this KeyObject is a ${input.type} key.`)
  }
  if (typeof input !== 'object' || Buffer.isBuffer(input)) throw new InvalidKeyError('This is not a private key.')
  if (input.kty === 'RSA' && input.d === undefined) {
    throw new InvalidKeyError('This JSON Web Key is a public key (it has no "d"). Hand over the private half to sign.')
  }
  try {
    return createPrivateKey({ key: input, format: 'jwk' })
  } catch {
    // No cause: Node.js quotes the member it could not use, which may be part of the key.
    throw new InvalidKeyError('The JSON Web Key is not a usable private key: a member is missing or of the wrong type.')
  }
}

function readPem(text: string, passphrase: string | undefined): KeyObject {
  const labels = pemLabels(text)
  if (!labels.some(label => label.endsWith('PRIVATE KEY'))) throw notPrivate(labels[0])
  if (labels.includes('OPENSSH PRIVATE KEY')) {
    throw new InvalidKeyError(
      'The key is in the format of OpenSSH. Convert a copy with "ssh-keygen -p -m PKCS8 -N \'\' -f copy.pem".',
    )
  }
  const encrypted = labels.includes('ENCRYPTED PRIVATE KEY') || text.includes('Proc-Type: 4,ENCRYPTED')
  if (encrypted && (passphrase === undefined || passphrase === '')) {
    throw new InvalidKeyError(
      'The private key is encrypted and no passphrase was given. Pass "passphrase" to importPrivateKey, or decrypt the ' +
        'key with "openssl pkey -in key.pem -out plain.pem".',
    )
  }
  if (encrypted) {
    return parse(
      () => createPrivateKey({ key: text, ...(passphrase === undefined ? {} : { passphrase }) }),
      'The private key is encrypted and could not be opened. The passphrase is probably wrong.',
    )
  }
  return parse(
    () => createPrivateKey(text),
    'The private key cannot be read: its PEM block is damaged. Every line must start at the left edge and none may be ' +
      'missing; "openssl pkey -in key.pem -noout -check" says more.',
  )
}

function notPrivate(label: string | undefined): InvalidKeyError {
  const what = label?.includes('CERTIFICATE')
    ? 'a certificate'
    : label?.includes('PUBLIC')
      ? 'a public key'
      : 'other data'
  return new InvalidKeyError(
    `A private key is needed to sign, and this PEM file holds ${what}. Hand over the file that begins with ` +
      '"-----BEGIN PRIVATE KEY-----"; the public half goes to the gateway\'s support contact.',
  )
}

/** What OpenSSL says about a PEM block names routines and reasons, never content, so it is kept as the cause. */
function parse(read: () => KeyObject, message: string): KeyObject {
  try {
    return read()
  } catch (cause) {
    throw new InvalidKeyError(message, { cause })
  }
}
