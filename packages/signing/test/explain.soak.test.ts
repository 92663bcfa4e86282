/** Every classic mistake, made by the naive builder, is named: from the base string, an HMAC and an RSA signature. */
import { constants, createHash, createHmac, generateKeyPairSync, privateEncrypt, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  describeSignature,
  type ExplainSignatureOptions,
  explainSignature,
  type SignatureExplanation,
} from '../src/explain/index.js'
import { baseStringMaker, takeApart } from '../src/explain/oauth/request.js'
import { baseStringMistakes } from '../src/explain/oauth/search.js'
import { importPublicKey } from '../src/index.js'
import { build, mistakes, type NaiveRequest, type Pair, queryOf, settings, strict } from './mistaken-base-string.js'

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
  const set = settings[name] ?? (request => request)
  const byHmac = set(rich)
  const byRsa = set({ ...rich, protocol: protocolOf('RSA-SHA256') })

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
    expect([...new Set(rows)].sort()).toEqual(Object.keys(mistakes).sort())
  })
})

const word = fc.string({ unit: 'grapheme', maxLength: 12 }).filter(text => !/\p{Surrogate}/u.test(text))
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

  it('has every mistake named, or one that makes the very same base string', () => {
    fc.assert(
      fc.property(randomRequest, fc.constantFrom(...Object.keys(mistakes)), (plain, name) => {
        const request = settings[name]?.(plain) ?? plain
        const make = mistakes[name] as (request: NaiveRequest) => string
        const theirs = make(request)
        fc.pre(theirs !== build(request))
        const options = optionsFor(request)
        const found = explainSignature({ ...options, expectedBaseString: theirs }).explanation?.mistake
        if (found !== name) expect(namesOf(options, request, theirs)).toEqual(expect.arrayContaining([name, found]))
        expect(explainSignature({ ...options, secrets, expectedSignature: hmac(theirs) }).explanation?.mistake).toBe(
          found,
        )
      }),
      { numRuns: 500 },
    )
  })
})

/** Every row of the table that makes `theirs`: what cannot be told apart. */
function namesOf(options: ExplainSignatureOptions, request: NaiveRequest, theirs: string): string[] {
  const parameters = [...request.protocol, ['oauth_signature', 'c2ln'] as const]
  const apart = takeApart(options, { parameters, realm: request.realm })
  const same = baseStringMistakes.filter(({ variants }) =>
    [...variants(apart)].some(variant => baseStringMaker(apart)(variant) === theirs),
  )
  return same.map(({ mistake }) => mistake)
}

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
    ['B17F59B4%20%26%20more&', 'the token secret is left out'],
    ['t%2Fs&B17F59B4%20%26%20more', 'swapped'],
    ['&t%2Fs', 'the consumer secret is left out'],
    ['B17F59B4%20%26%20more&t%2Fs\n', 'a line feed follows the whole key'],
    ['B17F59B4%20%26%20more%0A&t%2Fs', 'a line feed after the consumer secret'],
    ['b17f59b4%20%26%20more&t%2Fs', 'in lower case'],
    ['Merchant-1&t%2Fs', 'the consumer key (login) is used as the consumer secret'],
    ['key-for-tests&t%2Fs', 'the other side has otherKeys[1]'],
  ])('is recognized when it is wrong: %j', (key, text) => {
    const explained = explainKey(hmac(right, key), { otherKeys: ['previous', 'key-for-tests'] })
    expect(explained.explanation).toMatchObject({ mistake: 'key', text: expect.stringContaining(text) })
    expect(JSON.stringify(explained) + describeSignature(explained)).not.toMatch(/B17F|b17f|key-for-tests/)
  })

  it('is said to have white space around it when ours has', () => {
    const explained = explainKey(hmac(right, 'key&'), { secrets: { consumerSecret: 'key\n' } })
    expect(explained.explanation?.text).toContain('ours has white space')
  })

  it('is not blamed for what nobody knows', () => {
    const explained = explainKey(hmac('unrelated', 'other'))
    expect(explained).toMatchObject({ signatureMatches: false })
    expect(explained).not.toHaveProperty('explanation')
    expect(describeSignature(explained)).toContain('no single known mistake')
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
    [strict(plain), 'percent-encoded once too often'],
    [plain.slice(0, -1), '"=" at the end is missing'],
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
    ['digest-info', 'without its DigestInfo', privateEncrypt(privatePem, sha256(right)).toString('base64')],
    ['digest-info', 'not a digest', privateEncrypt(privatePem, Buffer.from('text')).toString('base64')],
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

  it('leaves a doubt about the key only where it may be PSS over another base string', () => {
    const doubt = '(With PSS padding over another base string it would look the same.)'
    const how = { key: privatePem, padding: constants.RSA_PKCS1_PSS_PADDING }
    const elsewhere = sign('sha256', Buffer.from('another base string'), how).toString('base64')
    expect(explain(elsewhere).explanation?.text).toMatch(/compare fingerprints\. \(With PSS/)
    expect(explain(elsewhere).explanation?.text.endsWith(doubt)).toBe(true)
    const none = [Buffer.alloc(256, 1), Buffer.alloc(256, 255)].map(each => explain(each.toString('base64')))
    for (const { explanation } of none) expect(explanation?.text).toMatch(/compare fingerprints$/)
    // Of many signatures by another key few end in the byte that PSS ends in.
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const others = Array.from({ length: 20 }, (_, at) => sign('sha256', Buffer.from(`${at}`), privateKey))
    const texts = others.map(each => explain(each.toString('base64')).explanation?.text ?? '')
    expect(texts.every(text => text.includes('compare fingerprints'))).toBe(true)
    expect(texts.filter(text => text.endsWith(doubt)).length).toBeLessThan(10)
  })
})

describe('the search', () => {
  it('leaves a request alone that is much too long, and still says where base strings part', () => {
    const body = Array.from({ length: 2000 }, (_, index): Pair => [`name-${index}`, 'x'.repeat(200)])
    const long = { ...rich, body }
    const expectedBaseString = `${build(long)}%26zz%3D1`
    const explained = explainSignature({ ...optionsFor(long), secrets, expectedBaseString })
    expect(explained.difference?.parameter).toBe('zz')
    expect(explained).not.toHaveProperty('explanation')
    expect(explained).not.toHaveProperty('signatureMatches')
  })

  it('names nothing for the last of very many short parameters, and ends', () => {
    const body = Array.from({ length: 20_000 }, (_, index): Pair => [`${index}`, ''])
    const many = { ...rich, body }
    const left = { ...rich, body: body.slice(0, -1) }
    const explained = explainSignature({ ...optionsFor(many), expectedBaseString: build(left) })
    expect(explained.difference?.text).toContain('only this side covers it')
    expect(explained).not.toHaveProperty('explanation')
  })

  it('takes anything for the value of the other side, and never throws', () => {
    const garbage = fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), fc.stringMatching(/^[ -~]{0,60}$/))
    fc.assert(
      fc.property(garbage, garbage, (expectedSignature, expectedBaseString) => {
        const otherKeys = [expectedBaseString]
        const byHmac = { ...optionsFor(rich), secrets, otherKeys, expectedSignature, expectedBaseString }
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
    expect(JSON.stringify(explained) + describeSignature(explained)).not.toContain('10.00')
  })
})
