/** What the other side has is data, whatever it is; a mistake of the caller is an error that names the option. */
import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { explainControl, explainSignature } from '../src/explain/index.js'
import { controlItems, importPublicKey } from '../src/index.js'

const pem = readFileSync(new URL('vectors/rsa-test-public.pem', import.meta.url), 'utf8')

const garbage: readonly unknown[] = [
  null,
  0,
  1n,
  true,
  ['a'],
  [],
  {},
  { length: 40 },
  () => 'a',
  Symbol('a'),
  Buffer.from('a'),
]
const named = (field: string) => expect.objectContaining({ code: 'ERR_INVALID_INPUT', field })

describe('explainControl', () => {
  const values = { endpointId: '39', clientOrderId: 'order-7', amount: '1000', email: 'anna@example.com' }
  const request = { items: controlItems.sale, values, controlKey: 'key' }
  const explain = (change: object) => explainControl({ ...request, ...change })

  it.each(garbage)('takes what is no text for a value that does not match: %o', expected => {
    expect(explain({ expected })).toMatchObject({ matches: false, explanation: { mistake: 'no-digest' } })
  })

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('knows no values for an item named %s', item => {
    const own = Object.defineProperty({}, item, { value: 'x', enumerable: true })
    const explained = explain({ items: [item], values: own, expected: '0'.repeat(40) })
    expect(explained).toMatchObject({ items: [{ name: item, value: 'x' }], matches: false })
  })

  it.each(['constructor', 'toString'])('takes no value from the prototype for an item named %s', item => {
    expect(() => explain({ items: [item], values: {} })).toThrow(named(item))
  })

  it.each([['email', { values: { ...values, email: undefined } }]])(
    'refuses %s that is not what it should be',
    (field, change) => {
      expect(() => explain({ expected: '0'.repeat(40), ...change })).toThrow(named(field))
    },
  )

  it.each([undefined, '', null, 1])('refuses a control key that is none: %o', controlKey => {
    expect(() => explain({ controlKey })).toThrow(expect.objectContaining({ code: 'ERR_INVALID_KEY' }))
  })
})

describe('explainSignature', () => {
  const request = {
    method: 'POST',
    url: new URL('https://gate.example/paynet/api/v2/payout/39'),
    parameters: [['a', '1']],
    authorization: 'OAuth oauth_nonce="n", oauth_signature="c2ln"',
  }
  const secrets = { consumerSecret: 'key' }
  const publicKey = importPublicKey(pem)
  const explain = (change: object) => explainSignature({ ...request, parameters: [['a', '1']], ...change })

  it.each(garbage)('takes what is no text for a signature that does not match: %o', expectedSignature => {
    const wanted = { signatureMatches: false, explanation: { mistake: 'no-signature' } }
    expect(explain({ expectedSignature, secrets })).toMatchObject(wanted)
    expect(explain({ expectedSignature, publicKey })).toMatchObject(wanted)
  })

  it.each(garbage)('takes what is no text for a base string that does not match: %o', expectedBaseString => {
    expect(explain({ expectedBaseString })).toMatchObject({ matches: false })
  })

  it.each([
    ['authorization', { authorization: undefined }],
    ['authorization', { authorization: ['OAuth a="b"'] }],
    ['method', { method: undefined }],
    ['method', { method: '' }],
    ['url', { url: 'https://gate.example/' }],
    ['url', { url: undefined }],
    ['parameters', { parameters: null }],
    ['mask', { mask: 'card' }],
    ['mask', { mask: () => undefined }],
    ['secrets.consumerSecret', { secrets: { consumerSecret: undefined } }],
    ['secrets.consumerSecret', { secrets: { consumerSecret: '' } }],
    ['secrets.consumerSecret', { secrets: {} }],
    ['secrets.consumerSecret', { secrets: 'key' }],
    ['secrets.consumerSecret', { secrets: null }],
    ['publicKey', { publicKey: createPublicKey(pem) }],
    ['publicKey', { publicKey: pem }],
    ['publicKey', { publicKey: null }],
    ['publicKey', { publicKey: { ...publicKey, key: pem } }],
  ])('refuses %s that is not what it should be', (field, change) => {
    expect(() => explain(change)).toThrow(named(field))
  })

  it('shows no secret in an error', () => {
    expect(() => explain({ secrets: { consumerSecret: ['B17F59B4'] } })).toThrow(/^(?!.*B17F59B4)/)
  })
})
