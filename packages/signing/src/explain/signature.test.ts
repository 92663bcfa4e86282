import { describe, expect, it } from 'vitest'
import { explainSignature } from './signature.js'

const request = {
  method: 'POST',
  url: new URL('https://gate.example/paynet/api/v4/transfer/39'),
  parameters: [
    ['order_desc', 'a gift'],
    ['credit_card_number', '4444555566661111'],
    ['cvv2', '987'],
  ] as const,
  authorization: 'OAuth realm="", oauth_nonce="n-1", oauth_signature="c2lnbmF0dXJl"',
}
const mask = (name: string, value: string): string =>
  name === 'credit_card_number' ? `${value.slice(0, 6)}…${value.slice(-4)}` : name === 'cvv2' ? '***' : value
const address = 'https%3A%2F%2Fgate.example%2Fpaynet%2Fapi%2Fv4%2Ftransfer%2F39'
const covered = 'credit_card_number%3D4444555566661111%26cvv2%3D987%26oauth_nonce%3Dn-1%26order_desc%3Da%2520gift'
const ours = `POST&${address}&${covered}`

describe('explainSignature', () => {
  it('splits the base string into method, address and one entry a parameter', () => {
    expect(explainSignature(request)).toEqual({
      method: 'POST',
      address: 'https://gate.example/paynet/api/v4/transfer/39',
      parameters: [
        { name: 'credit_card_number', value: '4444555566661111', encoded: 'credit_card_number%3D4444555566661111' },
        { name: 'cvv2', value: '987', encoded: 'cvv2%3D987' },
        { name: 'oauth_nonce', value: 'n-1', encoded: 'oauth_nonce%3Dn-1' },
        { name: 'order_desc', value: 'a gift', encoded: 'order_desc%3Da%2520gift' },
      ],
      baseString: ours,
      lines: [
        { name: 'method', ours: 'POST' },
        { name: 'address', ours: 'https%3A%2F%2Fgate.example%2Fpaynet%2Fapi%2Fv4%2Ftransfer%2F39' },
        { name: 'credit_card_number', ours: 'credit_card_number%3D4444555566661111' },
        { name: 'cvv2', ours: 'cvv2%3D987' },
        { name: 'oauth_nonce', ours: 'oauth_nonce%3Dn-1' },
        { name: 'order_desc', ours: 'order_desc%3Da%2520gift' },
      ],
    })
  })

  it('says that another base string is the same', () => {
    expect(explainSignature({ ...request, expectedBaseString: ours }).matches).toBe(true)
  })

  it.each([
    ['method', ours.replace('POST', 'post'), 'lower case'],
    ['address', ours.replace('gate.example', 'gate.example%3A443'), 'default port'],
    ['address', ours.replace('gate.example', 'Gate.example'), 'capitals'],
    ['address', ours.replace('%2Fpaynet', ''), 'path prefix'],
    ['order_desc', ours.replace('a%2520gift', 'a%2Bgift'), 'space as "+"'],
    ['order_desc', ours.replace('a%2520gift', 'a%20gift'), 'encodes once'],
    ['cvv2', ours.replace('cvv2%3D987%26', ''), 'does not cover it'],
    ['oauth_signature', ours.replace('%26order', '%26oauth_signature%3D%26order'), 'covers the signature'],
    ['oauth_nonce', ours.replace('n-1', 'n-2'), undefined],
    ['expire_year', ours.replace('%26oauth', '%26expire_year%3D2099%26oauth'), undefined],
  ])('shows where the other base string differs: %s', (name, expectedBaseString, text) => {
    const { lines, matches, explanation } = explainSignature({ ...request, expectedBaseString })
    expect(matches).toBe(false)
    expect(lines.filter(({ differs }) => differs).map(line => line.name)).toEqual([name])
    if (text === undefined) expect(explanation).toBeUndefined()
    else expect(explanation?.text).toContain(text)
  })

  it.each(['', 'a=b', 'POST&x', 'POST&%&a', 'POST&a&%', 'POST&a&b&c'])('compares nothing with %j', text => {
    const { lines, matches } = explainSignature({ ...request, expectedBaseString: text })
    expect([matches, lines.some(line => 'theirs' in line)]).toEqual([false, false])
  })

  it('masks card data on both sides, next to a difference and inside it', () => {
    for (const expectedBaseString of [
      ours.replace('n-1', 'n-2'),
      ours.replace('4444555566661111', '4444555566662222'),
      ours.replace('%3D987', '%3D988'),
      covered,
    ]) {
      const explained = explainSignature({ ...request, mask, expectedBaseString })
      const shown = JSON.stringify(explained)
      expect(shown).toContain('***')
      expect(shown).not.toMatch(/44445555|66661111|66662222|987|988/)
    }
  })

  it('always masks oauth_signature', () => {
    const expectedBaseString = ours.replace('%26order', '%26oauth_signature%3Dc2lnbmF0dXJl%26order')
    const explained = explainSignature({ ...request, expectedBaseString })
    expect(JSON.stringify(explained)).not.toContain('c2lnbmF0dXJl')
  })

  it('refuses what is no OAuth header', () => {
    expect(() => explainSignature({ ...request, authorization: 'Basic abc' })).toThrow(
      expect.objectContaining({ field: 'authorization' }),
    )
  })
})

