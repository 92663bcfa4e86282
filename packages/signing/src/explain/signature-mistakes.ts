/** Common mistakes that make another signature: how it is written, the key, the digest, and then the base string. */
import { constants, createHash, createHmac, publicDecrypt, verify } from 'node:crypto'
import { type HmacSecrets, type PublicKey, percentEncode } from '../index.js'
import { findBaseStringMistake, type SignedRequest } from './base-string-mistakes.js'
import { spoiledKeys } from './control-mistakes.js'
import type { Mistake } from './lines.js'

/** A signature of the other side, and what it should cover. */
export interface SignatureToJudge {
  readonly request: SignedRequest
  /** Our base string. */
  readonly baseString: string
  readonly expected: unknown
  readonly secrets?: HmacSecrets | undefined
  /** Where it is given, the signature is judged as RSA-SHA256. */
  readonly publicKey?: PublicKey | undefined
}

/** The mistake that makes the other side's signature. */
export interface FoundSignatureMistake extends Mistake {
  /** The base string of the other side. Absent where that is not known. */
  readonly theirs?: string
}

/** Finds the mistake that makes the signature of the other side; `same` when it is right. */
export function findSignatureMistake(judged: SignatureToJudge): FoundSignatureMistake | 'same' | undefined {
  const { expected, baseString, publicKey } = judged
  const readings = readSignature(expected)
  if (readings.length === 0) return noSignature('what the other side has is not Base64, or much too long')
  const size = publicKey === undefined ? 20 : Math.ceil(publicKey.bits / 8)
  const { bytes, flaw } = readings.find(reading => reading.bytes.length === size) ?? readings[0] ?? {}
  if (bytes === undefined) return undefined
  const found = publicKey === undefined ? judgeHmac(judged, bytes) : judgeRsa(judged, bytes, publicKey)
  if (found !== 'same' || flaw === undefined) return found
  return {
    mistake: 'signature-encoding',
    text: `the signature is right and written wrong: ${flaw}`,
    fix: 'Write the signature as Base64 of its bytes, and percent-encode it once in the header.',
    theirs: baseString,
  }
}

const noSignature = (text: string): FoundSignatureMistake => ({
  mistake: 'no-signature',
  text: `signature: ${text}`,
  fix: 'Send the whole signature of the method that the header names, as Base64.',
})

/** Lists the ways in which text may stand for a signature, the right one first: hexadecimal text, for one, is Base64 too. */
function readSignature(text: unknown): readonly { readonly bytes: Buffer; readonly flaw?: string }[] {
  // An RSA key of 16384 bits makes 4096 hexadecimal digits.
  if (typeof text !== 'string' || text.length > 16_384) return []
  const bytes = Buffer.from(text, 'base64')
  const isPlain = bytes.length > 0 && bytes.toString('base64') === text
  const unescaped = text.trim().replaceAll(/%(2B|2F|3D)/gi, code => decodeURIComponent(code))
  const hexadecimal = (digits: string) =>
    digits.length % 2 === 0 && /^[0-9a-f]+$/i.test(digits) ? Buffer.from(digits, 'hex') : Buffer.alloc(0)
  const damaged = /^[\w+/ -]+=*$/.test(unescaped)
    ? Buffer.from(unescaped.replaceAll(' ', '+'), 'base64')
    : Buffer.alloc(0)
  return [
    ...(isPlain ? [{ bytes }] : []),
    { bytes: hexadecimal(text.trim()), flaw: 'it is hexadecimal; it must be Base64' },
    // PHP's base64_encode(hash_hmac(…)) gives this.
    {
      bytes: hexadecimal(bytes.toString('latin1')),
      flaw: 'it is Base64 of hexadecimal text; it must be Base64 of the bytes',
    },
    {
      bytes: damaged,
      flaw: 'its Base64 was changed: white space around it, "+" turned into a space, "=" cut off, base64url, or percent-encoded twice',
    },
  ].filter(reading => reading.bytes.length > 0)
}

const keyFix = 'Take the key of this endpoint, as it was given, without anything around it.'
const digestFix = 'Take the digest that oauth_signature_method names, over the base string, with the key as the key.'

const hmac = (key: string, text: string, algorithm = 'sha1'): Buffer => createHmac(algorithm, key).update(text).digest()

/** HMAC-SHA1, RFC 5849 section 3.4.2. */
function judgeHmac(judged: SignatureToJudge, bytes: Buffer): FoundSignatureMistake | 'same' | undefined {
  const { request, baseString, secrets = { consumerSecret: '' } } = judged
  const key = joinSecrets(secrets)
  if (hmac(key, baseString).equals(bytes)) return 'same'
  const wrongKey = wrongKeys(secrets).find(([wrong]) => hmac(wrong, baseString).equals(bytes))
  if (wrongKey !== undefined) return { mistake: 'key', text: `key: ${wrongKey[1]}`, fix: keyFix, theirs: baseString }
  const sha1 = (text: string): Buffer => createHash('sha1').update(text).digest()
  const digests: readonly (readonly [digest: Buffer, text: string])[] = [
    ...['sha256', 'sha512', 'md5'].map(name => [hmac(key, baseString, name), `it is HMAC with ${name}`] as const),
    [hmac(baseString, key), 'key and base string are swapped in the call of HMAC'],
    [sha1(baseString + key), 'it is SHA-1 of base string and key'],
    [sha1(key + baseString), 'it is SHA-1 of key and base string'],
    [sha1(baseString), 'it is SHA-1 of the base string, without a key'],
  ]
  const digest = digests.find(([digest]) => digest.equals(bytes))
  if (digest !== undefined) {
    const text = `signature: ${digest[1]}; it must be HMAC-SHA1`
    return { mistake: 'digest', text, fix: digestFix, theirs: baseString }
  }
  if (bytes.length !== 20) {
    const what = bytes.length >= 128 ? ', as many as an RSA signature' : ''
    return noSignature(`the other side's has ${bytes.length} bytes${what}; an HMAC-SHA1 signature has 20`)
  }
  return findBaseStringMistake(request, candidate => hmac(key, candidate).equals(bytes))
}

