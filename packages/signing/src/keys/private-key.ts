import { InvalidInputError, InvalidKeyError } from '../errors.js'
import {
  fingerprintOf,
  type KeyForm,
  type KeyMaterial,
  keyForm,
  minimumKeyBits,
  pemLabels,
  rsaBits,
} from './key-material.js'
import { type JsonWebKey, type KeyObject, nodeCrypto } from './node-crypto.js'

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
 * Reads an RSA private key: PKCS#8 or PKCS#1, PEM or DER, encrypted or not, a JSON Web Key or a `KeyObject`.
 *
 * @throws {@link InvalidKeyError} when it is not a private key, not RSA, under 2048 bits, encrypted and the passphrase
 * is missing or wrong, damaged by the setting it comes from, or unable
 * to sign what its own public half verifies. The message names the cure and never holds key material.
 * @throws {@link InvalidInputError} for a label that does not exist.
 * @see Interface specification, section 5.3
 */
export function importPrivateKey(input: KeyMaterial, options: ImportPrivateKeyOptions = {}): PrivateKey {
  const key = readPrivateKey(keyForm(input), options.passphrase)
  const bits = rsaBits(key)
  const publicKey = nodeCrypto().createPublicKey(key)
  checkPair(key, publicKey)
  const { label } = options
  if (label !== undefined && label !== 'test' && label !== 'production') {
    throw new InvalidInputError('label', '"label" must be "test" or "production", or be left out.')
  }
  return Object.freeze({ key, bits, fingerprint: fingerprintOf(publicKey), ...(label === undefined ? {} : { label }) })
}

/** A changed character often leaves a key that can be read, and whose signatures cannot be verified. */
function checkPair(key: KeyObject, publicKey: KeyObject): void {
  const data = Buffer.from('tillkit: does this key sign what its public half verifies?')
  const { sign, verify } = nodeCrypto()
  const isPair = parse(() => verify('sha256', data, publicKey, sign('sha256', data, key)), damagedPair)
  if (!isPair) throw new InvalidKeyError(damagedPair)
}

const damagedPair =
  'The private key is damaged: what it signs, its own public half does not verify. Copy it again; a character was changed.'

function readPrivateKey(form: KeyForm, passphrase: string | undefined): KeyObject {
  switch (form.kind) {
    case 'pem':
      return readPem(form.text, passphrase)
    case 'der':
      return readDer(form, passphrase)
    case 'jwk':
      return readJwk(form.jwk)
    case 'object':
      if (form.key.type === 'private') return form.key
      throw new InvalidKeyError(`A private key is needed to sign, and this KeyObject is a ${form.key.type} key.`)
  }
}

function readJwk(jwk: JsonWebKey): KeyObject {
  if (jwk.kty === 'RSA' && jwk.d === undefined) {
    throw new InvalidKeyError('This JSON Web Key is a public key (it has no "d"). Hand over the private half to sign.')
  }
  try {
    return nodeCrypto().createPrivateKey({ key: jwk, format: 'jwk' })
  } catch {
    // No cause: Node.js quotes the member it could not use, which may be part of the key.
    throw new InvalidKeyError('The JSON Web Key is not a usable private key: a member is missing or of the wrong type.')
  }
}

function readPem(text: string, passphrase: string | undefined): KeyObject {
  const labels = pemLabels(text)
  if (!labels.some(label => label.endsWith('PRIVATE KEY'))) throw notPrivate(contentOf(labels[0]))
  if (labels.includes('OPENSSH PRIVATE KEY')) {
    throw new InvalidKeyError(
      'The key is in the format of OpenSSH. Convert a copy with "ssh-keygen -p -m PKCS8 -N \'\' -f copy.pem".',
    )
  }
  if (labels.includes('ENCRYPTED PRIVATE KEY') || text.includes('Proc-Type: 4,ENCRYPTED')) {
    const opened = checkPassphrase(passphrase)
    return parse(() => nodeCrypto().createPrivateKey({ key: text, passphrase: opened }), wrongPassphrase)
  }
  return parse(
    () => nodeCrypto().createPrivateKey(text),
    'The private key cannot be read: its PEM block is damaged. "openssl pkey -in key.pem -noout -check" says more.',
  )
}

function readDer({ bytes, holds: kind }: Extract<KeyForm, { kind: 'der' }>, passphrase: string | undefined): KeyObject {
  if (kind === 'encrypted-pkcs8') {
    const opened = checkPassphrase(passphrase)
    const options = { key: bytes, format: 'der', type: 'pkcs8', passphrase: opened } as const
    return parse(() => nodeCrypto().createPrivateKey(options), wrongPassphrase)
  }
  if (kind === 'pkcs8' || kind === 'pkcs1' || kind === 'sec1') {
    return parse(
      () => nodeCrypto().createPrivateKey({ key: bytes, format: 'der', type: kind }),
      'The private key cannot be read: its DER bytes are damaged, cut off, or were read as text. "openssl pkey -inform ' +
        'DER -in key.der -noout -check" says more.',
    )
  }
  if (kind === 'pkcs12') {
    throw new InvalidKeyError(
      'This is a PKCS#12 file (.p12, .pfx). Take the key out of it: "openssl pkcs12 -in file.p12 -nocerts -nodes -out key.pem".',
    )
  }
  throw notPrivate(kind === 'spki' ? 'a public key' : kind === 'certificate' ? 'a certificate' : 'other data')
}

const wrongPassphrase = 'The private key is encrypted and could not be opened. The passphrase is probably wrong.'

function checkPassphrase(passphrase: string | undefined): string {
  if (passphrase) return passphrase
  throw new InvalidKeyError(
    'The private key is encrypted and no passphrase was given. Pass "passphrase" to importPrivateKey, or decrypt it: ' +
      '"openssl pkey -in key.pem -out plain.pem".',
  )
}

/** What a PEM block without a private key holds. */
function contentOf(label = ''): string {
  if (label.endsWith('CERTIFICATE REQUEST')) return 'a certificate request'
  if (label.includes('CERTIFICATE')) return 'a certificate'
  return label.includes('PUBLIC') ? 'a public key' : 'other data'
}

const notPrivate = (what: string): InvalidKeyError =>
  new InvalidKeyError(
    `A private key is needed to sign, and this file holds ${what}. Hand over the file that begins with ` +
      '"-----BEGIN PRIVATE KEY-----"; the public half goes to the gateway\'s support contact.',
  )

/** What OpenSSL says about a key names routines and reasons, never content, so it is kept as the cause. */
function parse<Result>(read: () => Result, message: string): Result {
  try {
    return read()
  } catch (cause) {
    throw new InvalidKeyError(message, { cause })
  }
}

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
