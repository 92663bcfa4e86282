import { constants, createHash, type KeyObject, publicDecrypt, verify } from 'node:crypto'
import type { PublicKey } from '../../index.js'
import { type FoundSignatureMistake, writtenWrong } from './received.js'
import { type SignatureSearch, searchBaseString } from './search.js'

/**
 * Finds the one mistake that makes the other side's RSA-SHA256 signature; `same` when it is right. The public key recovers
 * the digest from a signature, so what was signed can be told from how.
 */
export function searchRsa(search: SignatureSearch, publicKey: PublicKey): FoundSignatureMistake | 'same' | undefined {
  const { request, baseString, readings } = search
  const size = Math.ceil(publicKey.bits / 8)
  const reading = readings.find(({ bytes }) => bytes.length === size)
  if (reading === undefined) return judgeLength(readings[0].bytes.length, publicKey)
  const content = recover(reading.bytes, publicKey.key)
  if (content === undefined) return judgePadding(reading.bytes, baseString, publicKey)
  const signed = digestInfo(content)
  if (signed?.algorithm !== 'sha256') return judgeDigest(content, signed, baseString)
  const reproduces = (candidate: string): boolean => sha256(candidate).equals(signed.digest)
  if (reproduces(baseString)) return writtenWrong(reading, baseString)
  return hashedTwice(baseString, signed.digest) ?? searchBaseString(request, reproduces)
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

/** Undoes PKCS#1 v1.5 padding, RFC 8017 section 8.2.2; `undefined` when this key finds no padding. */
function recover(signature: Buffer, key: KeyObject): Buffer | undefined {
  try {
    return publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature)
  } catch {
    return undefined
  }
}

/** DER that comes before a digest, RFC 8017 section 9.2, note 1. */
const digestPrefixes: readonly (readonly [algorithm: string, prefix: string])[] = [
  ['md5', '3020300c06082a864886f70d020505000410'],
  ['sha1', '3021300906052b0e03021a05000414'],
  ['sha256', '3031300d060960864801650304020105000420'],
  ['sha384', '3041300d060960864801650304020205000430'],
  ['sha512', '3051300d060960864801650304020305000440'],
]

function digestInfo(content: Buffer) {
  const text = content.toString('hex')
  const found = digestPrefixes.find(([, prefix]) => text.startsWith(prefix))
  return found && { algorithm: found[0], digest: content.subarray(found[1].length / 2) }
}

function judgeDigest(
  content: Buffer,
  signed: ReturnType<typeof digestInfo>,
  baseString: string,
): FoundSignatureMistake {
  if (signed !== undefined) {
    const same = createHash(signed.algorithm).update(baseString).digest().equals(signed.digest)
    const text = `the signature is over ${signed.algorithm}; RSA-SHA256 is asked for`
    if (!same) return { mistake: 'digest', text }
    return { mistake: 'digest', text: `the base strings agree; ${text}`, theirs: baseString }
  }
  const digest = sha256(baseString)
  const raw = content.equals(digest) || content.toString('latin1') === digest.toString('hex')
  const text = raw
    ? 'the base strings agree; the digest was encrypted as it is, without its DigestInfo: use a function that signs'
    : 'what was signed is not a digest: it was encrypted with the private key, not signed with SHA-256'
  return { mistake: 'digest-info', text, ...(raw ? { theirs: baseString } : {}) }
}

/** What happens when a digest is handed to a KMS that digests by itself. */
function hashedTwice(baseString: string, digest: Buffer): FoundSignatureMistake | undefined {
  const once = sha256(baseString)
  const twice = [once, once.toString('hex'), once.toString('base64')].some(data => sha256(data).equals(digest))
  if (!twice) return undefined
  const text = 'the base strings agree; the digest was digested once more: tell the KMS that it is given a digest'
  return { mistake: 'digested-twice', text, theirs: baseString }
}

function judgePadding(signature: Buffer, baseString: string, publicKey: PublicKey): FoundSignatureMistake {
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_AUTO: saltLength } = constants
  if (verify('sha256', Buffer.from(baseString), { key: publicKey.key, padding, saltLength }, signature)) {
    return {
      mistake: 'padding',
      text: 'the base strings agree; the padding is PSS, it must be PKCS#1 v1.5',
      theirs: baseString,
    }
  }
  const text = `key: the signature was not made with the private half of ${publicKey.fingerprint}; compare fingerprints`
  const doubt = '. (With PSS padding over another base string it would look the same.)'
  return { mistake: 'key', text: mayBePss(signature, publicKey.key) ? text + doubt : text }
}

/** PSS of this key ends in 0xbc, RFC 8017 section 9.1.1, step 12; one signature of another key in 256 does so too. */
function mayBePss(signature: Buffer, key: KeyObject): boolean {
  try {
    return publicDecrypt({ key, padding: constants.RSA_NO_PADDING }, signature).at(-1) === 0xbc
  } catch {
    // It is larger than this key's modulus.
    return false
  }
}

function judgeLength(length: number, { bits, fingerprint }: PublicKey): FoundSignatureMistake {
  const wanted = `a signature by ${fingerprint} has ${Math.ceil(bits / 8)}`
  if (length === 20) {
    return { mistake: 'no-signature', text: `signature: it has 20 bytes, as an HMAC-SHA1; ${wanted}` }
  }
  const text = `key: the signature has ${length} bytes; ${wanted}: it is cut off or made with another key`
  return { mistake: 'key', text }
}