const encoded = (text: string): string => percentEncode(Buffer.from(text).toString())

const joinSecrets = ({ consumerSecret, tokenSecret = '', keyEncoding }: HmacSecrets): string =>
  [consumerSecret, tokenSecret].map(each => (keyEncoding === 'percent-encoded' ? encoded(each) : each)).join('&')

/** Lists wrong keys. The text never holds a key. */
function wrongKeys(secrets: HmacSecrets): readonly (readonly [key: string, text: string])[] {
  const { consumerSecret: secret, keyEncoding } = secrets
  const withSecret = (consumerSecret: string): string => joinSecrets({ ...secrets, consumerSecret })
  const other = keyEncoding === 'percent-encoded' ? 'as-is' : 'percent-encoded'
  return [
    [secret, 'the "&" after the consumer secret is missing'],
    [encoded(secret), 'the "&" after the consumer secret is missing'],
    [
      joinSecrets({ ...secrets, keyEncoding: other }),
      other === 'as-is'
        ? 'the secrets are not percent-encoded; RFC 5849 section 3.4.2 has them encoded'
        : 'the other side percent-encodes the secrets; here they are taken as they are',
    ],
    [withSecret(''), 'the consumer secret is left out'],
    [`${joinSecrets(secrets)}\n`, 'a line feed follows the whole key'],
    ...spoiledKeys(secret).map(([spoiled, says]) => [withSecret(spoiled), `consumer secret: ${says}`] as const),
  ]
}

/** RSA-SHA256, PKCS#1 v1.5. */
function judgeRsa(
  judged: SignatureToJudge,
  bytes: Buffer,
  publicKey: PublicKey,
): FoundSignatureMistake | 'same' | undefined {
  const { request, baseString } = judged
  const { key, bits, fingerprint } = publicKey
  const isOver = (data: string | Buffer, algorithm = 'sha256'): boolean =>
    verify(algorithm, Buffer.from(data), key, bytes)
  if (isOver(baseString)) return 'same'
  const size = Math.ceil(bits / 8)
  if (bytes.length === 20) return noSignature(`it has 20 bytes, as an HMAC-SHA1; one by ${fingerprint} has ${size}`)
  if (bytes.length !== size) {
    const text = `key: the signature has ${bytes.length} bytes; one by ${fingerprint} has ${size}: it is cut off or made with another key`
    return { mistake: 'key', text, fix: keyFix }
  }
  const agree = 'the base strings agree; '
  const padding = constants.RSA_PKCS1_PSS_PADDING
  if (verify('sha256', Buffer.from(baseString), { key, padding }, bytes)) {
    const fix = 'Sign with PKCS#1 v1.5 padding (RSASSA-PKCS1-v1_5, RS256).'
    return { mistake: 'padding', text: `${agree}the padding is PSS, it must be PKCS#1 v1.5`, fix, theirs: baseString }
  }
  const digest = createHash('sha256').update(baseString).digest()
  if ([digest, digest.toString('hex'), digest.toString('base64')].some(each => isOver(each))) {
    const text = `${agree}the digest was digested once more: tell the KMS that it is given a digest`
    const fix = 'Hand over the base string, or tell the service that it gets a digest.'
    return { mistake: 'digested-twice', text, fix, theirs: baseString }
  }
  const algorithm = ['sha1', 'sha384', 'sha512', 'md5'].find(name => isOver(baseString, name))
  if (algorithm !== undefined) {
    const text = `${agree}the signature is over ${algorithm}; RSA-SHA256 is asked for`
    return { mistake: 'digest', text, fix: digestFix, theirs: baseString }
  }
  const content = decrypt(bytes, publicKey)
  if (content === undefined) {
    const text = `key: the signature was not made with the private half of ${fingerprint}, or with another padding; compare fingerprints`
    return { mistake: 'key', text, fix: keyFix }
  }
  // DER begins with its kind, a sequence, and its length.
  if (content[0] !== 0x30 || content[1] !== content.length - 2) {
    const text = 'what was signed has no DigestInfo: it was encrypted with the private key, not signed with SHA-256'
    return {
      mistake: 'digest-info',
      text,
      fix: 'Use a function that signs (RSA-SHA256, PKCS#1 v1.5), not one that encrypts.',
    }
  }
  return findBaseStringMistake(request, isOver)
}

/** Undoes PKCS#1 v1.5 padding, RFC 8017 section 8.2.2; `undefined` when this key finds none. */
function decrypt(signature: Buffer, { key }: PublicKey): Buffer | undefined {
  try {
    return publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature)
  } catch {
    return undefined
  }
}
