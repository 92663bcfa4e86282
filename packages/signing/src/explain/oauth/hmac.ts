import { createHash, createHmac } from 'node:crypto'
import { type HmacSecrets, percentEncode } from '../../index.js'
import { withoutUnseen } from '../../keys/unseen.js'
import { type FoundSignatureMistake, writtenWrong } from './received.js'
import { mostCharacters, type SignatureSearch, searchBaseString } from './search.js'

/** Finds the one mistake that makes the other side's HMAC-SHA1 signature, RFC 5849 section 3.4.2; `same` when it is right. */
export function searchHmac(
  search: SignatureSearch,
  secrets: HmacSecrets,
  otherKeys: readonly string[],
): FoundSignatureMistake | 'same' | undefined {
  const { request, baseString, readings } = search
  const key = joinerOf(secrets)(secrets.consumerSecret, secrets.tokenSecret)
  const readingOf = (digest: Buffer) => readings.find(({ bytes }) => digest.equals(bytes))
  const right = readingOf(hmac(key, baseString))
  if (right !== undefined) return writtenWrong(right, baseString)
  const made = (digest: Buffer): boolean => readingOf(digest) !== undefined
  const consumerKey = request.protocol.find(([name]) => name === 'oauth_consumer_key')?.[1] ?? ''
  const keys = wrongKeys(secrets, consumerKey, otherKeys)
  const affordable = keys.slice(0, Math.floor(mostCharacters / (baseString.length + charactersOfKey)) + 1)
  const wrongKey = affordable.find(([key]) => made(hmac(key, baseString)))
  if (wrongKey !== undefined) return { mistake: 'key', text: `key: ${wrongKey[1]}`, theirs: baseString }
  const wrongDigest = wrongDigests(key, baseString).find(([digest]) => made(digest))
  if (wrongDigest !== undefined) return { mistake: 'digest', text: `signature: ${wrongDigest[1]}`, theirs: baseString }
  return judgeLength(readings) ?? searchBaseString(request, candidate => made(hmac(key, candidate)))
}

/** What another key costs besides, in characters that take as long. */
const charactersOfKey = 256

type JoinSecrets = (consumerSecret: string, tokenSecret?: string) => string

const encoded: JoinSecrets = (consumerSecret, tokenSecret = '') =>
  `${wellFormedEncode(consumerSecret)}&${wellFormedEncode(tokenSecret)}`

const asIs: JoinSecrets = (consumerSecret, tokenSecret = '') => `${consumerSecret}&${tokenSecret}`

const joinerOf = ({ keyEncoding }: HmacSecrets): JoinSecrets => (keyEncoding === 'percent-encoded' ? encoded : asIs)

const wellFormedEncode = (text: string): string => percentEncode(Buffer.from(text).toString())

const hmac = (key: string | Buffer, text: string, algorithm = 'sha1'): Buffer =>
  createHmac(algorithm, key).update(text, 'utf8').digest()

/** Lists wrong keys. The text never holds a key. */
function wrongKeys(
  secrets: HmacSecrets,
  consumerKey: string,
  otherKeys: readonly string[],
): readonly (readonly [key: string | Buffer, text: string])[] {
  const { consumerSecret: secret, tokenSecret: token = '' } = secrets
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
    [both(`\ufeff${secret}`), 'the other side has a byte order mark before the consumer secret'],
    [both(`${secret}\u200b`), 'the other side has a zero width space after the consumer secret'],
    [both(secret.trim()), 'ours has white space around the consumer secret'],
    [both(withoutUnseen(secret)), 'ours has a character in the consumer secret that nobody sees'],
    [both(`"${secret}"`), 'the other side has quotation marks around the consumer secret'],
    [both(secret.replace(/^(["'])(.*)\1$/s, '$2')), 'ours has quotation marks around the consumer secret'],
    [both(secret.toLowerCase()), 'the other side has the consumer secret in lower case'],
    [both(secret.toUpperCase()), 'the other side has the consumer secret in upper case'],
    [both(secret.replaceAll('-', '')), 'the other side has the consumer secret without its hyphens'],
    [Buffer.from(secret, 'base64'), 'the consumer secret is decoded from Base64; it is used as text'],
    [Buffer.from(secret.replaceAll('-', ''), 'hex'), 'the consumer secret is decoded from hexadecimal'],
  ]
}

function wrongDigests(key: string, baseString: string): readonly (readonly [digest: Buffer, text: string])[] {
  const sha1 = (text: string): Buffer => createHash('sha1').update(text).digest()
  return [
    [hmac(key, baseString, 'sha256'), 'it is HMAC with sha256; HMAC-SHA1 is asked for'],
    [hmac(key, baseString, 'sha512'), 'it is HMAC with sha512; HMAC-SHA1 is asked for'],
    [hmac(key, baseString, 'md5'), 'it is HMAC with md5; HMAC-SHA1 is asked for'],
    [hmac(baseString, key), 'key and base string are swapped in the call of HMAC'],
    [sha1(baseString + key), 'it is SHA-1 of base string and key; it must be an HMAC'],
    [sha1(key + baseString), 'it is SHA-1 of key and base string; it must be an HMAC'],
    [sha1(baseString), 'it is SHA-1 of the base string, without a key'],
    [hmac(key, sha1(baseString).toString('hex')), 'it is made over the SHA-1 of the base string'],
  ]
}

function judgeLength(readings: SignatureSearch['readings']): FoundSignatureMistake | undefined {
  if (readings.some(({ bytes }) => bytes.length === 20)) return undefined
  const { length } = readings[0].bytes
  const what = length >= 128 ? ', as many as an RSA signature' : ''
  const text = `signature: the other side's has ${length} bytes${what}; an HMAC-SHA1 signature has 20`
  return { mistake: 'no-signature', text }
}
