/**
 * What DER bytes hold, told from their first elements: enough to read the right thing or to name the wrong one.
 *
 * @module
 */

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
