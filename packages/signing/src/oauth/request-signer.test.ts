import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headerOf } from '../../test/header-of.js'
import { importPrivateKey } from '../keys/private-key.js'
import { orderNames } from './base-string.js'
import { createRequestSigner, type RequestToSign } from './request-signer.js'
import { hmacSha1Signer, rsaSha256Signer, type Signer } from './signers.js'

const key = importPrivateKey(readFileSync(new URL('../../test/vectors/rsa-test-key.pem', import.meta.url), 'utf8'))
const signers = {
  'HMAC-SHA1': hmacSha1Signer({ consumerSecret: 'key' }),
  'RSA-SHA256': rsaSha256Signer(key),
}
const request: RequestToSign = {
  url: new URL('https://gate.example/paynet/api/v2/payout/39?q=1+2'),
  parameters: [
    ['zip', '98102'],
    ['order_desc', 'é (1+1)'],
    ['amount', '10.00'],
  ],
  timestamp: 1669966913,
  nonce: 'a b',
}

describe('createRequestSigner', () => {
  it.each(Object.keys(signers) as (keyof typeof signers)[])(
    'gives the same %s header each time, at once or awaited, as a signer that signs nothing else',
    async method => {
      const options = { consumerKey: 'mer chant', signer: signers[method], realm: 'r', token: 't&' }
      const requestSigner = createRequestSigner(options)
      const header = await headerOf({ ...request, ...options })
      expect(requestSigner.headerSync(request)).toBe(header)
      expect(requestSigner.headerSync(request)).toBe(header)
      expect(await requestSigner.header(request)).toBe(header)
    },
  )

  it('signs on the thread pool what it signs on the calling thread', async () => {
    const onPool = createRequestSigner({ consumerKey: 'm', signer: rsaSha256Signer(key, { threadPool: true }) })
    const onThread = createRequestSigner({ consumerKey: 'm', signer: rsaSha256Signer(key) })
    expect(await onPool.header(request)).toBe(onThread.headerSync(request))
  })

  it('uses the sign function of a signer that was wrapped', async () => {
    const seen: string[] = []
    const sign: Signer['sign'] = data => {
      seen.push(Buffer.from(data).toString())
      return signers['HMAC-SHA1'].sign(data)
    }
    const wrapped = createRequestSigner({ consumerKey: 'm', signer: { ...signers['HMAC-SHA1'], sign } })
    const plain = createRequestSigner({ consumerKey: 'm', signer: signers['HMAC-SHA1'] })
    expect(await wrapped.header(request)).toBe(plain.headerSync(request))
    expect(seen).toEqual([expect.stringMatching(/^POST&https%3A%2F%2Fgate\.example/)])
  })

  it('signs what a request says when it is handed over, whatever becomes of it while the signature is awaited', async () => {
    const hmac = signers['HMAC-SHA1']
    const slow: Signer = { method: 'HMAC-SHA1', sign: async data => hmac.sign(data) }
    const changing = { ...request }
    const header = createRequestSigner({ consumerKey: 'm', signer: slow }).header(changing)
    Object.assign(changing, { nonce: 'another', timestamp: 1 })
    expect(await header).toBe(createRequestSigner({ consumerKey: 'm', signer: hmac }).headerSync(request))
  })

  it('hands bytes to keep to a signer of somebody else', async () => {
    const kept: Uint8Array[] = []
    const sign: Signer['sign'] = data => {
      kept.push(data)
      return signers['HMAC-SHA1'].sign(data)
    }
    const requestSigner = createRequestSigner({ consumerKey: 'm', signer: { method: 'HMAC-SHA1', sign } })
    await requestSigner.header(request)
    await requestSigner.header({ ...request, nonce: 'b' })
    const starts = kept.map(data => /oauth_nonce%3D(.*?)%26/.exec(Buffer.from(data).toString())?.[1])
    expect(starts).toEqual(['a%2520b', 'b'])
  })

  it.each([
    ['a map', new Map(request.parameters as [string, string][])],
    ['an object', Object.fromEntries(request.parameters as [string, string][])],
    ['URLSearchParams', new URLSearchParams(request.parameters as [string, string][])],
  ])('takes %s for a list of pairs', (_name, parameters) => {
    const requestSigner = createRequestSigner({ consumerKey: 'm', signer: signers['HMAC-SHA1'] })
    expect(requestSigner.headerSync({ ...request, parameters })).toBe(requestSigner.headerSync(request))
  })

  it('says what to call when a signer answers with a promise', () => {
    const signer: Signer = { method: 'RSA-SHA256', sign: () => Promise.reject(new Error('out of reach')) }
    const requestSigner = createRequestSigner({ consumerKey: 'm', signer: signer as (typeof signers)['HMAC-SHA1'] })
    expect(() => requestSigner.headerSync(request)).toThrow(
      expect.objectContaining({ field: 'signer', message: expect.stringContaining('await header(…)') }),
    )
  })

  it.each([
    ['Base64 text', 'c2lnbmF0dXJl'],
    ['nothing', undefined],
    ['no bytes', new Uint8Array()],
  ])('refuses a signer that gives %s', async (_what, signature) => {
    const signer = { method: 'HMAC-SHA1', sign: () => signature as unknown as Uint8Array } as const
    const requestSigner = createRequestSigner({ consumerKey: 'm', signer })
    const mistake = expect.objectContaining({ field: 'signer', message: expect.stringContaining('as a Uint8Array') })
    await expect(requestSigner.header(request)).rejects.toThrow(mistake)
    expect(() => requestSigner.headerSync(request)).toThrow(mistake)
  })

  const noSigner = '"signer" has no "method" or no "sign". Pass what hmacSha1Signer or rsaSha256Signer returns.'

  it.each([
    ['consumerKey', { consumerKey: undefined }, '"consumerKey" is undefined. Pass the merchant login.'],
    ['consumerKey', { consumerKey: null }, '"consumerKey" is null. Pass the merchant login.'],
    ['consumerKey', { consumerKey: '' }, '"consumerKey" is empty. Pass the merchant login.'],
    ['realm', { realm: null }, '"realm" is null. Leave it out if there is none.'],
    ['token', { token: 7 }, '"token" is of type number. Leave it out if there is none.'],
    ['signer', { signer: undefined }, noSigner],
    ['signer', { signer: { sign: signers['HMAC-SHA1'].sign } }, noSigner],
    ['signer', { signer: { method: 'HMAC-SHA1' } }, noSigner],
  ])('refuses an unset or wrong "%s" instead of signing a word for it: %j', (field, wrong, message) => {
    const options = { consumerKey: 'm', signer: signers['HMAC-SHA1'], ...wrong }
    expect(() => createRequestSigner(options as never)).toThrow(expect.objectContaining({ field, message }))
  })

  it.each(['realm', 'oauth_nonce', 'oauth_token'])('refuses %s as a further parameter', name => {
    const requestSigner = createRequestSigner({ consumerKey: 'm', signer: signers['HMAC-SHA1'] })
    const message = `"${name}" cannot be a further parameter: it has an option, or is made here.`
    expect(() => requestSigner.headerSync({ ...request, protocolParameters: { [name]: '1' } })).toThrow(
      expect.objectContaining({ field: name, message }),
    )
  })

  it('takes further parameters whose names hold such a name', () => {
    const requestSigner = createRequestSigner({ consumerKey: 'm', signer: signers['HMAC-SHA1'] })
    const protocolParameters = { my_realm: '1', oauth_token_kind: '2' }
    expect(requestSigner.headerSync({ ...request, protocolParameters })).toContain(
      'oauth_version="1.0", my_realm="1", oauth_token_kind="2", oauth_signature=',
    )
  })

  it.each([
    ['nonce', { nonce: undefined }, '"nonce" is undefined. Pass text that is new for every request.'],
    ['nonce', { nonce: 7 }, '"nonce" is of type number. Pass text that is new for every request.'],
    ['url', { url: 'https://gate.example/' }],
    ['url', { url: undefined }],
    ['method', { method: '' }],
    ['method', { method: null }],
    ['parameters', { parameters: ['ab'] }],
    ['parameters', { parameters: [[1, 'a']] }],
    ['parameters', { parameters: [[null, 'a']] }],
  ])('refuses a wrong "%s" in a request: %j', (field, wrong, message = '') => {
    const requestSigner = createRequestSigner({ consumerKey: 'm', signer: signers['HMAC-SHA1'] })
    expect(() => requestSigner.headerSync({ ...request, ...wrong } as never)).toThrow(
      expect.objectContaining({ field, message: expect.stringContaining(message) }),
    )
  })

  it('refuses text in place of a pair whose names it knows already', () => {
    const requestSigner = createRequestSigner({ consumerKey: 'm', signer: signers['HMAC-SHA1'] })
    requestSigner.headerSync({ ...request, parameters: [['a', 'b']] })
    expect(() => requestSigner.headerSync({ ...request, parameters: ['ab'] as never })).toThrow(/not a pair/)
  })

  it('names the part that holds half of a surrogate pair', () => {
    const signer = signers['HMAC-SHA1']
    const requestSigner = createRequestSigner({ consumerKey: 'm', signer })
    const field = (name: string) => expect.objectContaining({ code: 'ERR_INVALID_INPUT', field: name })
    expect(() => createRequestSigner({ consumerKey: '\ud83d', signer })).toThrow(field('oauth_consumer_key'))
    expect(() => requestSigner.headerSync({ ...request, nonce: '\ud83d' })).toThrow(field('oauth_nonce'))
    expect(() => requestSigner.headerSync({ ...request, parameters: { note: '\ud83d' } })).toThrow(field('note'))
  })

  it.each(['oauth_signature', 'oauth_x'])(
    'still refuses %s in the form when it has signed these names before',
    name => {
      const requestSigner = createRequestSigner({ consumerKey: 'm', signer: signers['HMAC-SHA1'] })
      requestSigner.headerSync({ ...request, parameters: {}, protocolParameters: { oauth_x: '0' } })
      for (const value of ['1', '2']) {
        expect(() => requestSigner.headerSync({ ...request, parameters: { [name]: value } })).toThrow(
          expect.objectContaining({ field: name }),
        )
      }
    },
  )
})

