/** The exact bytes of every operation, against bodies made with Python: see vectors/README.md. */
import { createPublicKey } from 'node:crypto'
import { parseAuthorizationHeader, verifyAuthorization } from '@tillkit/signing'
import { describe, expect, it } from 'vitest'
import { createClient, generateKeyPair, operations } from '../src/index.js'
import { anyReply, capturing } from './capturing-dispatcher.js'
import { controlKey } from './sample-requests.js'
import vectors from './vectors/bodies.json' with { type: 'json' }

const now = Date.UTC(2026, 0, 2, 3, 4, 5)
const { privateKey, publicKey } = generateKeyPair()

type AnyMethod = (request: unknown) => Promise<unknown>

function open() {
  const { dispatcher, captured } = capturing(anyReply)
  const client = createClient({
    baseUrl: 'https://Gate.Example:443/paynet/',
    endpointId: 9223372036854775807n,
    login: 'merchant',
    controlKey,
    privateKey,
    dispatcher,
    clock: () => now,
    nonce: () => 'y3qlvMPky7g',
  })
  return { client, captured }
}

async function sent({ name, request }: { readonly name: string; readonly request: unknown }) {
  const { client, captured } = open()
  await (client as unknown as Record<string, AnyMethod>)[name]?.(request)
  expect(captured).toHaveLength(1)
  return captured[0]!
}

describe('the vectors', () => {
  it('cover every operation once', () => {
    expect(vectors.map(({ name }) => name).sort()).toEqual(Object.keys(operations).sort())
  })
})

describe.each(vectors)('$name', vector => {
  it('is sent as the expected bytes to the expected path', async () => {
    const { origin, path, headers, body } = await sent(vector)
    expect(body).toBe(vector.body)
    expect(path).toBe(vector.path)
    expect(origin).toBe('https://gate.example')
    expect(headers).toMatchObject({
      accept: 'application/vnd.pay+json',
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(headers['user-agent']).toMatch(/^tillkit\/\d+\.\d+\.\d+$/)
  })

  it('carries a header that verifies exactly when its scheme is OAuth', async () => {
    const { path, headers, body } = await sent(vector)
    if (!vector.isSignedWithHeader) {
      expect(headers.authorization).toBeUndefined()
      return
    }
    const verification = await verifyAuthorization({
      method: 'POST',
      url: new URL(path, 'https://gate.example'),
      parameters: [...new URLSearchParams(body)],
      authorization: headers.authorization,
      keys: { hmacSecrets: controlKey, publicKeys: [{ label: 'test', key: createPublicKey(publicKey) }] },
      policy: { now: now / 1000, windowSeconds: 0 },
    })
    expect(verification).toMatchObject({
      verified: true,
      consumerKey: 'merchant',
      nonce: 'y3qlvMPky7g',
      method: vector.path.includes('/v4/') ? 'RSA-SHA256' : 'HMAC-SHA1',
    })
  })
})

describe('the header of panEligibilitySend', () => {
  // printf '%s' "$base_string" | openssl dgst -sha1 -hmac 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20&' -binary | base64
  // with base_string written by hand:
  // POST&https%3A%2F%2Fgate.example%2Fpaynet%2Fapi%2Fv2%2Fpan-eligibility%2Fsend%2F9223372036854775807&client-order-id%3Do-1%26oauth_consumer_key%3Dmerchant%26oauth_nonce%3Dy3qlvMPky7g%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1767323045%26oauth_version%3D1.0%26sending-card-ref-id%3D31
  it('is what OpenSSL makes of a base string written by hand', async () => {
    const { headers } = await sent({
      name: 'panEligibilitySend',
      request: { clientOrderId: 'o-1', sendingCardRefId: '31' },
    })
    const parameters = new Map(parseAuthorizationHeader(headers.authorization ?? '')?.parameters)
    expect(parameters.get('oauth_signature')).toBe('I4RKAFkcdItocKti6X9iBz8bk4w=')
  })
})

describe('the header of payoutForm', () => {
  // As above, with the base string
  // POST&https%3A%2F%2Fgate.example%2Fpaynet%2Fapi%2Fv2%2Fpayout-form%2F9223372036854775807&amount%3D10.42%26client_orderid%3Do-1%26currency%3DEUR%26oauth_consumer_key%3Dmerchant%26oauth_nonce%3Dy3qlvMPky7g%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1767323045%26oauth_version%3D1.0%26redirect_url%3Dhttps%253A%252F%252Fshop.example%252F
  it('is what OpenSSL makes of a base string written by hand', async () => {
    const request = { clientOrderId: 'o-1', amount: '10.42', currency: 'EUR', redirectUrl: 'https://shop.example/' }
    const { headers } = await sent({ name: 'payoutForm', request })
    const parameters = new Map(parseAuthorizationHeader(headers.authorization ?? '')?.parameters)
    expect(parameters.get('oauth_signature')).toBe('DyOvecnywpNxR/6nisukmN7L76M=')
  })
})

describe('an endpoint group', () => {
  it('takes the endpoint’s place in the path and in the control value', async () => {
    const { client, captured } = open()
    await client.accountVerificationForm(
      { clientOrderId: 'o-1', email: 'a@b.example', redirectUrl: 'https://shop.example/' },
      { endpointGroupId: 7 },
    )
    expect(captured[0]?.path).toBe('/paynet/api/v2/account-verification-form/group/7')
    // printf '%s' '7o-1a@b.exampleB17F59B4-A7DC-41B4-8FF9-37D986B43D20' | openssl dgst -sha1
    expect(new URLSearchParams(captured[0]?.body).get('control')).toBe('732b24cf78244401c9789023aea15a39076f5d5b')
  })

  it('has no segment of its own in the paths of 3DS uploads', async () => {
    const { client, captured } = open()
    await client.uploadCresResult({ clientOrderId: 'o-1', orderId: '77', cres: 'e30' }, { endpointGroupId: 7 })
    expect(captured[0]?.path).toBe('/paynet/api/3ds/v1/upload-cres-result/7')
  })
})
