import type { Parameter } from '../encoding.js'
import { refuse } from '../errors.js'

/** Why a signed request is refused. */
export type AuthorizationRefusal =
  | 'missing-header'
  | 'malformed-header'
  | 'missing-parameter'
  | 'repeated-parameter'
  | 'unsupported-version'
  | 'unsupported-method'
  | 'malformed-timestamp'
  | 'stale-timestamp'
  | 'malformed-signature'
  | 'oauth-outside-header'
  | 'unreadable-request'
  | 'mismatch'
  | 'repeated-nonce'

/** What an OAuth `Authorization` header says. */
export interface ParsedAuthorization {
  readonly realm?: string
  /** Everything but `realm`, decoded, in the order of the header, repetitions kept. */
  readonly parameters: Parameter[]
}

/** Longest header that is looked at, in characters; Node.js itself takes 16 KiB of headers by default. */
const longestHeader = 16_384

/**
 * Reads an OAuth `Authorization` header. Accepts any letter case of `OAuth` and any white space around commas.
 *
 * @returns `undefined` for anything else: another scheme, an unquoted value, a malformed escape, a repeated realm, more
 * than 16384 characters. It never throws.
 * @see RFC 5849 section 3.5.1
 */
export function parseAuthorizationHeader(text: string): ParsedAuthorization | undefined {
  if (typeof text !== 'string' || text.length > longestHeader) return undefined
  const scheme = /^OAuth[ \t]/i.exec(text)
  if (scheme === null) return undefined
  const pairs = readPairs(text.trimEnd(), scheme[0].length)
  if (pairs === undefined) return undefined
  const realms = pairs.filter(([name]) => name.toLowerCase() === 'realm')
  if (realms.length > 1) return undefined
  const parameters = pairs.filter(([name]) => name.toLowerCase() !== 'realm')
  return realms[0] === undefined ? { parameters } : { realm: realms[0][1], parameters }
}

function readPairs(text: string, start: number): Parameter[] | undefined {
  const pair = /[ \t]*([^\s=",]+)="([^"]*)"[ \t]*(,|$)/y
  const pairs: Parameter[] = []
  pair.lastIndex = start
  while (pair.lastIndex < text.length) {
    const match = pair.exec(text)
    if (match === null) return undefined
    const [, writtenName = '', writtenValue = ''] = match
    const name = decode(writtenName)
    // A realm is a quoted string and need not be percent-encoded, RFC 9110 section 11.5: "50% off" is one.
    const isRealm = name?.toLowerCase() === 'realm'
    const value = decode(writtenValue) ?? (isRealm ? writtenValue : undefined)
    if (name === undefined || value === undefined) return undefined
    pairs.push([name, value])
  }
  return pairs
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const required = ['consumer_key', 'signature_method', 'signature', 'timestamp', 'nonce']

/**
 * Reads the `oauth_*` parameters of a header and checks their form.
 *
 * @see RFC 5849 section 3.1; interface specification section 5.2, step 1
 */
export function readProtocolParameters(parameters: readonly Parameter[], versionOptional: boolean) {
  const values = new Map(parameters)
  if (values.size !== parameters.length) return refuse('repeated-parameter', 'A parameter is in the header twice.')
  const value = (name: string): string => values.get(`oauth_${name}`) ?? ''
  const missing = [...required, ...(versionOptional ? [] : ['version'])].find(name => value(name) === '')
  if (missing !== undefined) return refuse('missing-parameter', `"oauth_${missing}" is missing or empty in the header.`)
  if ((values.get('oauth_version') ?? '1.0') !== '1.0') {
    return refuse('unsupported-version', 'The "oauth_version" is not "1.0".')
  }
  const method = value('signature_method')
  if (method !== 'HMAC-SHA1' && method !== 'RSA-SHA256') {
    return refuse('unsupported-method', 'The "oauth_signature_method" is neither "HMAC-SHA1" nor "RSA-SHA256".')
  }
  const timestamp = value('timestamp')
  if (!/^[1-9]\d{0,10}$/.test(timestamp)) {
    return refuse('malformed-timestamp', 'The "oauth_timestamp" is not whole seconds since the epoch.')
  }
  const signature = decodeBase64(value('signature'))
  if (signature === undefined) {
    return refuse('malformed-signature', 'The "oauth_signature" is not Base64. It must be percent-encoded once.')
  }
  return {
    kind: 'read',
    consumerKey: value('consumer_key'),
    method,
    nonce: value('nonce'),
    token: values.get('oauth_token'),
    timestamp: Number.parseInt(timestamp, 10),
    signature,
  } as const
}

/** Buffer skips what is not Base64, so the text must come back the same. */
function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}
