/**
 * How much an explanation that finds nothing digests, at most. Counted, not timed: a count is the same on every machine. One
 * SHA-1 of a short text takes half a microsecond, one HMAC four times as long; `pnpm bench` measures the time.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { explainControl, explainSignature } from '../src/explain/index.js'
import { controlItems } from '../src/index.js'

const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
const expected = '0'.repeat(40)

const counted = ['hash', 'createHash', 'createHmac'] as const
let digests = 0
beforeEach(() => {
  digests = 0
  for (const name of counted) {
    const original = crypto[name] as (...given: unknown[]) => unknown
    vi.spyOn(crypto, name).mockImplementation((...given: unknown[]) => {
      digests += 1
      return original(...given) as never
    })
  }
  syncBuiltinESMExports()
})
afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

describe('a control value that no mistake makes', () => {
  const ids = Array.from({ length: 500 }, (_, index) => String(1_000_000 + index))
  const known = { endpointId: ['39'], login: ['merchant'], currency: ['EUR'] }
  const candidates = { ...known, clientOrderId: ids, orderId: ids, amount: ids, email: ids, cardRefId: ids }
  const longest = { endpointId: '39', clientOrderId: 'o'.repeat(54), amount: '1042', email: 'e'.repeat(60) }

  it.each([
    ['usual', { ...longest, clientOrderId: 'order-7', email: 'john.smith@gmail.com' }],
    ['long', longest],
    ['longer', { ...longest, email: 'e'.repeat(200) }],
  ])('takes a bounded number of digests: %s', (_title, values) => {
    const { explanation } = explainControl({ items: controlItems.sale, values, controlKey, expected, candidates })
    expect(explanation).toBeUndefined()
    expect(digests).toBeGreaterThan(1_000)
    expect(digests).toBeLessThan(10_000)
  })
})

describe('an HMAC-SHA1 signature that no mistake makes', () => {
  const authorization =
    'OAuth oauth_consumer_key="merchant", oauth_nonce="n", oauth_signature_method="HMAC-SHA1", ' +
    `oauth_timestamp="1669966913", oauth_version="1.0", oauth_signature="${'A'.repeat(27)}%3D"`

  it.each([12, 100, 130, 200, 1000])('takes fewer than a thousand digests: %i parameters', count => {
    const { signatureMatches, explanation } = explainSignature({
      method: 'POST',
      url: new URL('https://gate.example/paynet/api/v2/payout/39'),
      parameters: Array.from({ length: count }, (_, place) => [`field${place}`, 'é'] as const),
      authorization,
      secrets: { consumerSecret: controlKey },
    })
    expect([signatureMatches, explanation]).toEqual([false, undefined])
    expect(digests).toBeGreaterThan(20)
    expect(digests).toBeLessThan(1000)
  })
})
