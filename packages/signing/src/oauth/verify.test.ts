import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { headerOf } from '../../test/header-of.js'
import { importPrivateKey } from '../keys/private-key.js'
import { importPublicKey } from '../keys/public-key.js'
import { hmacSha1Signer, rsaSha256Signer } from './signers.js'
import { type UsedNonce, type VerifyAuthorizationOptions, verifyAuthorization } from './verify.js'

const pem = readFileSync(new URL('../../test/vectors/rsa-test-key.pem', import.meta.url), 'utf8')
const publicKey = createPublicKey(pem)
const otherPublicKey = createPublicKey(
  readFileSync(new URL('../../test/vectors/rsa-other-public.pem', import.meta.url), 'utf8'),
)
const url = new URL('https://gate.example/paynet/api/v2/payout/39')
const parameters = [
  ['client_orderid', 'order-7'],
  ['amount', '10.00'],
] as const
const signed = { url, parameters, consumerKey: 'merchant', timestamp: 1_000_000, nonce: 'n-1' }
const hmac = await headerOf({ ...signed, signer: hmacSha1Signer({ consumerSecret: 'key' }) })
const rsa = await headerOf({ ...signed, signer: rsaSha256Signer(importPrivateKey(pem)) })

const request: VerifyAuthorizationOptions = {
  method: 'POST',
  url,
  parameters,
  authorization: hmac,
  keys: { hmacSecrets: 'key' },
  policy: { now: 1_000_000, windowSeconds: 300 },
}
const rsaRequest = { ...request, authorization: rsa, keys: { publicKeys: [{ label: 'test', key: publicKey }] } }

