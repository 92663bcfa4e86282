/** Rules that hold for every input, tried on many. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  controlItems,
  controlString,
  controlValue,
  decodeForm,
  encodeForm,
  fromMinorUnits,
  hmacSha1Signer,
  importPrivateKey,
  importPublicKey,
  normalizeParameters,
  parseAuthorizationHeader,
  percentEncode,
  rsaSha256Signer,
  sameAmount,
  toMinorUnits,
  verifyAuthorization,
  verifyControlValue,
} from '../src/index.js'
import { compareAnyRequest } from './compare-any-request.js'
import { headerOf } from './header-of.js'

const read = (name: string): string => readFileSync(new URL(`vectors/${name}`, import.meta.url), 'utf8')
const text = fc.string({ unit: 'grapheme' }).filter(candidate => !/\p{Surrogate}/u.test(candidate))
const parameter = fc.tuple(
  text.filter(name => name !== '' && !name.startsWith('oauth_')),
  text,
)
const parameters = fc.array(parameter, { maxLength: 8 })
const filled = fc.string({ minLength: 1 })
const sale = fc.record({ endpointId: filled, clientOrderId: filled, amount: fc.nat().map(String), email: filled })
const url = new URL('https://gate.example/paynet/api/v2/payout/39')

compareAnyRequest({ numRuns: 60, seed: 5849 })

describe('percentEncode', () => {
  it('comes back through decodeURIComponent and gives unreserved characters and escapes only', () => {
    fc.assert(
      fc.property(text, original => {
        const encoded = percentEncode(original)
        expect(decodeURIComponent(encoded)).toBe(original)
        expect(encoded).toMatch(/^([A-Za-z0-9\-._~]|%[0-9A-F]{2})*$/)
      }),
    )
  })

  it('leaves unreserved text alone', () => {
    fc.assert(fc.property(fc.stringMatching(/^[A-Za-z0-9\-._~]*$/), plain => percentEncode(plain) === plain))
  })
})

describe('decodeForm', () => {
  it('reads what encodeForm wrote', () => {
    fc.assert(
      fc.property(parameters, pairs => {
        expect(decodeForm(encodeForm(pairs))).toEqual(pairs)
      }),
    )
  })

  it('agrees with URLSearchParams, which other people wrote', () => {
    fc.assert(
      fc.property(parameters, pairs => {
        const written = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString()
        expect(decodeForm(written)).toEqual(pairs)
      }),
    )
  })
})

describe('normalizeParameters', () => {
  it('does not depend on the order of the parameters', () => {
    const shuffled = parameters.chain(pairs =>
      fc.tuple(fc.constant(pairs), fc.shuffledSubarray(pairs, { minLength: pairs.length })),
    )
    fc.assert(
      fc.property(shuffled, ([pairs, other]) => normalizeParameters(url, pairs) === normalizeParameters(url, other)),
    )
  })
})

describe('controlString', () => {
  it('changes with any change of an item', () => {
    const change = fc.tuple(sale, fc.constantFrom(...controlItems.sale), fc.nat().map(String))
    fc.assert(
      fc.property(change, ([values, item, other]) => {
        fc.pre(values[item] !== other)
        const changed = { ...values, [item]: other }
        expect(controlString(controlItems.sale, changed, 'k')).not.toBe(controlString(controlItems.sale, values, 'k'))
      }),
    )
  })

  // The known weakness of section 5.1: items are joined without a separator.
  it('does not change when a character moves across the border of two items', () => {
    const before = { endpointId: '1', clientOrderId: '23', amount: '1000', email: 'a@b.c' }
    const after = { ...before, endpointId: '12', clientOrderId: '3' }
    expect(controlString(controlItems.sale, after, 'k')).toBe(controlString(controlItems.sale, before, 'k'))
  })
})

describe('verifyControlValue', () => {
  it('verifies every control value, and refuses it under any other key', () => {
    fc.assert(
      fc.property(sale, filled, filled, (values, key, other) => {
        fc.pre(key !== other)
        const items = controlItems.sale
        const received = controlValue(items, values, key)
        expect(verifyControlValue({ items, values, received, controlKeys: [other, key] })).toEqual({
          kind: 'verified',
          keyLabel: 'key 2',
        })
        expect(verifyControlValue({ items, values, received, controlKeys: other }).kind).toBe('refused')
      }),
    )
  })

  it('refuses anything else that is received, and never throws', () => {
    const values = { status: 'approved', orderId: '1', merchantOrderId: 'a' }
    fc.assert(
      fc.property(fc.anything(), garbage => {
        const received = garbage as string
        expect(verifyControlValue({ items: controlItems.callback, values, received, controlKeys: 'k' }).kind).toBe(
          'refused',
        )
      }),
    )
  })
})

describe('verifyAuthorization', () => {
  const signers = {
    'HMAC-SHA1': hmacSha1Signer({ consumerSecret: 'key & more' }),
    'RSA-SHA256': rsaSha256Signer(importPrivateKey(read('rsa-test-key.pem'))),
  }
  const keys = {
    hmacSecrets: 'key & more',
    publicKeys: [{ label: 'test', key: importPublicKey(read('rsa-test-public.pem')).key }],
  }
  const policy = { now: 1000, windowSeconds: 0 }

  it.each(['HMAC-SHA1', 'RSA-SHA256'] as const)(
    'verifies what is signed with %s and refuses it when altered',
    async method => {
      await fc.assert(
        fc.asyncProperty(parameters, filled, parameter, async (pairs, nonce, extra) => {
          const signer = signers[method]
          const signed = { url, parameters: pairs, consumerKey: 'merchant', signer, timestamp: 1000, nonce }
          const authorization = await headerOf(signed)
          const request = { method: 'POST', url, parameters: pairs, authorization, keys, policy }
          expect(await verifyAuthorization(request)).toMatchObject({ kind: 'verified', method, nonce })
          const altered = { ...request, parameters: [...pairs, extra] }
          expect(await verifyAuthorization(altered)).toMatchObject({ kind: 'refused', reason: 'mismatch' })
        }),
        { numRuns: 50 },
      )
    },
  )

  it('refuses any other header, and never throws', async () => {
    const header = fc.oneof(
      fc.anything(),
      fc.string().map(rest => `OAuth ${rest}`),
      fc.string().map(value => `OAuth oauth_nonce="${value}"`),
    )
    await fc.assert(
      fc.asyncProperty(header, async garbage => {
        const request = { method: 'POST', url, parameters: [], authorization: garbage as string, keys, policy }
        expect((await verifyAuthorization(request)).kind).toBe('refused')
      }),
    )
  })
})

describe('parseAuthorizationHeader', () => {
  it('reads what a request signer wrote', async () => {
    await fc.assert(
      fc.asyncProperty(filled, text, async (nonce, realm) => {
        const signer = hmacSha1Signer({ consumerSecret: 'key' })
        const options = { url, parameters: [], consumerKey: 'm', signer, timestamp: 1, nonce, realm }
        const parsed = parseAuthorizationHeader(await headerOf(options))
        expect(parsed?.realm).toBe(realm)
        expect(parsed?.parameters).toContainEqual(['oauth_nonce', nonce])
      }),
    )
  })
})

describe('amounts', () => {
  it('come back from minor units', () => {
    const minor = fc.bigInt({ min: 0n, max: 999_999_999_999_999n })
    fc.assert(
      fc.property(minor, fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF'), (units, currency) => {
        const amount = fromMinorUnits(units, currency)
        expect(toMinorUnits(amount, currency)).toBe(units.toString())
        expect(sameAmount(amount, amount.includes('.') ? `${amount}0` : `${amount}.0`)).toBe(true)
      }),
    )
  })
})
