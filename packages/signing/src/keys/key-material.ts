import { InvalidInputError, InvalidKeyError } from '../errors.js'
import { type JsonWebKey, type KeyObject, nodeCrypto } from './node-crypto.js'
import { pemDamage } from './pem-damage.js'

/** A key as PEM text, as the bytes of a PEM or DER file, as a JSON Web Key, or as a `KeyObject` of `node:crypto`. */
export type KeyMaterial = string | Uint8Array | JsonWebKey | KeyObject

/** Fewest bits of an RSA modulus the gateway accepts, interface specification section 8. */
export const minimumKeyBits = 2048

/** Key material, told apart by its form. */
export type KeyForm =
  | { readonly kind: 'pem'; readonly text: string }
  | { readonly kind: 'der'; readonly bytes: Buffer; readonly holds: DerKind }
  | { readonly kind: 'jwk'; readonly jwk: JsonWebKey }
  | { readonly kind: 'object'; readonly key: KeyObject }

/**
 * Tells the form of key material and refuses text that cannot be a PEM file.
 *
 * @throws {@link InvalidKeyError} when it is empty, damaged (each kind by its name, with the cure) or no key at all.
 */
export function keyForm(material: KeyMaterial): KeyForm {
  if (material instanceof nodeCrypto().KeyObject) return { kind: 'object', key: material }
  if (material instanceof Uint8Array) {
    const bytes = Buffer.from(material.buffer, material.byteOffset, material.byteLength)
    if (isDer(bytes)) return { kind: 'der', bytes, holds: derKind(bytes) }
    return { kind: 'pem', text: pemText(bytes.toString('utf8')) }
  }
  if (typeof material === 'string') return { kind: 'pem', text: pemText(material) }
  if (typeof material === 'object' && material !== null) return { kind: 'jwk', jwk: material }
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
 * @throws {@link InvalidInputError} when it is not such a fingerprint.
 */
export function spokenFingerprint(fingerprint: string): string {
  const base64 = /^SHA256:([A-Za-z0-9+/]{43}=)$/.exec(fingerprint)?.[1]
  if (base64 === undefined) {
    throw new InvalidInputError('fingerprint', 'A fingerprint is "SHA256:" and 44 characters of Base64; this is not.')
  }
  const digits = Buffer.from(base64, 'base64').toString('hex')
  return (digits.match(/.{4}/g) ?? []).join(' ')
}

/** What a file in DER holds. */
export type DerKind = 'pkcs8' | 'encrypted-pkcs8' | 'pkcs1' | 'sec1' | 'pkcs12' | 'spki' | 'certificate' | 'unknown'

const integer = 0x02
const sequence = 0x30

/** Tells whether bytes look like DER, a sequence with its length, rather than text that begins with a zero. */
export function isDer(bytes: Uint8Array): boolean {
  const [tag, length = 0] = bytes
  return tag === sequence && (length >= 0x80 || length === bytes.length - 2)
}

/**
 * Tells what DER bytes hold.
 *
 * A private key begins with its version: 0 before the algorithm (PKCS#8) or before the modulus (PKCS#1), 1 in SEC 1,
 * while a PKCS#12 file is of version 3.
 *
 * @see RFC 5208 section 5, RFC 8017 appendix A.1.2, RFC 5915 section 3, RFC 7292 section 4, RFC 5280 sections 4.1 and 4.1.2.7
 */
export function derKind(bytes: Buffer): DerKind {
  const start = contentStart(bytes)
  if (bytes[start] === integer && bytes[start + 1] === 1) {
    const version = bytes[start + 2]
    const next = bytes[start + 3]
    if (version === 3) return 'pkcs12'
    if (next === sequence) return 'pkcs8'
    if (next === integer) return 'pkcs1'
    return version === 1 ? 'sec1' : 'unknown'
  }
  if (bytes[start] !== sequence) return 'unknown'
  const second = bytes[contentStart(bytes, start) + contentLength(bytes, start)] ?? 0
  return afterSequence.get(second) ?? 'unknown'
}

/** What begins with a sequence is told by the element after it: a bit string, an octet string, an algorithm. */
const afterSequence: ReadonlyMap<number, DerKind> = new Map([
  [0x03, 'spki'],
  [0x04, 'encrypted-pkcs8'],
  [sequence, 'certificate'],
])

/** Where the content of the element at `at` starts: after its tag and its length. */
function contentStart(bytes: Buffer, at = 0): number {
  const length = bytes[at + 1] ?? 0
  return at + 2 + (length < 0x80 ? 0 : length & 0x7f)
}

/** Length of the content of the element at `at`, in bytes; 0 when the bytes end before it is said. */
function contentLength(bytes: Buffer, at: number): number {
  const length = bytes[at + 1] ?? 0
  if (length < 0x80) return length
  const digits = length & 0x7f
  return digits < 1 || digits > 4 || at + 2 + digits > bytes.length ? 0 : bytes.readUIntBE(at + 2, digits)
}
