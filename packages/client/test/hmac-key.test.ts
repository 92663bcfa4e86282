/** The key of HMAC-SHA1 follows the wire profile. Base string and signature are made here by hand, with node:crypto. */
import { createHmac } from 'node:crypto'
import { defineProfile } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { createClient } from '../src/index.js'
import { anyReply, capturing } from './capturing-dispatcher.js'

const controlKey = 'a+b&c%d'
const payout = { clientOrderId: 'p-1', amount: '5.00', currency: 'EUR', accountNumber: '40817' }
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, code => `%${code.charCodeAt(0).toString(16).toUpperCase()}`)

describe.each([
  ['as it is, section 5.2', undefined, 'a+b&c%d&'],
  ['as it is', 'as-is', 'a+b&c%d&'],
  ['percent-encoded, RFC 5849 section 3.4.2', 'percent-encoded', 'a%2Bb%26c%25d&'],
] as const)('a control key %s', (_title, hmacKeyEncoding, key) => {
  const profile = defineProfile(hmacKeyEncoding === undefined ? {} : { hmacKeyEncoding })

  it('signs a payout', async () => {
    const { dispatcher, captured } = capturing(anyReply)
    const client = createClient({
      baseUrl: 'https://gate.example/paynet',
      login: 'merchant',
      endpointId: 39,
      controlKey,
      dispatcher,
      profile,
    })
    await client.payout(payout)
    const { body = '', headers } = captured[0] ?? {}
    const header = new Map(
      [...String(headers?.authorization).matchAll(/(\w+)="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, decodeURIComponent(value)] as const,
      ),
    )
    const signature = header.get('oauth_signature')
    header.delete('oauth_signature')
    const pairs = [...new URLSearchParams(body), ...header].map(pair => pair.map(encode).join('=')).sort()
    const address = 'https://gate.example/paynet/api/v2/payout/39'
    const baseString = ['POST', address, pairs.join('&')].map(encode).join('&')
    expect(signature).toBe(createHmac('sha1', key).update(baseString).digest('base64'))
  })

  it('is accepted by the fake of the same profile', async () => {
    const gateway = createFakeGateway({ controlKey, profile })
    const client = createClient(gateway.clientOptions)
    expect(await client.payout(payout)).toMatchObject({ type: 'async-response' })
    await Promise.all([client.close(), gateway.close()])
  })
})

describe('a client whose profile encodes the key and a fake whose profile does not', () => {
  it('disagree, and the fake says why', async () => {
    const gateway = createFakeGateway({ controlKey })
    const { observer: _observer, ...options } = gateway.clientOptions
    const client = createClient({ ...options, profile: defineProfile({ hmacKeyEncoding: 'percent-encoded' }) })
    await expect(client.payout(payout)).rejects.toThrow('percent-encodes the secrets')
    await Promise.all([client.close(), gateway.close()])
  })
})
