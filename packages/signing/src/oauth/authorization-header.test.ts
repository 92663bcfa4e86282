import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { importPrivateKey } from '../keys/private-key.js'
import { authorizationHeader } from './authorization-header.js'
import { hmacSha1Signer, rsaSha256Signer, type Signer } from './signers.js'

const request = {
  url: new URL('https://gate.example/paynet/api/v2/payout/39'),
  parameters: [['amount', '10.00']] as const,
  consumerKey: 'merchant',
  signer: hmacSha1Signer({ consumerSecret: 'key' }),
  timestamp: 1669966913,
  nonce: 'y3qlvMPky7g',
}

describe('authorizationHeader', () => {
  it('quotes and percent-encodes every value and puts realm first', async () => {
    const header = await authorizationHeader({ ...request, realm: 'a "b"', consumerKey: 'mer chant' })
    expect(header).toMatch(/^OAuth realm="a%20%22b%22", oauth_consumer_key="mer%20chant", /)
    expect(header).toMatch(/, oauth_signature="[A-Za-z0-9%]+"$/)
  })

  it('signs the same with and without realm', async () => {
    const [plain, withRealm] = await Promise.all([
      authorizationHeader(request),
      authorizationHeader({ ...request, realm: '' }),
    ])
    expect(withRealm).toBe(plain.replace('OAuth ', 'OAuth realm="", '))
  })

  it('covers and sends a token', async () => {
    const header = await authorizationHeader({ ...request, token: 't' })
    expect(header).toContain('oauth_token="t"')
    expect(header.slice(-20)).not.toBe((await authorizationHeader(request)).slice(-20))
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
    expect(await authorizationHeader({ ...request, signer })).toMatch(/oauth_signature="AQL%2F"$/)
    expect(seen).toEqual([expect.stringMatching(/^POST&https%3A%2F%2Fgate\.example%2Fpaynet.*RSA-SHA256/)])
  })

  it.each([
    ['the form', request.url, [['oauth_nonce', 'x']] as const],
    ['the query', new URL('https://gate.example/?oauth_nonce=x'), []],
  ])('refuses oauth_* parameters in %s', async (_name, url, parameters) => {
    await expect(authorizationHeader({ ...request, url, parameters })).rejects.toMatchObject({ field: 'oauth_nonce' })
  })

  it('takes a timestamp of eleven digits, the most that is whole seconds', async () => {
    const header = await authorizationHeader({ ...request, timestamp: 99_999_999_999 })
    expect(header).toContain('oauth_timestamp="99999999999"')
  })

  it.each([0, -1, 1.5, Number.NaN, 100_000_000_000, 1669966913000, '1669966913'])(
    'refuses the timestamp %s',
    async timestamp => {
      const rejected = { field: 'timestamp', message: expect.stringContaining('whole seconds') }
      await expect(authorizationHeader({ ...request, timestamp: timestamp as number })).rejects.toMatchObject(rejected)
    },
  )

  it.each(['nonce', 'consumerKey'])('refuses an empty %s', async field => {
    await expect(authorizationHeader({ ...request, [field]: '' })).rejects.toMatchObject({ field })
  })
})

describe('hmacSha1Signer', () => {
  it.each(['', undefined])('refuses the control key %j', consumerSecret => {
    expect(() => hmacSha1Signer({ consumerSecret: consumerSecret as string })).toThrow(/control key/)
  })

  it.each([
    { consumerSecret: 'k', tokenSecret: null as never },
    { consumerSecret: Buffer.from('k') as never },
    { consumerSecret: '\ud83d' },
    { consumerSecret: 'k', tokenSecret: '\ud83d' },
    { consumerSecret: 'k\ud83d', tokenSecret: '\ude00' },
  ])('refuses the secrets %j', secrets => {
    expect(() => hmacSha1Signer(secrets)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_KEY' }))
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

  it('refuses a key that was not imported', () => {
    expect(() => rsaSha256Signer(pem as never)).toThrow(/importPrivateKey\(pem\)/)
  })
})
