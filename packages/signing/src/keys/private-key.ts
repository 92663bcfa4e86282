import type { PrivateKeyInput } from 'node:crypto'
import { InvalidInputError, InvalidKeyError } from '../errors.js'
import { type KeyForm, type KeyMaterial, keyForm } from './key-material.js'
import { type JsonWebKey, type KeyObject, nodeCrypto } from './node-crypto.js'
import { fingerprintOf, maximumKeyBits, minimumKeyBits, rsaBits } from './public-key.js'

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
 * @throws {@link InvalidKeyError} when it is not a private key, not RSA, under 2048 or over 16384 bits, encrypted and the passphrase is
 * missing or wrong, damaged by the setting it comes from, or unable to sign what its own public half verifies. The message
 * names the cure and never holds key material.
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
  // Stryker disable next-line StringLiteral: any bytes show it
  const data = Buffer.from('tillkit: does this key sign what its public half verifies?')
  const { sign, verify } = nodeCrypto()
  const isPair = parse(() => verify('sha256', data, publicKey, sign('sha256', data, key)), damagedPair)
  if (!isPair) throw new InvalidKeyError(damagedPair)
}

const damagedPair =
  'The private key is damaged: what it signs, its own public half does not verify. Copy it again; a character was changed.'

function readPrivateKey(form: KeyForm, passphrase: string | undefined): KeyObject {
  if (form.kind === 'file') return readFile(form, passphrase)
  if (form.kind === 'jwk') return readJwk(form.jwk)
  if (form.key.type === 'private') return form.key
  throw new InvalidKeyError(`A private key is needed to sign, and this KeyObject is a ${form.key.type} key.`)
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

function readFile(file: Extract<KeyForm, { kind: 'file' }>, passphrase: string | undefined): KeyObject {
  const input = file.input as PrivateKeyInput
  switch (file.holds) {
    case 'a private key':
      return parse(() => nodeCrypto().createPrivateKey(input), input.format === 'der' ? damagedDer : damagedPem)
    case 'an encrypted private key':
      if (!passphrase) throw new InvalidKeyError(noPassphrase)
      return parse(() => nodeCrypto().createPrivateKey({ ...input, passphrase }), notOpened)
    case 'a private key of OpenSSH':
      throw new InvalidKeyError(
        'The key is in the format of OpenSSH. Convert a copy with "ssh-keygen -p -m PKCS8 -N \'\' -f copy.pem".',
      )
    case 'a PKCS#12 file':
      throw new InvalidKeyError(
        'This is a PKCS#12 file (.p12, .pfx). ' +
          'Take the key out of it: "openssl pkcs12 -in file.p12 -nocerts -nodes -out key.pem", with "-legacy" if it is old.',
      )
    default:
      throw new InvalidKeyError(
        `A private key is needed to sign, and this file holds ${file.holds}. Hand over the file that begins with ` +
          '"-----BEGIN PRIVATE KEY-----"; the public half goes to the gateway\'s support contact.',
      )
  }
}

const damagedPem =
  'The private key cannot be read: its PEM block is damaged. "openssl pkey -in key.pem -noout -check" says more.'

const damagedDer =
  'The private key cannot be read: its DER bytes are damaged, cut off, or were read as text. "openssl pkey -inform ' +
  'DER -in key.der -noout -check" says more.'

const noPassphrase =
  'The private key is encrypted and no passphrase was given. Pass "passphrase" to importPrivateKey, or decrypt it: ' +
  '"openssl pkey -in key.pem -out plain.pem".'

/** Why an encrypted key was not opened. An old cipher is refused before the passphrase is tried. */
const notOpened = (cause: unknown): string =>
  (cause as NodeJS.ErrnoException).code === 'ERR_OSSL_EVP_UNSUPPORTED'
    ? 'The private key is encrypted with an old cipher (such as DES, RC2 or RC4), which Node.js cannot open with any passphrase. ' +
      'Encrypt it anew: "openssl pkey -in key.pem -provider legacy -provider default -aes256 -out new.pem".'
    : 'The private key is encrypted and could not be opened. The passphrase is probably wrong; if it is right, the file is damaged.'

/** What OpenSSL says about a key names routines and reasons, never content, so it is kept as the cause. */
function parse<Result>(read: () => Result, message: string | ((cause: unknown) => string)): Result {
  try {
    return read()
  } catch (cause) {
    throw new InvalidKeyError(typeof message === 'string' ? message : message(cause), { cause })
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
  if (!Number.isInteger(bits) || bits < minimumKeyBits || bits > maximumKeyBits) {
    throw new InvalidInputError('bits', `"bits" is ${String(bits)}; it must be a whole number from 2048 to 16384.`)
  }
  const { privateKey, publicKey } = nodeCrypto().generateKeyPairSync('rsa', {
    modulusLength: bits,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  return { privateKey, publicKey, fingerprint: fingerprintOf(nodeCrypto().createPublicKey(publicKey)) }
}
