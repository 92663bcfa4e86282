/** Every classic mistake, made by the naive builder, is named: from the base string, an HMAC and an RSA signature. */
import { constants, createHash, createHmac, privateEncrypt, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { baseStringMistakes } from '../src/explain/base-string-mistakes.js'
import { type ExplainSignatureOptions, explainSignature, type SignatureExplanation } from '../src/explain/index.js'
import { importPublicKey } from '../src/index.js'
import { build, mistakes, type NaiveRequest, type Pair, queryOf, strict } from './mistaken-base-string.js'

const read = (name: string): string => readFileSync(new URL(`vectors/${name}`, import.meta.url), 'utf8')
const privatePem = read('rsa-test-key.pem')
const publicKey = importPublicKey(read('rsa-test-public.pem'))
const secrets = { consumerSecret: 'B17F59B4 & more', tokenSecret: 't/s', keyEncoding: 'percent-encoded' } as const
const hmacKey = 'B17F59B4%20%26%20more&t%2Fs'

const protocolOf = (method: string): Pair[] => [
  ['oauth_consumer_key', 'Merchant-1'],
  ['oauth_nonce', 'y3qlvMPky7g'],
  ['oauth_signature_method', method],
  ['oauth_timestamp', '1669966913'],
  ['oauth_version', '1.0'],
]

/** One request in which every mistake shows. */
const rich = {
  method: 'POST',
  scheme: 'https',
  host: 'gate.example',
  path: '/paynet/api/v2/Payout/39',
  query: [
    ['q', '1 2'],
    ['z', ''],
  ],
  body: [
    ['order_desc', "Anna's gift (50 %) ~ é*"],
    ['amount', '10.00'],
    ['b', '9'],
    ['b', '10'],
    ['b1', '0'],
    ['B', '1'],
    ['{', '2'],
    ['é', '3'],
    ['note', ' x '],
    ['phone', '+7 900'],
  ],
  protocol: protocolOf('HMAC-SHA1'),
  realm: 'Shop',
} as const satisfies NaiveRequest

const header = (request: NaiveRequest, signature = 'c2ln'): string =>
  `OAuth ${[['realm', request.realm], ...request.protocol, ['oauth_signature', signature]]
    .map(([name = '', value = '']) => `${name}="${strict(value)}"`)
    .join(', ')}`

function optionsFor(request: NaiveRequest, signature?: string): ExplainSignatureOptions {
  const query = queryOf(request)
  return {
    method: request.method,
    url: new URL(`${request.scheme}://${request.host}${request.path}${query === '' ? '' : `?${query}`}`),
    parameters: request.body,
    authorization: header(request, signature),
  }
}

const hmac = (baseString: string, key = hmacKey): string => createHmac('sha1', key).update(baseString).digest('base64')
const rsa = (baseString: string): string => sign('sha256', Buffer.from(baseString), privatePem).toString('base64')
const byRsa: NaiveRequest = { ...rich, protocol: protocolOf('RSA-SHA256') }

describe.each(Object.keys(mistakes))('the mistake "%s"', name => {
  const make = mistakes[name] as (request: NaiveRequest) => string
  const byHmac: NaiveRequest = rich

  it('is named from the base string of the other side', () => {
    const explained = explainSignature({ ...optionsFor(byHmac), expectedBaseString: make(byHmac) })
    expect(explained).toMatchObject({ matches: false, explanation: { mistake: name } })
  })

  it('is named from an HMAC-SHA1 signature', () => {
    const explained = explainSignature({ ...optionsFor(byHmac), secrets, expectedSignature: hmac(make(byHmac)) })
    expect(explained).toMatchObject({ signatureMatches: false, explanation: { mistake: name } })
  })

  it('is named from an RSA-SHA256 signature in the header', () => {
    const explained = explainSignature({ ...optionsFor(byRsa, rsa(make(byRsa))), publicKey })
    expect(explained).toMatchObject({ signatureMatches: false, explanation: { mistake: name } })
  })
})

describe('the mistakes of this file', () => {
  it('are every row of the tables', () => {
    const rows = baseStringMistakes.map(({ mistake }) => mistake)
    expect([...rows, 'parameter-left-out'].sort()).toEqual(Object.keys(mistakes).sort())
  })
})

const word = fc.string({ unit: 'grapheme', maxLength: 12 }).filter(text => !/\p{Surrogate}|[^\0-\uffff]/u.test(text))
const pairs = fc.uniqueArray(
  fc.tuple(word, word).filter(([name]) => name !== '' && !name.startsWith('oauth_')),
  { maxLength: 5, selector: ([name]) => name },
)
const randomRequest: fc.Arbitrary<NaiveRequest> = fc.record({
  method: fc.constantFrom('POST', 'GET', 'PUT'),
  scheme: fc.constant('https'),
  host: fc.constantFrom('gate.example', 'a.b.example', 'pay.shop.example'),
  path: fc.constantFrom('/', '/a', '/paynet/api/v2/payout/39', '/A/b'),
  query: pairs,
  body: pairs,
  protocol: fc.constant(protocolOf('HMAC-SHA1')),
  realm: word,
})

describe('any request', () => {
  it('is built as the naive builder builds it', () => {
    fc.assert(
      fc.property(randomRequest, request => {
        const { matches } = explainSignature({ ...optionsFor(request), expectedBaseString: build(request) })
        expect(matches).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('has every mistake named, by its base string and by its signature alike', () => {
    fc.assert(
      fc.property(randomRequest, fc.constantFrom(...Object.keys(mistakes)), (request, name) => {
        const make = mistakes[name] as (request: NaiveRequest) => string
        const theirs = make(request)
        fc.pre(theirs !== build(request))
        const options = optionsFor(request)
        const found = explainSignature({ ...options, expectedBaseString: theirs }).explanation?.mistake
        expect(found).toBeDefined()
        expect(explainSignature({ ...options, secrets, expectedSignature: hmac(theirs) }).explanation?.mistake).toBe(
          found,
        )
      }),
      { numRuns: 500 },
    )
  })
})

const explainKey = (signature: string, change: Partial<ExplainSignatureOptions> = {}): SignatureExplanation =>
  explainSignature({ ...optionsFor(rich), secrets, expectedSignature: signature, ...change })

describe('the signing key', () => {
  const right = build(rich)

  it('makes a signature that matches', () => {
    expect(explainKey(hmac(right))).toMatchObject({ signatureMatches: true })
    expect(explainKey(hmac(right))).not.toHaveProperty('explanation')
    expect(explainSignature({ ...optionsFor(rich, hmac(right)), secrets }).signatureMatches).toBe(true)
  })

  it.each([
    ['B17F59B4%20%26%20more', 'the "&" after the consumer secret is missing'],
    ['B17F59B4 & more', 'the "&" after the consumer secret is missing'],
    ['B17F59B4 & more&t/s', 'the secrets are not percent-encoded'],
    ['&t%2Fs', 'the consumer secret is left out'],
    ['B17F59B4%20%26%20more&t%2Fs\n', 'a line feed follows the whole key'],
    ['B17F59B4%20%26%20more%0A&t%2Fs', 'white space after it'],
    ['b17f59b4%20%26%20more&t%2Fs', 'in lower case'],
  ])('is recognized when it is wrong: %j', (key, text) => {
    const explained = explainKey(hmac(right, key))
    expect(explained.explanation).toMatchObject({ mistake: 'key', text: expect.stringContaining(text) })
    expect(JSON.stringify(explained)).not.toMatch(/B17F|b17f/)
  })

  it('is said to have white space around it when ours has', () => {
    const explained = explainKey(hmac(right, 'key&'), { secrets: { consumerSecret: 'key\n' } })
    expect(explained.explanation?.text).toContain('ours has white space')
  })

  it('is not blamed for what nobody knows', () => {
    const explained = explainKey(hmac('unrelated', 'other'))
    expect(explained).toMatchObject({ signatureMatches: false })
    expect(explained).not.toHaveProperty('explanation')
  })
})

describe('the writing of a signature', () => {
  const right = build(rich)
  const bytes = createHmac('sha1', hmacKey).update(right).digest()
  const plain = bytes.toString('base64')

  it.each([
    [bytes.toString('hex'), 'it is hexadecimal'],
    [bytes.toString('hex').toUpperCase(), 'it is hexadecimal'],
    [Buffer.from(bytes.toString('hex')).toString('base64'), 'Base64 of hexadecimal text'],
    [strict(plain), 'percent-encoded twice'],
    [plain.slice(0, -1), '"=" cut off'],
    [`${plain}\n`, 'white space'],
  ])('is told from another signature: %s', (signature, flaw) => {
    const { explanation } = explainKey(signature)
    expect(explanation).toMatchObject({ mistake: 'signature-encoding', text: expect.stringContaining(flaw) })
  })

  it.each([
    ['', 'is not Base64'],
    ['é', 'is not Base64'],
    ['AAAA', 'has 3 bytes'],
    [rsa('x'), 'as many as an RSA signature'],
  ])('is judged when it can be none: %j', (signature, text) => {
    expect(explainKey(signature).explanation?.text).toContain(text)
  })

  it.each([
    ['HMAC with sha256', createHmac('sha256', hmacKey).update(right).digest('base64')],
    [
      'SHA-1 of base string and key',
      createHash('sha1')
        .update(right + hmacKey)
        .digest('base64'),
    ],
    ['swapped', createHmac('sha1', right).update(hmacKey).digest('base64')],
  ])('is found to be another digest: %s', (text, signature) => {
    const { explanation } = explainKey(signature)
    expect(explanation).toMatchObject({ mistake: 'digest', text: expect.stringContaining(text) })
  })
})

describe('an RSA signature', () => {
  const right = build(byRsa)
  const explain = (signature: string): SignatureExplanation =>
    explainSignature({ ...optionsFor(byRsa), publicKey, expectedSignature: signature })
  const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
  const signed = (data: string | Buffer): string => sign('sha256', Buffer.from(data), privatePem).toString('base64')

  it('matches when it is right, and when it is written wrong is told so', () => {
    expect(explain(rsa(right))).toMatchObject({ signatureMatches: true })
    expect(explain(Buffer.from(rsa(right), 'base64').toString('hex')).explanation?.mistake).toBe('signature-encoding')
  })

  it.each([
    ['digest', 'over sha1', sign('sha1', Buffer.from(right), privatePem).toString('base64')],
    ['digest', 'over sha512', sign('sha512', Buffer.from(right), privatePem).toString('base64')],
    ['digested-twice', 'once more', signed(sha256(right))],
    ['digested-twice', 'once more', signed(sha256(right).toString('hex'))],
    ['digest-info', 'no DigestInfo', privateEncrypt(privatePem, sha256(right)).toString('base64')],
    ['digest-info', 'no DigestInfo', privateEncrypt(privatePem, Buffer.from('text')).toString('base64')],
    [
      'padding',
      'PSS',
      sign('sha256', Buffer.from(right), { key: privatePem, padding: constants.RSA_PKCS1_PSS_PADDING }).toString(
        'base64',
      ),
    ],
    ['key', 'compare fingerprints', Buffer.alloc(256, 1).toString('base64')],
    ['key', 'has 255 bytes', Buffer.alloc(255, 1).toString('base64')],
    ['no-signature', 'as an HMAC-SHA1', hmac(right)],
    ['no-signature', 'not Base64', '!'],
  ])('is explained: %s, %s', (mistake, text, signature) => {
    expect(explain(signature).explanation).toMatchObject({ mistake, text: expect.stringContaining(text) })
  })
})

describe('the search', () => {
  it('leaves a request alone that is much too long', () => {
    const body = Array.from({ length: 2000 }, (_, index): Pair => [`name-${index}`, 'x'.repeat(200)])
    const long = { ...rich, body }
    const explained = explainSignature({ ...optionsFor(long), secrets, expectedBaseString: `${build(long)}%26zz%3D1` })
    expect(explained).toMatchObject({ matches: false, signatureMatches: false })
    expect(explained).not.toHaveProperty('explanation.theirs')
    expect(explained.lines.some(line => 'theirs' in line)).toBe(false)
  })

  it('takes anything for the value of the other side, and never throws', () => {
    const garbage = fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), fc.stringMatching(/^[ -~]{0,60}$/))
    fc.assert(
      fc.property(garbage, garbage, (expectedSignature, expectedBaseString) => {
        const byHmac = { ...optionsFor(rich), secrets, expectedSignature, expectedBaseString }
        expect(explainSignature(byHmac).matches).toBe(false)
        expect(explainSignature({ ...optionsFor(byRsa), publicKey, expectedSignature }).signatureMatches).toBe(false)
      }),
    )
  })

  it('shows no value that is masked', () => {
    const mask = (name: string, value: string): string => (name === 'amount' ? '***' : value)
    const expectedBaseString = mistakes['not-sorted']?.(rich) ?? ''
    const explained = explainSignature({ ...optionsFor(rich), mask, expectedBaseString })
    expect(explained.explanation?.mistake).toBe('not-sorted')
    expect(JSON.stringify(explained)).not.toContain('10.00')
  })
})
