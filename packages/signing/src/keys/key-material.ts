import type { PrivateKeyInput, PublicKeyInput } from 'node:crypto'
import { InvalidKeyError } from '../errors.js'
import { type JsonWebKey, type KeyObject, nodeCrypto } from './node-crypto.js'
import { unseenProblem } from './unseen.js'

/** A key as PEM text, as the bytes of a PEM or DER file, as a JSON Web Key, or as a `KeyObject` of `node:crypto`. */
export type KeyMaterial = string | Uint8Array | JsonWebKey | KeyObject

/** Key material, told apart by its form. `input` is what Node.js reads the key from. */
export type KeyForm =
  | { readonly kind: 'file'; readonly holds: FileContent; readonly input: PrivateKeyInput | PublicKeyInput }
  | { readonly kind: 'jwk'; readonly jwk: JsonWebKey }
  | { readonly kind: 'object'; readonly key: KeyObject }

/** What a PEM or DER file holds, in the words of a message. */
export type FileContent =
  | 'a private key'
  | 'an encrypted private key'
  | 'a private key of OpenSSH'
  | 'a PKCS#12 file'
  | 'a public key'
  | 'a certificate'
  | 'a certificate request'
  | 'other data'

/** Tells the form of key material. What is empty, damaged or no key at all is an {@link InvalidKeyError} with the cure. */
export function keyForm(material: KeyMaterial): KeyForm {
  if (material instanceof nodeCrypto().KeyObject) return { kind: 'object', key: material }
  if (material instanceof Uint8Array) {
    const key = Buffer.from(material.buffer, material.byteOffset, material.byteLength)
    if (!isDer(key)) return pemForm(key.toString('utf8'))
    const [holds, type = 'pkcs1'] = derContent(key)
    return { kind: 'file', holds, input: { key, format: 'der', type } as PrivateKeyInput | PublicKeyInput }
  }
  if (typeof material === 'string') return pemForm(material)
  if (typeof material === 'object' && material !== null) return { kind: 'jwk', jwk: withoutLongMembers(material) }
  throw new InvalidKeyError(`A key must be PEM text, bytes, a JSON Web Key or a KeyObject, not ${typeof material}.`)
}

/** Characters of a number of 16384 bits in Base64: OpenSSL takes seconds for each signature with a longer prime. */
const longestMember = 2731

function withoutLongMembers(jwk: JsonWebKey): JsonWebKey {
  for (const name of ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'] as const) {
    if ((jwk[name]?.length ?? 0) > longestMember)
      throw new InvalidKeyError(`The JSON Web Key is not usable: its "${name}" is too long for at most 16384 bits.`)
  }
  return jwk
}

function pemForm(key: string): KeyForm {
  const damage = damages.find(({ applies }) => applies(key))
  if (damage !== undefined) throw new InvalidKeyError(damage.message)
  return { kind: 'file', holds: pemContent(key), input: { key, format: 'pem' } }
}

/** Tells what PEM text holds by the labels of its blocks. */
function pemContent(text: string): FileContent {
  const labels = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,40})-----/g)].map(([, label = '']) => label)
  if (labels.includes('OPENSSH PRIVATE KEY')) return 'a private key of OpenSSH'
  if (labels.some(label => label.endsWith('PRIVATE KEY'))) {
    const isEncrypted = labels.includes('ENCRYPTED PRIVATE KEY') || text.includes('Proc-Type: 4,ENCRYPTED')
    return isEncrypted ? 'an encrypted private key' : 'a private key'
  }
  const [label = ''] = labels
  if (label.endsWith('CERTIFICATE REQUEST')) return 'a certificate request'
  if (label.includes('CERTIFICATE')) return 'a certificate'
  return label.includes('PUBLIC') ? 'a public key' : 'other data'
}

/**
 * What settings and shells do to PEM text, and the cure for each. Nothing is repaired silently, because such a key would be found
 * out in production. Windows line breaks, a byte order mark and text around the block are no damage: every reader skips them.
 */
