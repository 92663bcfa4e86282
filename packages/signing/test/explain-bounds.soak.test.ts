/** An explanation ends, however long what it is given: what is beyond its bounds is not searched, and nothing overflows. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { explainControl, explainSignature } from '../src/explain/index.js'
import { controlItems, importPublicKey, type Parameter } from '../src/index.js'

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')
const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'

describe('explainControl', () => {
  it('does not search items that are much too long, and lays them out', () => {
    const status = 'x'.repeat(10_000_000)
    const values = { status, orderId: '1', merchantOrderId: 'm' }
    const expected = sha1(`${status}1m`)
    const explained = explainControl({ items: controlItems.callback, values, controlKey, expected })
    expect(explained).toMatchObject({ matches: false })
    expect(explained).not.toHaveProperty('explanation')
  })

  it('reads no digest out of a text of any length', () => {
    const values = { status: 'approved', orderId: '1', merchantOrderId: 'm' }
    const expected = '0'.repeat(12_800_000)
    const explained = explainControl({ items: controlItems.callback, values, controlKey, expected })
    expect(explained.explanation).toMatchObject({ mistake: 'no-digest' })
  })
})

describe('explainSignature', () => {
  const request = {
    method: 'POST',
    url: new URL('https://gate.example/paynet/api/v2/payout/39'),
    authorization: 'OAuth oauth_nonce="n"',
  }
  const tiny = (count: number): Parameter[] => Array.from({ length: count }, (_, index) => [String(index), ''])

  it('leaves one of twenty thousand parameters alone', () => {
    const { baseString } = explainSignature({ ...request, parameters: tiny(19_999) })
    const explained = explainSignature({ ...request, parameters: tiny(20_000), expectedBaseString: baseString })
    expect(explained).toMatchObject({ matches: false })
    expect(explained).not.toHaveProperty('explanation')
  })

  it.each([
    'ab'.repeat(6_400_000),
    Buffer.alloc(12_800_000, 'a').toString('base64'),
    '='.repeat(12_800_000),
    '%3D'.repeat(4_000_000),
  ])('reads no signature out of a text of any length', expectedSignature => {
    const publicKey = importPublicKey(readFileSync(new URL('vectors/rsa-test-public.pem', import.meta.url)))
    const signed = { ...request, parameters: [], expectedSignature }
    const wanted = { signatureMatches: false, explanation: { mistake: 'no-signature' } }
    expect(explainSignature({ ...signed, secrets: { consumerSecret: 'key' } })).toMatchObject(wanted)
    expect(explainSignature({ ...signed, publicKey })).toMatchObject(wanted)
  })

  it.each(['&', '%26', '%3D', '%', '%25', 'a', 'POST&a&%26'])(
    'takes no base string apart that is much longer than ours: %j again and again',
    piece => {
      const expectedBaseString = piece.repeat(12_800_000 / piece.length)
      const { lines } = explainSignature({ ...request, parameters: [], expectedBaseString })
      expect(lines.some(line => 'theirs' in line)).toBe(false)
    },
  )
})
