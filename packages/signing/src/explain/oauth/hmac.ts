import { createHash, createHmac } from 'node:crypto'
import { type HmacSecrets, percentEncode } from '../../index.js'
import { type ReceivedSignature, readSignature } from './received.js'
import { mostCharacters, type SignatureMistake, type SignatureSearch, searchBaseString } from './search.js'

/** A signature of the other side, and what ours is made with. */
export interface HmacSearch extends SignatureSearch {
  readonly secrets: HmacSecrets
  /** Consumer secrets that may have been used by mistake. */
  readonly otherKeys: readonly string[]
}

/**
 * Finds the one mistake that makes the other side's HMAC-SHA1 signature, RFC 5849 section 3.4.2.
 *
 * @returns `same` when the signature is right, and written right.
 */
export function searchHmac(search: HmacSearch): SignatureMistake | 'same' | undefined {
  const { request, baseString, expected, secrets } = search
  const readings = readSignature(expected)
  if (readings.length === 0) return judgeLength(readings)
  const key = joinerOf(secrets)(secrets.consumerSecret, secrets.tokenSecret)
  const right = compare(hmac(key, baseString), readings)
  if (right !== undefined) return right === 'same' ? right : { mistake: 'signature-encoding', text: right }
  const made = (digest: Buffer): boolean => compare(digest, readings) !== undefined
  const reproduces = (candidate: string): boolean => made(hmac(key, candidate))
  return (
    searchKeys(search, made) ??
    searchDigests({ key, baseString, made }) ??
    judgeLength(readings) ??
    searchBaseString(request, reproduces)
  )
}

type JoinSecrets = (consumerSecret: string, tokenSecret?: string) => string

const encoded: JoinSecrets = (consumerSecret, tokenSecret = '') =>
  `${wellFormedEncode(consumerSecret)}&${wellFormedEncode(tokenSecret)}`

const asIs: JoinSecrets = (consumerSecret, tokenSecret = '') => `${consumerSecret}&${tokenSecret}`

const joinerOf = ({ keyEncoding }: HmacSecrets): JoinSecrets => (keyEncoding === 'as-is' ? asIs : encoded)

const wellFormedEncode = (text: string): string => percentEncode(Buffer.from(text).toString())

const hmac = (key: string | Buffer, text: string, algorithm = 'sha1'): Buffer =>
  createHmac(algorithm, key).update(text, 'utf8').digest()

function compare(digest: Buffer, readings: readonly ReceivedSignature[]): string | undefined {
  const found = readings.find(({ bytes }) => digest.equals(bytes))
  if (found === undefined) return undefined
  return found.flaw === undefined ? 'same' : `the signature is right and written wrong: ${found.flaw}`
}

function searchKeys(search: HmacSearch, made: (digest: Buffer) => boolean): SignatureMistake | undefined {
  let digested = 0
  for (const [key, text] of hmacKeys(search)) {
    if (digested > mostCharacters) return undefined
    if (made(hmac(key, search.baseString))) return { mistake: 'key', text: `key: ${text}` }
    digested += search.baseString.length + charactersOfKey
  }
  return undefined
}

/** What another key costs, as many characters as take the time. */
const charactersOfKey = 256