const damages: readonly { readonly applies: (text: string) => boolean; readonly message: string }[] = [
  {
    applies: text => text.trim() === '',
    message: 'The key is empty. Is the setting or file it is read from missing, or named differently here?',
  },
  {
    applies: text => text.includes('-----BEGIN') && text.includes('\\n'),
    message:
      'The key holds the two characters "\\n" where its line breaks belong: its setting was escaped. Store real line ' +
      "breaks, or write key.replace(/(\\\\+r)?\\\\+n/g, '\\n').",
  },
  {
    applies: text => /^\s*(["'`])-----BEGIN/.test(text),
    message: 'The key has quotation marks around it. Remove them from the setting.',
  },
  {
    applies: text => /-----BEGIN [A-Z0-9 ]+-----[ \t]+\S/.test(text),
    message:
      'The key is on one line, with spaces where its line breaks belong: a shell joined them. Quote the variable ("$KEY", ' +
      'not $KEY), or store the key in a file.',
  },
  {
    applies: text => /-----BEGIN [A-Z0-9 ]+-----\S/.test(text),
    message:
      'The key is on one line: its line breaks are missing. Store it as its file is, or as Base64 of the whole file ' +
      '("base64 -w0 key.pem"), decoded with Buffer.from(setting, \'base64\').',
  },
  {
    applies: text => /^[ \t]+-----[BE]/m.test(text),
    message:
      'The lines of the key are indented: in YAML use a block scalar ("|"), or write ' +
      "key.replace(/^[ \\t]+/gm, '').",
  },
  {
    applies: text => /^[\s"']*LS0tLS1CRUdJTi/.test(text),
    message: "The key is Base64 of a PEM file. Decode it first: Buffer.from(setting, 'base64').",
  },
  {
    applies: text => /^[\s"']*MII[A-Za-z0-9+/]/.test(text),
    message:
      'The key is Base64 without the lines "-----BEGIN …-----" and "-----END …-----". Hand over the whole file, or its ' +
      "DER bytes: Buffer.from(setting, 'base64').",
  },
  {
    applies: text => /^\s*(ssh-rsa|ssh-ed25519|ecdsa-)/.test(text),
    message:
      'This is a public key in the format of OpenSSH. Convert it with "ssh-keygen -e -m PKCS8 -f key.pub"; to sign, the ' +
      'private half is needed.',
  },
  {
    applies: text => !text.includes('-----BEGIN'),
    message:
      'This is not a PEM key: it has no line "-----BEGIN …-----". If it is a path, read the file first; if it is DER, ' +
      'hand over its bytes as a Buffer.',
  },
  {
    applies: text => unseenInBlock(text) !== undefined,
    message:
      'The key has a character in its block that nobody sees: it came along when it was copied. Copy the file itself.',
  },
  {
    applies: text => !text.includes('-----END'),
    message: 'The key was cut off: it has no line "-----END …-----". Is the length of settings limited?',
  },
]

/** Text around a block may hold anything. */
function unseenInBlock(text: string): string | undefined {
  const block = text.slice(text.indexOf('-----BEGIN '))
  // One search for both would begin anew at each "-----BEGIN".
  const end = block.search(/-----END [A-Z0-9 ]{1,40}-----/)
  return end < 0 ? undefined : unseenProblem(block.slice(0, end).replace(/[\t\r\n]/g, ''))
}

const integer = 0x02
const sequence = 0x30

/** Tells whether bytes look like DER, a sequence with its length, rather than text that begins with a zero. */
function isDer(bytes: Uint8Array): boolean {
  const [tag, length = 0] = bytes
  return tag === sequence && (length >= 0x80 || length === bytes.length - 2)
}

type DerContent = readonly [holds: FileContent, type?: 'pkcs1' | 'pkcs8' | 'sec1' | 'spki']

/**
 * Tells what DER bytes hold, and of what type they are.
 *
 * A private key begins with its version: 0 before the algorithm (PKCS#8) or before the modulus (PKCS#1), 1 in SEC 1,
 * while a PKCS#12 file is of version 3.
 *
 * @see RFC 5208 section 5, RFC 8017 appendix A.1.2, RFC 5915 section 3, RFC 7292 section 4, RFC 5280 sections 4.1 and 4.1.2.7
 */
function derContent(bytes: Buffer): DerContent {
  const start = contentStart(bytes)
  if (bytes[start] === integer && bytes[start + 1] === 1) {
    const version = bytes[start + 2]
    const next = bytes[start + 3]
    if (version === 3) return ['a PKCS#12 file']
    if (next === sequence) return ['a private key', 'pkcs8']
    if (next === integer) return ['a private key', 'pkcs1']
    return version === 1 ? ['a private key', 'sec1'] : ['other data']
  }
  if (bytes[start] !== sequence) return ['other data']
  const second = bytes[contentStart(bytes, start) + contentLength(bytes, start)] ?? 0
  return afterSequence.get(second) ?? ['other data']
}

/** What begins with a sequence is told by the element after it: a bit string, an octet string, an algorithm. */
const afterSequence: ReadonlyMap<number, DerContent> = new Map<number, DerContent>([
  [0x03, ['a public key', 'spki']],
  [0x04, ['an encrypted private key', 'pkcs8']],
  [sequence, ['a certificate']],
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
