/** Every classic mistake in a control value is named, for any items, or one that makes the very same text. */
import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ControlMade } from '../src/explain/control/candidate.js'
import { controlMistakes } from '../src/explain/control/mistakes.js'
import { explainControl } from '../src/explain/index.js'
import { controlItems } from '../src/index.js'

interface Sale {
  readonly endpointId: string
  readonly clientOrderId: string
  readonly amount: string
  readonly email: string
}

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')

/** The whole text the other side digests, by the row of the table that should be named. */
const mistakes: Readonly<Record<string, (sale: Sale, key: string) => string>> = {
  'amount-form': ({ endpointId, clientOrderId, amount, email }, key) =>
    `${endpointId}${clientOrderId}${amount.slice(0, -2)}.${amount.slice(-2)}${email}${key}`,
  'item-left-out': ({ endpointId, clientOrderId, amount }, key) => endpointId + clientOrderId + amount + key,
  'white-space-or-case': ({ endpointId, clientOrderId, amount, email }, key) =>
    endpointId + clientOrderId + amount + email.toUpperCase() + key,
  key: sale => Object.values(sale).join(''),
  order: ({ endpointId, clientOrderId, amount, email }, key) => clientOrderId + endpointId + email + amount + key,
  separator: (sale, key) => [...Object.values(sale), key].join('|'),
  'item-encoding': ({ endpointId, clientOrderId, amount, email }, key) =>
    endpointId + clientOrderId + amount + encodeURIComponent(email) + key,
  'whole-text': (sale, key) => Object.values(sale).join('').toUpperCase() + key.toUpperCase(),
  'one-character': ({ endpointId, clientOrderId, amount, email }, key) =>
    `${endpointId}${clientOrderId.slice(0, -1)}${amount}${email}${key}`,
}

const sale: fc.Arbitrary<Sale> = fc.record({
  endpointId: fc.nat({ max: 99999 }).map(String),
  clientOrderId: fc.stringMatching(/^[a-z0-9-]{1,12}$/),
  amount: fc.integer({ min: 100, max: 999999 }).map(String),
  email: fc.stringMatching(/^[a-z+.]{1,8}@[a-z]{1,8}\.[a-z]{2,3}$/),
})
const controlKey = fc.uuid()

/** One example of each row, written by hand: the items, and the digest of the other side over them. */
const examples: Readonly<
  Record<string, readonly [items: Readonly<Record<string, string>>, theirs: string, more?: object]>
> = {
  'another-value': [{ a: 'x', b: 'yy' }, sha1('xzzKEY'), { candidates: { b: ['z', 'zz'] } }],
  'item-left-out': [{ a: 'xx', b: 'yy' }, sha1('yyKEY')],
  'amount-and-currency': [{ a: 'x', amount: '1042', currency: 'EUR' }, sha1('xKEY')],
  'another-operation': [{ login: 'x', cardRefId: 'yyy' }, sha1('xoKEY'), { candidates: { clientOrderId: ['o'] } }],
  'amount-form': [{ a: 'x', amount: '1042' }, sha1('x10.42KEY')],
  'white-space-or-case': [{ a: 'x', b: 'yes' }, sha1('xyes\nKEY')],
  key: [{ a: 'x', b: 'yy' }, sha1('KEYxyy')],
  order: [{ a: 'xxx', b: 'yyy', c: 'zzz' }, sha1('zzzxxxyyyKEY')],
  separator: [{ a: 'xxx', b: 'yyy' }, sha1('xxx;yyy;KEY')],
  'empty-as-word': [{ a: 'x', b: '', c: 'z' }, sha1('xundefinedzKEY')],
  'item-encoding': [{ a: 'x', b: 'é@b' }, sha1('x%C3%A9%40bKEY')],
  'whole-text': [{ a: ' x', b: 'yy ' }, sha1('xyyKEY')],
  digest: [{ a: 'x', b: 'yy' }, createHmac('sha1', 'KEY').update('xyy').digest('hex')],
  currency: [{ a: 'x', currency: 'EUR' }, sha1('xKWDKEY')],
  'one-character': [{ a: 'order-1', b: 'y' }, sha1('odrer-1yKEY')],
  amount: [{ a: 'x', amount: '1042' }, sha1('x98700KEY')],
}

describe('each row of the table', () => {
  it('has an example', () => {
    expect(Object.keys(examples).sort()).toEqual(controlMistakes.map(({ mistake }) => mistake).sort())
  })

  it.each(Object.entries(examples))('is found: %s', (mistake, [values, expected, more]) => {
    const explained = explainControl({ items: Object.keys(values), values, controlKey: 'KEY', expected, ...more })
    expect(explained).toMatchObject({ matches: false, explanation: { mistake } })
  })
})

describe('explainControl', () => {
  it('names the mistake, or one that makes the very same text', () => {
    fc.assert(
      fc.property(sale, controlKey, fc.constantFrom(...Object.keys(mistakes)), (values, key, name) => {
        const theirs = mistakes[name]?.(values, key) ?? ''
        fc.pre(theirs !== Object.values(values).join('') + key)
        const items = controlItems.sale
        const explained = explainControl({ items, values, controlKey: key, expected: sha1(theirs) })
        const found = explained.explanation?.mistake
        if (found !== name) expect(namesOf(values, key, theirs)).toEqual(expect.arrayContaining([name, found]))
        expect(JSON.stringify(explained)).not.toContain(key)
      }),
      { numRuns: 500 },
    )
  })
})

function namesOf(values: Sale, controlKey: string, theirs: string): string[] {
  const items = controlItems.sale.map(name => ({ name, value: values[name] }))
  const made: ControlMade = { items, controlKey, candidates: {}, otherKeys: [] }
  return controlMistakes
    .filter(({ candidates }) => [...candidates(made)].some(([controlString]) => controlString === theirs))
    .map(({ mistake }) => mistake)
}