describe('verifyAuthorization', () => {
  it('verifies HMAC-SHA1', async () => {
    expect(await verifyAuthorization(request)).toStrictEqual({
      kind: 'verified',
      consumerKey: 'merchant',
      method: 'HMAC-SHA1',
      keyLabel: 'key 1',
      timestamp: 1_000_000,
      nonce: 'n-1',
    })
  })

  it('verifies RSA-SHA256 and names the key', async () => {
    const keys = {
      publicKeys: [
        { label: 'old', key: otherPublicKey },
        { label: 'new', key: publicKey },
      ],
    }
    expect(await verifyAuthorization({ ...rsaRequest, keys })).toMatchObject({
      kind: 'verified',
      method: 'RSA-SHA256',
      keyLabel: 'new',
    })
  })

  it.each([
    ['what importPublicKey returns', { publicKeys: [importPublicKey(publicKey)] }, 'key 1'],
    ['a second key without a label', { publicKeys: [{ key: otherPublicKey }, { key: publicKey }] }, 'key 2'],
  ])('names a key that has no label by its place: %s', async (_what, keys, keyLabel) => {
    expect(await verifyAuthorization({ ...rsaRequest, keys })).toMatchObject({ kind: 'verified', keyLabel })
  })

  it('verifies a request with a token, and names the token', async () => {
    const signer = hmacSha1Signer({ consumerSecret: 'key', tokenSecret: 't/s' })
    const authorization = await headerOf({ ...signed, signer, token: 'tok en' })
    const keys = { hmacSecrets: 'key', tokenSecret: 't/s' }
    expect(await verifyAuthorization({ ...request, authorization, keys })).toMatchObject({
      kind: 'verified',
      token: 'tok en',
    })
    for (const tokenSecret of [undefined, '', 't%2Fs', 't']) {
      const others = { hmacSecrets: 'key', ...(tokenSecret === undefined ? {} : { tokenSecret }) }
      expect(await verifyAuthorization({ ...request, authorization, keys: others })).toMatchObject({ kind: 'refused' })
    }
  })

  it('takes parameters in every form that signing takes', async () => {
    const object = Object.fromEntries(parameters)
    for (const body of [object, new URLSearchParams(object), new Map(parameters)]) {
      expect(await verifyAuthorization({ ...request, parameters: body })).toMatchObject({ kind: 'verified' })
    }
  })

  it.each([request, rsaRequest])('refuses a request altered in method, address or any parameter', async original => {
    const altered: readonly Partial<VerifyAuthorizationOptions>[] = [
      { method: 'GET' },
      { url: new URL('https://gate.example/paynet/api/v2/payout/40') },
      { url: new URL('https://gate.example/api/v2/payout/39') },
      { url: new URL(`${url}?a=1`) },
      {
        parameters: [
          ['client_orderid', 'order-7'],
          ['amount', '10.01'],
        ],
      },
      { parameters: [['client_orderid', 'order-7']] },
      { parameters: [...parameters, ['amount', '10.00']] },
    ]
    for (const change of altered) {
      expect(await verifyAuthorization({ ...original, ...change })).toMatchObject({
        kind: 'refused',
        reason: 'mismatch',
      })
    }
  })

  it('refuses another key', async () => {
    expect(await verifyAuthorization({ ...request, keys: { hmacSecrets: ['a', 'b'] } })).toMatchObject({
      reason: 'mismatch',
    })
    const keys = { publicKeys: [{ label: 'other', key: otherPublicKey }] }
    expect(await verifyAuthorization({ ...rsaRequest, keys })).toMatchObject({ reason: 'mismatch' })
  })

  it('refuses a method that has no keys', async () => {
    expect(await verifyAuthorization({ ...rsaRequest, keys: request.keys })).toMatchObject({
      reason: 'unsupported-method',
      explanation: 'RSA-SHA256 is not accepted here: there is no key for it.',
    })
    expect(await verifyAuthorization({ ...request, keys: rsaRequest.keys })).toMatchObject({
      reason: 'unsupported-method',
    })
  })

  it.each([
    [1_000_300, true],
    [999_700, true],
    [1_000_301, false],
    [999_699, false],
    [Number.NaN, false],
  ])('compares the timestamp with our clock at %d', async (now, verified) => {
    const verdict = await verifyAuthorization({ ...request, policy: { now, windowSeconds: 300 } })
    expect(verdict).toMatchObject(verified ? { kind: 'verified' } : { kind: 'refused', reason: 'stale-timestamp' })
  })

  it('names both times and the window', async () => {
    const verdict = await verifyAuthorization({ ...request, policy: { now: 1_086_400, windowSeconds: 300 } })
    expect(verdict).toMatchObject({
      explanation:
        'The timestamp 1000000 is 86400 s from our clock, 1086400; 300 s are allowed. The signature is right.',
    })
  })

  it.each([
    ['right', hmac, { hmacSecrets: 'key' }, 'The signature is right.'],
    ['wrong', hmac, { hmacSecrets: 'another' }, 'The HMAC-SHA1 signature does not match'],
    ['right', rsa, { publicKeys: [{ key: publicKey }] }, 'The signature is right.'],
    ['wrong', rsa, { publicKeys: [{ key: otherPublicKey }] }, 'The RSA-SHA256 signature does not match'],
  ])('says of a stale timestamp that the signature is %s', async (_how, authorization, keys, said) => {
    const policy = { now: 1_000_900, windowSeconds: 300 }
    const verdict = await verifyAuthorization({ ...request, authorization, keys, policy })
    expect(verdict).toMatchObject({ kind: 'refused', reason: 'stale-timestamp' })
    expect(verdict).toHaveProperty('explanation', expect.stringContaining('is 900 s from our clock'))
    expect(verdict).toHaveProperty('explanation', expect.stringContaining(said))
  })

  it('claims the nonce of a right signature only, and refuses it the second time', async () => {
    const claimed: UsedNonce[] = []
    const nonces = {
      claim: (nonce: UsedNonce) => claimed.push(nonce) === 1,
    }
    const policy = { ...request.policy, nonces }
    expect(await verifyAuthorization({ ...request, policy, method: 'GET' })).toMatchObject({ reason: 'mismatch' })
    expect(claimed).toEqual([])
    expect(await verifyAuthorization({ ...request, policy })).toMatchObject({ kind: 'verified' })
    expect(await verifyAuthorization({ ...request, policy })).toMatchObject({ reason: 'repeated-nonce' })
    expect(claimed[0]).toEqual({ consumerKey: 'merchant', nonce: 'n-1', timestamp: 1_000_000 })
  })

  it('lets no line break of the sender into an explanation', async () => {
    const signer = hmacSha1Signer({ consumerSecret: 'key' })
    const authorization = await headerOf({ ...signed, nonce: 'a\nb', signer })
    const policy = { ...request.policy, nonces: { claim: () => false } }
    const verdict = await verifyAuthorization({ ...request, authorization, policy })
    expect(verdict).toMatchObject({
      reason: 'repeated-nonce',
      explanation: 'The nonce "a\\nb" was used before: this request is a replay.',
    })
  })

  it('throws when our own keys are unusable', async () => {
    await expect(verifyAuthorization({ ...request, keys: { hmacSecrets: '' } })).rejects.toThrow(/control key/i)
    const { publicKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const keys = { publicKeys: [{ label: 'ec', key }] }
    await expect(verifyAuthorization({ ...rsaRequest, keys })).rejects.toThrow(/RSA only/)
    const text = { publicKeys: [pem as never] }
    await expect(verifyAuthorization({ ...rsaRequest, keys: text })).rejects.toThrow(/importPublicKey\(pem\)/)
    const none = { publicKeys: [null as never] }
    await expect(verifyAuthorization({ ...rsaRequest, keys: none })).rejects.toThrow(/"publicKeys\[0\]" has no key/)
  })
})

/** The words of a refusal that does not depend on the request. */
const said: Readonly<Record<string, string>> = {
  'missing-header': 'There is no Authorization header.',
  'malformed-header': 'The Authorization header is not of the form: OAuth name="value", …',
  'repeated-parameter': 'A parameter is in the header twice.',
  'missing-parameter': '" is missing or empty in the header.',
  'unsupported-version': 'The "oauth_version" is not "1.0".',
  'unsupported-method': 'The "oauth_signature_method" is neither "HMAC-SHA1" nor "RSA-SHA256".',
  'malformed-timestamp': 'The "oauth_timestamp" is not whole seconds since the epoch.',
  'malformed-signature': 'The "oauth_signature" is not Base64. It must be percent-encoded once.',
  mismatch: 'The HMAC-SHA1 signature does not match: compare base strings first.',
}

describe('verifyAuthorization, robustness', () => {
  it.each([
    ['no header', undefined, 'missing-header'],
    ['an empty header', '', 'missing-header'],
    ['two headers', [hmac, hmac], 'malformed-header'],
    ['another scheme', hmac.replace('OAuth', 'Basic'), 'malformed-header'],
    ['a truncated header', hmac.slice(0, -1), 'malformed-header'],
    ['an oversized header', `${hmac}, a="${'b'.repeat(20_000)}"`, 'malformed-header'],
    ['a parameter twice', `${hmac}, oauth_nonce="n-1"`, 'repeated-parameter'],
    ['no nonce', hmac.replace('oauth_nonce="n-1", ', ''), 'missing-parameter'],
    ['an empty consumer key', hmac.replace('"merchant"', '""'), 'missing-parameter'],
    ['no version', hmac.replace('oauth_version="1.0", ', ''), 'missing-parameter'],
    ['version 2.0', hmac.replace('"1.0"', '"2.0"'), 'unsupported-version'],
    ['the method PLAINTEXT', hmac.replace('HMAC-SHA1', 'PLAINTEXT'), 'unsupported-method'],
    ['the method in lower case', hmac.replace('HMAC-SHA1', 'hmac-sha1'), 'unsupported-method'],
    ['a timestamp in milliseconds', hmac.replace('"1000000"', '"1000000000000"'), 'malformed-timestamp'],
    ['a negative timestamp', hmac.replace('"1000000"', '"-1"'), 'malformed-timestamp'],
    ['a signature encoded twice', hmac.replace('%3D"', '%253D"'), 'malformed-signature'],
    ['a signature beyond ASCII', hmac.replace(/oauth_signature=".*"/, 'oauth_signature="é"'), 'malformed-signature'],
    ['a truncated signature', hmac.replace(/oauth_signature=".*"/, 'oauth_signature="AAAA"'), 'mismatch'],
    ['another nonce', hmac.replace('n-1', 'n-2'), 'mismatch'],
    ['another consumer key', hmac.replace('"merchant"', '"other"'), 'mismatch'],
  ])('refuses %s', async (_name, authorization, reason) => {
    const verdict = await verifyAuthorization({ ...request, authorization: authorization as string })
    expect(verdict).toMatchObject({
      kind: 'refused',
      reason,
      explanation: expect.stringContaining(said[reason] ?? '?'),
    })
  })

  it('refuses an RSA signature of any other length', async () => {
    for (const signature of ['AAAA', Buffer.alloc(256).toString('base64'), Buffer.alloc(4096).toString('base64')]) {
      const authorization = rsa.replace(/oauth_signature=".*"/, `oauth_signature="${encodeURIComponent(signature)}"`)
      expect(await verifyAuthorization({ ...rsaRequest, authorization })).toMatchObject({ reason: 'mismatch' })
    }
  })

  it('refuses oauth_* parameters in the form and in the query', async () => {
    const inForm = await verifyAuthorization({ ...request, parameters: [['oauth_nonce', 'n-1']] })
    const inQuery = await verifyAuthorization({ ...request, url: new URL(`${url}?oauth_nonce=n-1`) })
    const outside = {
      kind: 'refused',
      reason: 'oauth-outside-header',
      explanation: '"oauth_nonce" is outside the Authorization header.',
    }
    expect([inForm, inQuery]).toEqual([outside, outside])
  })

  it('passes on an error that is not its own', async () => {
    const broken = {
      *[Symbol.iterator]() {
        yield* parameters
        throw new TypeError('the stream was closed')
      },
    }
    await expect(verifyAuthorization({ ...request, parameters: broken })).rejects.toThrow('the stream was closed')
  })

  it.each([
    ['a malformed escape in the query', { url: new URL(`${url}?a=%FF`) }, 'UTF-8 escape'],
    ['half of a surrogate pair', { parameters: [['a', '\ud83d']] as const }, 'surrogate pair'],
    ['parameters that are no list', { parameters: undefined as never }, '"parameters" is undefined'],
    ['parameters that are not pairs', { parameters: ['ab'] as never }, 'not a pair'],
    ['an address of another scheme', { url: new URL('ftp://gate.example/') }, 'only http and https'],
    ['an address that is text', { url: 'https://gate.example/' as never }, '"url" is "https://gate.example/"'],
    ['no method', { method: undefined as never }, '"method" is missing'],
    ['a repeated field as a body parser gives it', { parameters: { a: ['1', '2'] } as never }, 'repeat the pair'],
  ])('refuses %s, and says what is wrong', async (_name, change, text) => {
    expect(await verifyAuthorization({ ...request, ...change })).toMatchObject({
      reason: 'unreadable-request',
      explanation: expect.stringContaining(text),
    })
  })

  it('shows neither key nor signature in a refusal', async () => {
    const verdict = await verifyAuthorization({ ...request, keys: { hmacSecrets: 'top-secret' } })
    const signature = /oauth_signature="([^"]*)"/.exec(hmac)?.[1] ?? hmac
    expect(JSON.stringify(verdict)).not.toContain('top-secret')
    expect(JSON.stringify(verdict)).not.toContain(decodeURIComponent(signature))
  })
})
