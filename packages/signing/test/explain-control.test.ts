/** Every classic mistake in a control value is named, for any items, or one that makes the very same text. */
import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { controlMistakes } from '../src/explain/control-mistakes.js'
import { explainControl } from '../src/explain/index.js'
import { nameAnyMistake } from './any-control-mistake.js'

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')

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
  digest: [{ a: 'x', b: 'yy' }, createHmac('sha1', 'KEY').update('xyy').digest('hex')],
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
  nameAnyMistake({ numRuns: 60, seed: 5849 })
})
