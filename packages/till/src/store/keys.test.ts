import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  documentKey,
  merchantIdOf,
  nameOfAnother,
  orderIdFor,
  orderPlace,
  referenceProblem,
  unmatchedKey,
} from './keys.js'
import { checkKey } from './store.js'

const place = { name: 'shop', environment: 'test' } as const

/** References as a merchant may choose them. */
const reference = fc.stringMatching(/^[A-Za-z0-9._-]{1,100}$/).filter(text => !/\.\d+r$/i.test(text))
const attempt = fc.integer({ min: 1, max: 9_999 })

describe('orderPlace', () => {
  it.each([
    ['the first order of a payment', 'basket-7', { reference: 'basket-7', attempt: 1 }],
    ['the second', 'basket-7.2r', { reference: 'basket-7', attempt: 2 }],
    ['the tenth', 'basket-7.10r', { reference: 'basket-7', attempt: 10 }],
    ['a reference with dots in it', 'shop.2024.12.3r', { reference: 'shop.2024.12', attempt: 3 }],
    ['no first order with an ending', 'basket-7.1r', { reference: 'basket-7.1r', attempt: 1 }],
    ['no number with a nought before it', 'basket-7.02r', { reference: 'basket-7.02r', attempt: 1 }],
    ['no ending in capitals', 'basket-7.2R', { reference: 'basket-7.2R', attempt: 1 }],
    ['no ending without a reference', '.2r', { reference: '.2r', attempt: 1 }],
    ['the last of two endings only', 'basket-7.2r.3r', { reference: 'basket-7.2r', attempt: 3 }],
    ['another order of the same id', 'basket-7.2r~78', { reference: 'basket-7', attempt: 2 }],
    ['no other order where nothing is behind the sign', 'basket-7~', { reference: 'basket-7~', attempt: 1 }],
  ])('reads %s', (_, clientOrderId, expected) => {
    expect(orderPlace(clientOrderId)).toEqual(expected)
  })

  it('leads back from the id of every try at a payment', () => {
    fc.assert(
      fc.property(reference, attempt, (name, number) => {
        expect(orderPlace(orderIdFor({ reference: name, attempt: number }))).toEqual({
          reference: name,
          attempt: number,
        })
      }),
    )
  })

  it('leads from the name of another order of an id to that id and its payment', () => {
    fc.assert(
      fc.property(reference, attempt, fc.stringMatching(/^[A-Za-z0-9-]{1,30}$/), (name, number, orderId) => {
        const clientOrderId = orderIdFor({ reference: name, attempt: number })
        const another = nameOfAnother({ clientOrderId, orderId })
        expect([merchantIdOf(another), nameOfAnother({ clientOrderId: another, orderId })]).toEqual([
          clientOrderId,
          another,
        ])
        expect(orderPlace(another)).toEqual({ reference: name, attempt: number })
        // No merchant's id is such a name.
        expect(referenceProblem(another)).toMatch(/^it may have letters/)
      }),
    )
  })

  it('loses no character of any id', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a.2r~]{0,9}$/)), clientOrderId => {
        expect(orderIdFor(orderPlace(clientOrderId))).toBe(merchantIdOf(clientOrderId))
        if (!clientOrderId.includes('~')) expect(merchantIdOf(clientOrderId)).toBe(clientOrderId)
      }),
    )
  })
})

describe('referenceProblem', () => {
  it.each([
    ['a basket', 'basket-7'],
    ['a later order', 'basket-7.2r'],
    ['every character that is allowed', 'AZaz09._-'],
    ['100 characters', 'x'.repeat(100)],
    ['a later order of 100 characters', `${'x'.repeat(100)}.9999r`],
  ])('has none with %s', (_, clientOrderId) => {
    expect(referenceProblem(clientOrderId)).toBeUndefined()
  })

  it.each([
    ['nothing', ''],
    ['a blank', 'basket 7'],
    ['a line break at the end', 'basket-7\n'],
    ['a slash', 'basket/7'],
    ['a colon', 'basket:7'],
    ['a letter of another alphabet', 'kоrb-7'],
    ['101 characters', 'x'.repeat(101)],
    ['a later order of 101 characters', `${'x'.repeat(101)}.2r`],
    ['what looks like a later order and is none', 'basket-7.1r'],
    ['what looks like one in capitals', 'basket-7.2R'],
    ['what looks like one of the ten thousandth order', 'basket-7.10000r'],
    ['a later order of a later order', 'basket-7.2r.3r'],
  ])('refuses %s', (_, clientOrderId) => {
    expect(referenceProblem(clientOrderId)).toEqual(expect.any(String))
  })

  it.each([
    ['#1001', '1001'],
    ['SO/2026/1', 'SO-2026-1'],
    ['INV 7 / B', 'INV-7-B'],
  ])('says how to write the order number of a shop: %s', (orderNumber, written) => {
    expect(referenceProblem(orderNumber)).toContain(
      `; write "${orderNumber}" as "${written}" and every order number like`,
    )
    expect(referenceProblem(written)).toBeUndefined()
  })
})

