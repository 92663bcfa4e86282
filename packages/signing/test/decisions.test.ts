/** Where RFC 5849 leaves a choice or the input is broken: what this package decides. docs/signing.md says the same. */
import { describe, expect, it } from 'vitest'
import {
  decodeForm,
  hmacSha1Signer,
  normalizeParameters,
  type Parameter,
  parseAuthorizationHeader,
  signatureBaseString,
  verifyAuthorization,
} from '../src/index.js'
import { headerOf } from './header-of.js'

const url = new URL('https://gate.example/paynet/api/v2/payout/39')
const signed = {
  url,
  parameters: [] as readonly Parameter[],
  consumerKey: 'merchant',
  signer: hmacSha1Signer({ consumerSecret: 'key' }),
  timestamp: 1000,
  nonce: 'n',
}
const verified = { method: 'POST', keys: { hmacSecrets: 'key' }, policy: { now: 1000, windowSeconds: 0 } }

describe('half of a surrogate pair', () => {
  it.each([[['note', 'ab\uD83D']], [['note', '\uDED2ab']], [['\uD83D', '1']]] as const)(
    'is refused in a parameter, which is named: %j',
    async ([name, value]) => {
      const parameters: readonly Parameter[] = [[name, value]]
      await expect(headerOf({ ...signed, parameters })).rejects.toMatchObject({
        code: 'ERR_INVALID_INPUT',
        field: name,
      })
    },
  )

  it('is U+FFFD in an address, because that is what a URL sends', () => {
    const address = new URL('https://gate.example/?a=\uD83D')
    expect(address.search).toBe('?a=%EF%BF%BD')
    expect(normalizeParameters(address, [])).toBe('a=%EF%BF%BD')
  })
})

describe('an oauth_* parameter outside the header', () => {
  const duplicate: readonly Parameter[] = [['oauth_nonce', 'n']]

  it.each([
    ['the form', { parameters: duplicate }],
    ['the query', { url: new URL('?oauth_nonce=n', url) }],
  ])('is refused in %s when signing and when verifying', async (_where, change) => {
    await expect(headerOf({ ...signed, ...change })).rejects.toMatchObject({ field: 'oauth_nonce' })
    const authorization = await headerOf(signed)
    const verdict = await verifyAuthorization({ ...verified, url, parameters: [], ...change, authorization })
    expect(verdict).toMatchObject({ kind: 'refused', reason: 'oauth-outside-header' })
  })

  it('is covered twice by the step-by-step functions, as section 3.4.1.3.2 has it', () => {
    const parameters = [...duplicate, ...duplicate]
    expect(signatureBaseString({ method: 'POST', url, parameters })).toMatch(/&oauth_nonce%3Dn%26oauth_nonce%3Dn$/)
  })
})

describe('a realm with a quotation mark in it', () => {
  it('is percent-encoded like every other value, and read back', async () => {
    const authorization = await headerOf({ ...signed, realm: 'the "till", 50%' })
    expect(authorization).toMatch(/^OAuth realm="the%20%22till%22%2C%2050%25", oauth_consumer_key=/)
    expect(parseAuthorizationHeader(authorization)?.realm).toBe('the "till", 50%')
    expect(await verifyAuthorization({ ...verified, url, parameters: [], authorization })).toMatchObject({
      kind: 'verified',
    })
  })

  it('is refused when it is escaped with a backslash, which OAuth headers do not know', async () => {
    const authorization = (await headerOf(signed)).replace('OAuth ', 'OAuth realm="the \\"till\\"", ')
    expect(parseAuthorizationHeader(authorization)).toBeUndefined()
    expect(await verifyAuthorization({ ...verified, url, parameters: [], authorization })).toMatchObject({
      kind: 'refused',
      reason: 'malformed-header',
    })
  })

  it('is never covered by the signature', async () => {
    const signatureOf = (header: string): string | undefined => /oauth_signature="([^"]+)"/.exec(header)?.[1]
    const plain = signatureOf(await headerOf(signed))
    expect(plain).toMatch(/%3D$/)
    expect(signatureOf(await headerOf({ ...signed, realm: 'anything' }))).toBe(plain)
  })
})

describe('a query or form that cannot be decoded', () => {
  it.each(['a=%', 'a=%2', 'a=%zz', 'a=%FF', '%C3=1', 'a=%ED%A0%80'])('is refused, not guessed: %s', text => {
    expect(() => decodeForm(text)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_INPUT', field: 'form' }))
    expect(() => normalizeParameters(new URL(`https://gate.example/?${text}`), [])).toThrow(/Cannot decode/)
  })
})
