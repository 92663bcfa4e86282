/** An explanation ends, however long what it is given: what is beyond its bounds is not searched, and nothing overflows. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { describeControl, describeSignature, explainControl, explainSignature } from '../src/explain/index.js'
import { takeApart } from '../src/explain/oauth/request.js'
import { searchBaseString } from '../src/explain/oauth/search.js'
import { controlItems, importPublicKey, type Parameter } from '../src/index.js'

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')
const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'

describe('explainControl', () => {
  const explainSale = (values: { clientOrderId: string; email: string }, theirs: string) => {
    const request = { items: controlItems.sale, values: { endpointId: '39', amount: '1000', ...values }, controlKey }
    return explainControl({ ...request, expected: sha1(theirs + controlKey) }).explanation
  }

  it('tries every mistake where the items have eighty characters together', () => {
    const clientOrderId = 'o'.repeat(34)
    const email = `${'e'.repeat(28)}@example.com`
    const found = explainSale({ clientOrderId, email }, `39${clientOrderId}1000${email}+`)
    expect(found).toMatchObject({ mistake: 'one-character', item: 'email' })
  })

  it('leaves the unlikeliest mistakes of long items alone', () => {
    const clientOrderId = 'order-7'
    const email = `${'e'.repeat(20_000)}@example.com`
    expect(explainSale({ clientOrderId, email }, `39order-710.00${email}`)).toMatchObject({ mistake: 'amount-form' })
    expect(explainSale({ clientOrderId, email }, `39order-7199900${email}`)).toBeUndefined()
  })

  it('does not search items that are much too long, and lays them out', () => {
    const status = 'x'.repeat(10_000_000)
    const values = { status, orderId: '1', merchantOrderId: 'm' }
    const expected = sha1(`${status}1m`)
    const explained = explainControl({ items: controlItems.callback, values, controlKey, expected })
    expect(explained).toMatchObject({ matches: false })
    expect(explained).not.toHaveProperty('explanation')
    expect(describeControl(explained)).toContain('no single known mistake')
  })

  it('reads no digest out of a text of any length', () => {
    const values = { status: 'approved', orderId: '1', merchantOrderId: 'm' }
    const expected = '0'.repeat(12_800_000)
    const explained = explainControl({ items: controlItems.callback, values, controlKey, expected })
    expect(explained.explanation).toMatchObject({ mistake: 'no-digest' })
  })

  it('describes as many items as there are', () => {
    const items = Array.from({ length: 1_000_000 }, () => ({ name: 'login', value: '' }))
    expect(describeControl({ items, controlString: '', lines: [] }).length).toBeGreaterThan(10_000_000)
  })
})

describe('explainSignature', () => {
  const request = {
    method: 'POST',
    url: new URL('https://gate.example/paynet/api/v2/payout/39'),
    authorization: 'OAuth oauth_nonce="n"',
  }
  const tiny = (count: number): Parameter[] => Array.from({ length: count }, (_, index) => [String(index), ''])

  it.each([
    [200, 2 * 200, 1000],
    [20_000, 1, 20],
    [40_000, 1, 10],
  ])('makes base strings of %i parameters %i times at least and %i times at most', (count, least, most) => {
    const apart = takeApart({ ...request, parameters: tiny(count) }, { parameters: [] })
    let made = 0
    searchBaseString(apart, () => {
      made += 1
      return false
    })
    expect(made).toBeGreaterThanOrEqual(least)
    expect(made).toBeLessThanOrEqual(most)
  })

  it('finds the last of a hundred parameters left empty', () => {
    const parameters = tiny(100).map(([name]): Parameter => [name, 'x'.repeat(20)])
    const expectedBaseString = explainSignature({
      ...request,
      parameters: parameters.map(([name, value], index) => [name, index === 99 ? '' : value]),
    }).baseString
    const { explanation } = explainSignature({ ...request, parameters, expectedBaseString })
    expect(explanation).toMatchObject({ mistake: 'value-left-empty', parameter: '99' })
  })

  it('describes as many parameters as there are', () => {
    const parameters = Array.from({ length: 1_000_000 }, () => ({ name: 'a', value: '', encoded: 'a%3D' }))
    const laidOut = { method: 'POST', address: '', baseString: '', parameters, lines: [] }
    expect(describeSignature(laidOut).length).toBeGreaterThan(10_000_000)
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
      const { difference } = explainSignature({ ...request, parameters: [], expectedBaseString })
      expect(difference).toMatchObject({ part: 'shape', ours: '', theirs: '' })
    },
  )

  it('takes one of many pieces apart that is not', () => {
    const parameters = tiny(20_000).map((): Parameter => ['card', '4444555566661111'])
    const mask = (): string => '***'
    const right = explainSignature({ ...request, parameters }).baseString
    const expectedBaseString = right.replace('%26card%3D4444555566661111', '')
    const { difference } = explainSignature({ ...request, parameters, mask, expectedBaseString })
    expect(difference).toMatchObject({ part: 'parameters', theirs: expect.stringContaining('card%3D%252A%252A%252A') })
  })
})