describe('documentKey', () => {
  it('is one for all orders of a payment, also for references that differ in case only', () => {
    fc.assert(
      fc.property(reference, attempt, (name, number) => {
        const key = documentKey({ clientOrderId: name }, place)
        expect(documentKey({ clientOrderId: orderIdFor({ reference: name, attempt: number }) }, place)).toBe(key)
        expect(documentKey({ clientOrderId: name.toUpperCase() }, place)).toBe(
          documentKey({ clientOrderId: name.toLowerCase() }, place),
        )
      }),
    )
  })

  it('keeps apart whatever differs in more than case', () => {
    const names = fc.oneof(fc.string({ minLength: 1, maxLength: 6 }), fc.stringMatching(/^[a/%.2]{1,6}$/))
    const input = fc.record({
      reference,
      name: names,
      environment: fc.constantFrom('test' as const, 'production' as const),
    })
    const known = ({ reference: id, ...rest }: { readonly reference: string }) =>
      JSON.stringify({ ...rest, reference: id.toLowerCase() })
    fc.assert(
      fc.property(input, input, (one, other) => {
        const [key, otherKey] = [one, other].map(each => documentKey({ clientOrderId: each.reference }, each))
        expect(key === otherKey).toBe(known(one) === known(other))
      }),
    )
  })

  it('goes by the merchant’s order id, then by the gateway’s, then by the attempt', () => {
    const ids = { clientOrderId: 'x', orderId: 'x', attemptId: 'x' }
    const { clientOrderId: _, ...withoutOrder } = ids
    const keys = [ids, withoutOrder, { attemptId: 'x' }].map(each => documentKey(each, place))
    expect(new Set(keys).size).toBe(3)
    expect(documentKey({ ...ids, orderId: 'y', attemptId: 'y' }, place)).toBe(keys[0])
    expect(documentKey({ ...withoutOrder, attemptId: 'y' }, place)).toBe(keys[1])
  })

  it('does not depend on the address of the gateway or the order of fields', () => {
    expect(documentKey({ orderId: '77', clientOrderId: 'Basket-7.2r' }, { environment: 'test', name: 'shop' })).toBe(
      'payment/test/shop/basket-7',
    )
  })
})

describe('unmatchedKey', () => {
  const ids = { login: 'merchant', clientOrderId: 'basket-7', orderId: '77' }

  it('unmatchedKey: every store keeps it, whatever the ids are', () => {
    // `unit: 'binary'` of fast-check lists every code point before the first text.
    const anyText = fc
      .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 40 })
      .map(points => String.fromCodePoint(...points))
    const hostile = fc.oneof(
      anyText,
      anyText.map(text => text.repeat(200)),
      fc.constantFrom('', '..', '../../payment', '\0', '\ud800', '💶'.repeat(1_000), 'x'.repeat(60_000)),
    )
    fc.assert(
      fc.property(hostile, hostile, (clientOrderId, orderId) => {
        const key = unmatchedKey({ login: 'merchant', clientOrderId, orderId }, place)
        expect(() => checkKey(key)).not.toThrow()
        expect(key).toMatch(/^unmatched\/test\/shop\/[0-9a-f]{64}$/)
      }),
    )
  })

  it.each([
    ['merchant', { login: 'other' }, {}],
    ['order id of the merchant', { clientOrderId: 'basket-8' }, {}],
    ['order id of the gateway', { orderId: '78' }, {}],
    ['cut between the ids', { clientOrderId: 'basket-77', orderId: '7' }, {}],
    ['name', {}, { name: 'till' }],
    ['environment', {}, { environment: 'production' as const }],
  ])('is another one for another %s', (_, otherIds, otherPlace) => {
    expect(unmatchedKey({ ...ids, ...otherIds }, { ...place, ...otherPlace })).not.toBe(unmatchedKey(ids, place))
  })
})
