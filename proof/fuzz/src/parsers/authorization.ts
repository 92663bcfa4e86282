/**
 * The `Authorization` header of a signed request, as Node.js hands it over: one character for each byte.
 *
 * @module
 */
import { createHmac } from 'node:crypto'
import { verifyAuthorization } from '@tillkit/signing'
import fc from 'fast-check'
import { parseAuthorizationHeader } from '../../../../packages/signing/src/oauth/received-header.js'
import { repeated } from '../inputs.js'
import { cardNumber, type Parser, promise, promiseQuiet, promiseSame, secret } from '../parser.js'

const [now, url] = [1_700_000_000, new URL('https://gate.example/paynet/api/v2/payout/39')]

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, each => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

/** The header's parameters without the realm and the signature, normalized: RFC 5849 section 3.4.1.3.2. */
const normalized = (parameters: readonly (readonly [string, string])[]): string =>
  parameters
    .filter(([name]) => name !== 'oauth_signature')
    .map(pair => pair.map(encode))
    .sort(([a = '', x = ''], [b = '', y = '']) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map(pair => pair.join('='))
    .join('&')

function signatureOf(parameters: readonly (readonly [string, string])[]): string {
  const text = ['POST', url.href, normalized(parameters)].map(encode).join('&')
  return createHmac('sha1', `${secret}&`).update(text).digest('base64')
}

const headerOf = (parameters: readonly (readonly [string, string])[]): string =>
  `OAuth ${parameters.map(([name, value]) => `${encode(name)}="${encode(value)}"`).join(', ')}`

const word = fc.constantFrom('merchant', 'é', 'a b', '50% off', cardNumber, 'a&b=c', '~')

/** Headers that are signed, in any order, with a realm or other parameters. */
const written = fc
  .record({
    consumerKey: word,
    nonce: word,
    timestamp: fc.constantFrom(now, now - 10, now - 10_000).map(String),
    method: fc.constantFrom('HMAC-SHA1', 'HMAC-SHA1', 'RSA-SHA256', 'PLAINTEXT'),
    more: fc.uniqueArray(fc.tuple(fc.constantFrom('oauth_token', 'oauth_callback', 'x', 'realm'), word), {
      selector: ([name]) => name,
      maxLength: 2,
    }),
    order: fc.infiniteStream(fc.nat({ max: 9 })),
  })
  .map(({ consumerKey, nonce, timestamp, method, more, order }) => {
    const own = [
      ['oauth_consumer_key', consumerKey],
      ['oauth_nonce', nonce],
      ['oauth_timestamp', timestamp],
      ['oauth_signature_method', method],
      ['oauth_version', '1.0'],
      ...more,
    ] as const
    const places = own.map(pair => [order.next().value, pair] as const).sort(([one], [other]) => one - other)
    const pairs = places.map(([, pair]) => pair)
    const signature = signatureOf(pairs.filter(([name]) => name !== 'realm'))
    return Buffer.from(headerOf([...pairs, ['oauth_signature', signature]]))
  })

async function examine(input: Buffer): Promise<void> {
  const authorization = input.toString('latin1')
  const parsed = parseAuthorizationHeader(authorization)
  if (parsed !== undefined) {
    const { parameters, realm } = parsed
    const again = headerOf([...parameters, ...(realm === undefined ? [] : [['realm', realm] as const])])
    // Escapes make it longer than what came: at worst longer than any header that is read.
    if (again.length < 16_000)
      promiseSame(parseAuthorizationHeader(again), { parameters, ...(realm === undefined ? {} : { realm }) }, 'differs')
  }
  const verdict = await verifyAuthorization({
    method: 'POST',
    url,
    parameters: [],
    authorization,
    keys: { hmacSecrets: [secret] },
    policy: { now, windowSeconds: 300, nonces: { claim: () => false } },
  })
  promise(verdict.kind === 'refused', 'verifies a nonce that was used', verdict)
  if (verdict.reason !== 'repeated-nonce') {
    promiseQuiet(verdict.explanation)
    return
  }
  const signature = parsed?.parameters.find(([name]) => name === 'oauth_signature')?.[1]
  promise(signature === signatureOf(parsed?.parameters ?? []), 'verifies what was not signed', authorization)
}

/** The header of OAuth 1.0a. */
export const authorization: Parser = {
  name: 'authorization',
  written,
  tokens: ['OAuth ', '"', ', ', '=', 'realm="', 'oauth_', 'oauth_version="1.0"', 'oauth_token="a"', '\t', '%22'],
  examine,
  growing: {
    'a long value': repeated('x', { before: 'OAuth a="', after: '"' }),
    'many pairs': repeated('a="b",', { before: 'OAuth ' }),
    spaces: repeated(' ', { before: 'OAuth ', after: 'x' }),
    'spaces at the end': repeated(' ', { before: 'OAuth a="b"', after: 'x' }),
    'a quotation mark that does not close': repeated('x', { before: 'OAuth a="' }),
    escapes: repeated('%C3%A9', { before: 'OAuth a="', after: '"' }),
    'names without values': repeated('a', { before: 'OAuth ' }),
  },
}