/** Lists wrong keys. The text never holds a key. */
function hmacKeys({ secrets, otherKeys, request }: HmacSearch): (readonly [key: string | Buffer, text: string])[] {
  const { consumerSecret: secret, tokenSecret: token = '' } = secrets
  const consumerKey = request.protocol.find(([name]) => name === 'oauth_consumer_key')?.[1] ?? ''
  const keyOf = joinerOf(secrets)
  const both = (consumer: string): string => keyOf(consumer, token)
  return [
    [wellFormedEncode(secret), 'the "&" after the consumer secret is missing'],
    [secret, 'the "&" after the consumer secret is missing'],
    keyOf === asIs
      ? [encoded(secret, token), 'the other side percent-encodes the secrets; here they are taken as they are']
      : [asIs(secret, token), 'the secrets are not percent-encoded; RFC 5849 section 3.4.2 has them encoded'],
    [percentEncode(both(secret)), 'the joined secrets are percent-encoded, the "&" too'],
    [encoded(wellFormedEncode(secret), wellFormedEncode(token)), 'the secrets are percent-encoded twice'],
    [keyOf(secret), 'the token secret is left out'],
    [keyOf(token, secret), 'consumer secret and token secret are swapped'],
    [both(''), 'the consumer secret is left out'],
    [token, 'the consumer secret is left out, and the "&"'],
    [keyOf(secret, secret), 'the consumer secret is the token secret as well'],
    [keyOf(secret, consumerKey), 'the consumer key (login) is the token secret'],
    [both(consumerKey), 'the consumer key (login) is used as the consumer secret'],
    [`${both(secret)}\n`, 'a line feed follows the whole key'],
    ...otherKeys.map((key, index) => [both(key), `the other side has otherKeys[${index}]`] as const),
    ...otherKeys.map((key, index) => [keyOf(secret, key), `the token secret is otherKeys[${index}]`] as const),
    [both(`${secret}\n`), 'the other side has a line feed after the consumer secret'],
    [both(`${secret}\r\n`), 'the other side has a line break after the consumer secret'],
    [both(`${secret} `), 'the other side has a space after the consumer secret'],
    [both(secret.trim()), 'ours has white space around the consumer secret'],
    [both(`"${secret}"`), 'the other side has quotation marks around the consumer secret'],
    [both(secret.replace(/^(["'])(.*)\1$/s, '$2')), 'ours has quotation marks around the consumer secret'],
    [both(secret.toLowerCase()), 'the other side has the consumer secret in lower case'],
    [both(secret.toUpperCase()), 'the other side has the consumer secret in upper case'],
    [both(secret.replaceAll('-', '')), 'the other side has the consumer secret without its hyphens'],
    [Buffer.from(secret, 'base64'), 'the consumer secret is decoded from Base64; it is used as text'],
    [Buffer.from(secret.replaceAll('-', ''), 'hex'), 'the consumer secret is decoded from hexadecimal'],
  ]
}

interface DigestSearch {
  readonly key: string
  readonly baseString: string
  readonly made: (digest: Buffer) => boolean
}

function searchDigests({ key, baseString, made }: DigestSearch): SignatureMistake | undefined {
  const sha1 = (text: string): Buffer => createHash('sha1').update(text).digest()
  const digests: readonly (readonly [digest: Buffer, text: string])[] = [
    ...(['sha256', 'sha512', 'md5'] as const).map(
      algorithm => [hmac(key, baseString, algorithm), `it is HMAC with ${algorithm}; HMAC-SHA1 is asked for`] as const,
    ),
    [hmac(baseString, key), 'key and base string are swapped in the call of HMAC'],
    [sha1(baseString + key), 'it is SHA-1 of base string and key; it must be an HMAC'],
    [sha1(key + baseString), 'it is SHA-1 of key and base string; it must be an HMAC'],
    [sha1(baseString), 'it is SHA-1 of the base string, without a key'],
    [hmac(key, sha1(baseString).toString('hex')), 'it is made over the SHA-1 of the base string'],
  ]
  const found = digests.find(([digest]) => made(digest))
  return found === undefined ? undefined : { mistake: 'digest', text: `signature: ${found[1]}` }
}

function judgeLength(readings: readonly ReceivedSignature[]): SignatureMistake | undefined {
  const right = readings.some(({ bytes }) => bytes.length === 20)
  if (right) return undefined
  const [first] = readings
  if (first === undefined)
    return { mistake: 'no-signature', text: 'signature: what the other side has is not Base64, or much too long' }
  const what = first.bytes.length >= 128 ? ', as many as an RSA signature' : ''
  const text = `signature: the other side's has ${first.bytes.length} bytes${what}; an HMAC-SHA1 signature has 20`
  return { mistake: 'no-signature', text }
}