describe('what a request signer keeps', () => {
  const signerOf = () => createRequestSigner({ consumerKey: 'm', signer: signers['HMAC-SHA1'] })
  const names = ['amount', 'currency', 'a b', 'a', 'é']
  /** Any character. The unit 'binary' of fast-check chooses the same, and first makes a table of all of them, which takes seconds. */
  const codePoint = fc
    .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
    .map(code => String.fromCodePoint(code))

  it('changes no header: it signs as a new signer does, whatever it has signed before', () => {
    const form = fc.array(fc.tuple(fc.constantFrom(...names), fc.string({ unit: codePoint })), { maxLength: 5 })
    const address = fc.constantFrom('https://a.example/x', 'https://a.example/y?a=1', 'http://b.example:8080/x')
    const requestOf = fc.record({ parameters: form, url: address.map(text => new URL(text)) })
    fc.assert(
      fc.property(fc.array(requestOf, { maxLength: 6 }), requests => {
        const requestSigner = signerOf()
        for (const { parameters, url } of requests) {
          const each = { ...request, parameters, url }
          expect(requestSigner.headerSync(each)).toBe(signerOf().headerSync(each))
        }
      }),
    )
  })

  it('follows an address and a method that change', () => {
    const requestSigner = signerOf()
    const url = new URL('https://gate.example/a')
    for (const [method, path] of [
      ['POST', '/a'],
      ['PUT', '/a'],
      ['PUT', '/b'],
    ] as const) {
      url.pathname = path
      const each = { ...request, method, url }
      expect(requestSigner.headerSync(each)).toBe(signerOf().headerSync(each))
    }
  })

  it.each([
    ['256 names', Array.from({ length: 256 }, (_, index) => `n${index}`), true],
    ['257 names', Array.from({ length: 257 }, (_, index) => `n${index}`), false],
    ['names of 8192 characters in all', ['a'.repeat(8000), 'b'.repeat(192)], true],
    ['names of 8193 characters in all', ['a'.repeat(8000), 'b'.repeat(193)], false],
    ['a name that repeats', ['a', 'a'], false],
  ])('is bounded: of %s it keeps the order, %s', (_size, list, isKept) => {
    expect(orderNames(list) !== undefined).toBe(isKept)
  })
})