// RFC 5849 sections 3.4.1.3.2 and 3.5.1: values are percent-encoded in the base string and in the header. The signatures were
// made by openssl dgst -sha1 -hmac "key&" -binary | base64 over the base string of each.
describe('oauth_* values that were not percent-encoded', () => {
  const payout = {
    method: 'POST',
    url: new URL('https://gate.example/paynet/api/v2/payout/39'),
    parameters: [['order_desc', 'a gift']] as const,
    secrets: { consumerSecret: 'key' },
  }
  const header = (login: string, signature: string): string =>
    `OAuth oauth_consumer_key="${login}", oauth_nonce="n-1", oauth_signature_method="HMAC-SHA1", ` +
    `oauth_timestamp="1000000", oauth_version="1.0", oauth_signature="${signature}"`
  const start = 'POST&https%3A%2F%2Fgate.example%2Fpaynet%2Fapi%2Fv2%2Fpayout%2F39&'
  const end =
    '%26oauth_nonce%3Dn-1%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1000000%26oauth_version%3D1.0%26order_desc%3Da%2520gift'
  const right = `${start}oauth_consumer_key%3Dacme%2520%2526%2520co${end}`
  const raw = `${start}oauth_consumer_key%3Dacme%20%26%20co${end}`

  it('are named where they are missing in a base string', () => {
    const authorization = header('acme%20%26%20co', 'x')
    const { explanation } = explainSignature({ ...payout, authorization, expectedBaseString: raw })
    expect(explanation).toMatchObject({
      mistake: 'single-encoding',
      text: expect.stringContaining('oauth_* values not at all'),
    })
  })

  it('are named where they are missing in what was signed', () => {
    const authorization = header('acme%20%26%20co', 'ISnRWvj%2BiKXh7VTVT3gACQ8Lo9s%3D')
    const { signatureMatches, explanation } = explainSignature({ ...payout, authorization })
    expect({ signatureMatches, mistake: explanation?.mistake }).toEqual({
      signatureMatches: false,
      mistake: 'single-encoding',
    })
  })

  it('are named where they are missing in the header of a right signature', () => {
    const explained = explainSignature({
      ...payout,
      authorization: header('acme & co', '0ihklSwxedPozoYDCS5yuAv6zEw='),
    })
    expect(explained).toMatchObject({
      baseString: right,
      signatureMatches: true,
      explanation: {
        mistake: 'header-encoding',
        text: expect.stringMatching(/^oauth_consumer_key, oauth_signature: the value stands in the header as it is/),
      },
    })
    const encoded = header('acme%20%26%20co', encodeURIComponent('0ihklSwxedPozoYDCS5yuAv6zEw='))
    expect(explainSignature({ ...payout, authorization: encoded })).not.toHaveProperty('explanation')
  })
})
