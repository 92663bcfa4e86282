/**
 * The key of HMAC-SHA1, as it is or percent-encoded: section 5.2, step 3, and RFC 5849 section 3.4.2. The signatures were made
 * with OpenSSL 3 over the base string below: printf %s "$BASE_STRING" | openssl dgst -sha1 -hmac "$KEY" -binary | base64
 */
import { describe, expect, it } from 'vitest'
import { explainSignature } from '../src/explain/index.js'
import { defaultSigningProfile, type HmacKeyEncoding, hmacSha1Signer, verifyAuthorization } from '../src/index.js'
import { headerOf } from './header-of.js'

const consumerSecret = 'a+b&c%d'
const baseString =
  'POST&https%3A%2F%2Fgate.example%2Fpaynet%2Fapi%2Fv2%2Fpayout%2F39&amount%3D10.00%26client_orderid%3Dorder-7' +
  '%26oauth_consumer_key%3Dmerchant%26oauth_nonce%3Dn-1%26oauth_signature_method%3DHMAC-SHA1' +
  '%26oauth_timestamp%3D1000000%26oauth_version%3D1.0'

const signatures: Readonly<Record<HmacKeyEncoding, string>> = {
  // KEY='a+b&c%d&'
  'as-is': 'Dsvrbh64TGwT0W7SvprA1rEbvtc=',
  // KEY='a%2Bb%26c%25d&'
  'percent-encoded': 'mrl7fWi23+CubVepxmgjHipj4k4=',
}

const request = {
  url: new URL('https://gate.example/paynet/api/v2/payout/39'),
  parameters: [
    ['client_orderid', 'order-7'],
    ['amount', '10.00'],
  ] as const,
}

const headerWith = (signature: string): string =>
  'OAuth oauth_consumer_key="merchant", oauth_nonce="n-1", oauth_signature_method="HMAC-SHA1", ' +
  `oauth_timestamp="1000000", oauth_version="1.0", oauth_signature="${encodeURIComponent(signature)}"`

describe('the key of HMAC-SHA1', () => {
  it('is the control key itself in the profile, as section 5.2 states', () => {
    expect(defaultSigningProfile.hmacKeyEncoding).toMatchObject({ value: 'as-is', assumed: false })
  })

  it('is the control key itself where nothing else is said, as section 5.2 states', async () => {
    const signer = hmacSha1Signer({ consumerSecret })
    const fresh = { timestamp: 1_000_000, nonce: 'n-1', consumerKey: 'merchant' }
    const authorization = headerWith(signatures['as-is'])
    expect(await headerOf({ ...request, ...fresh, signer })).toBe(authorization)
    const received = { ...request, method: 'POST', authorization }
    const policy = { now: 1_000_000, windowSeconds: 300 }
    expect(await verifyAuthorization({ ...received, keys: { hmacSecrets: consumerSecret }, policy })).toMatchObject({
      kind: 'verified',
    })
    expect(explainSignature({ ...received, secrets: { consumerSecret } })).toMatchObject({ signatureMatches: true })
  })
})

describe.each([
  ['as-is', 'percent-encoded', 'percent-encodes the secrets'],
  ['percent-encoded', 'as-is', 'the secrets are not percent-encoded'],
] as const)('a key that is %s', (keyEncoding, otherEncoding, mistake) => {
  const secrets = { consumerSecret, keyEncoding }

  it('signs as OpenSSL does', async () => {
    const signature = await hmacSha1Signer(secrets).sign(Buffer.from(baseString))
    expect(Buffer.from(signature).toString('base64')).toBe(signatures[keyEncoding])
  })

  it('verifies its own signature and not the other', async () => {
    const verify = (signature: string) =>
      verifyAuthorization({
        ...request,
        method: 'POST',
        authorization: headerWith(signature),
        keys: { hmacSecrets: consumerSecret, keyEncoding },
        policy: { now: 1_000_000, windowSeconds: 300 },
      })
    expect(await verify(signatures[keyEncoding])).toMatchObject({ kind: 'verified' })
    expect(await verify(signatures[otherEncoding])).toMatchObject({ kind: 'refused', reason: 'mismatch' })
  })

  it('is told from the other by an explanation', () => {
    const explain = (signature: string) =>
      explainSignature({ ...request, method: 'POST', authorization: headerWith(signature), secrets })
    expect(explain(signatures[keyEncoding])).toMatchObject({ signatureMatches: true })
    const { explanation } = explain(signatures[otherEncoding])
    expect(explanation).toMatchObject({ mistake: 'key', text: expect.stringContaining(mistake) })
  })
})