const toSign = {
  url: new URL('https://gate.example/paynet/api/v2/payout/39'),
  parameters: [['amount', '10.00']] as const,
  consumerKey: 'merchant',
  signer: hmacSha1Signer({ consumerSecret: 'key' }),
  timestamp: 1669966913,
  nonce: 'y3qlvMPky7g',
}

describe('the header of a request signer', () => {
  it('quotes and percent-encodes every value and puts realm first', async () => {
    const header = await headerOf({ ...toSign, realm: 'a "b"', consumerKey: 'mer chant' })
    expect(header).toMatch(/^OAuth realm="a%20%22b%22", oauth_consumer_key="mer%20chant", /)
    expect(header).toMatch(/, oauth_signature="[A-Za-z0-9%]+"$/)
  })

  it('signs the same with and without realm', async () => {
    const [plain, withRealm] = await Promise.all([headerOf(toSign), headerOf({ ...toSign, realm: '' })])
    expect(withRealm).toBe(plain.replace('OAuth ', 'OAuth realm="", '))
  })

  it('covers and sends a token', async () => {
    const header = await headerOf({ ...toSign, token: 't' })
    expect(header).toContain('oauth_token="t"')
    expect(header.slice(-20)).not.toBe((await headerOf(toSign)).slice(-20))
  })

  it('hands the bytes of the base string to a signer that answers later', async () => {
    const seen: string[] = []
    const signer: Signer = {
      method: 'RSA-SHA256',
      sign: async data => {
        seen.push(Buffer.from(data).toString())
        return Uint8Array.of(1, 2, 255)
      },
    }
    expect(await headerOf({ ...toSign, signer })).toMatch(/oauth_signature="AQL%2F"$/)
    expect(seen).toEqual([expect.stringMatching(/^POST&https%3A%2F%2Fgate\.example%2Fpaynet.*RSA-SHA256/)])
  })

  it.each([
    ['the form', toSign.url, [['oauth_nonce', 'x']] as const],
    ['the query', new URL('https://gate.example/?oauth_nonce=x'), []],
  ])('refuses oauth_* parameters in %s', async (_name, url, parameters) => {
    const message = 'Parameter "oauth_nonce" must not be in the form or the query: oauth_* parameters go in the header.'
    await expect(headerOf({ ...toSign, url, parameters })).rejects.toMatchObject({ field: 'oauth_nonce', message })
  })

  it('takes a timestamp of eleven digits, the most that is whole seconds', async () => {
    const header = await headerOf({ ...toSign, timestamp: 99_999_999_999 })
    expect(header).toContain('oauth_timestamp="99999999999"')
  })

  it.each([0, -1, 1.5, Number.NaN, 100_000_000_000, 1669966913000, '1669966913'])(
    'refuses the timestamp %s',
    async timestamp => {
      const rejected = { field: 'timestamp', message: expect.stringMatching(/whole seconds .* Math\.floor\(/) }
      await expect(headerOf({ ...toSign, timestamp: timestamp as number })).rejects.toMatchObject(rejected)
    },
  )

  it('refuses a login with a character in it that nobody sees', async () => {
    const call = headerOf({ ...toSign, consumerKey: 'mer\u200bchant' })
    await expect(call).rejects.toMatchObject({ field: 'consumerKey', message: expect.stringContaining('U+200B') })
  })

  it.each(['nonce', 'consumerKey'])('refuses an empty %s', async field => {
    await expect(headerOf({ ...toSign, [field]: '' })).rejects.toMatchObject({ field })
  })
})

describe('hmacSha1Signer', () => {
  // printf %s base | openssl dgst -sha1 -hmac 'k&+/&t=' -binary | base64, and with 'k%26%2B%2F&t%3D'.
  it.each([
    ['as-is', 'shyicVSnvNVO5uhWdQRBKaTT1G0='],
    ['percent-encoded', 'TUVwuPSkeIvcosLhaOkf/OZnykU='],
    [undefined, 'shyicVSnvNVO5uhWdQRBKaTT1G0='],
  ] as const)('joins the secrets %s', (keyEncoding, expected) => {
    const secrets = { consumerSecret: 'k&+/', tokenSecret: 't=' }
    const signer = hmacSha1Signer({ ...secrets, ...(keyEncoding && { keyEncoding }) })
    expect(Buffer.from(signer.sign(Buffer.from('base'))).toString('base64')).toBe(expected)
  })

  it.each([
    [{ consumerSecret: '' }, /^"consumerSecret" is empty or not text\. Pass the merchant control key\.$/],
    [{ consumerSecret: undefined as never }, /^"consumerSecret" is empty or not text\./],
    [{ consumerSecret: Buffer.from('k') as never }, /^"consumerSecret" is empty or not text\./],
    [
      { consumerSecret: 'k', tokenSecret: null as never },
      /^"tokenSecret" is not text\. Leave it out if there is none\.$/,
    ],
    [{ consumerSecret: 'k\u200b' }, /^"consumerSecret" has U\+200B in it/],
    [{ consumerSecret: '\ud83d' }, /^A secret holds half of a surrogate pair: it has no UTF-8 form\.$/],
    [{ consumerSecret: 'k', tokenSecret: '\ud83d' }, /^A secret holds half/],
    [{ consumerSecret: 'k\ud83d', tokenSecret: '\ude00' }, /^A secret holds half/],
  ])('refuses the secrets %j', (secrets, message) => {
    expect(() => hmacSha1Signer(secrets)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_KEY', message: expect.stringMatching(message) }),
    )
  })
})

describe('rsaSha256Signer', () => {
  const pem = readFileSync(new URL('../../test/vectors/rsa-test-key.pem', import.meta.url), 'utf8')
  const data = Buffer.from('base string')

  it('signs at once on the calling thread, and gives a promise of the same bytes from the thread pool', async () => {
    const key = importPrivateKey(pem)
    const promised = rsaSha256Signer(key, { threadPool: true }).sign(data)
    expect(promised).toBeInstanceOf(Promise)
    expect(rsaSha256Signer(key).sign(data)).toEqual(await promised)
  })

  it('passes on that the thread pool cannot sign', async () => {
    const half = { ...importPrivateKey(pem), key: createPublicKey(pem) }
    await expect(rsaSha256Signer(half, { threadPool: true }).sign(data)).rejects.toThrow(Error)
  })

  it('refuses a key that was not imported', () => {
    expect(() => rsaSha256Signer(pem as never)).toThrow(/importPrivateKey\(pem\)/)
  })
})
