import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeForm, encodeForm, formBody, formBodyField } from './form.js'

const bodyOf = (pairs: readonly (readonly [name: string, value: string])[]) =>
  formBody(
    pairs.map(([name]) => formBodyField(name)),
    pairs.map(([, value]) => value),
  )

describe('formBody', () => {
  it('encodes values behind what stands before them', () => {
    const body = bodyOf([
      ['client_orderid', '902B4FF5'],
      ['a b', 'thank you! é'],
    ])
    expect(String(body)).toBe('client_orderid=902B4FF5&a%20b=thank%20you%21%20%C3%A9')
  })

  it('gives no bytes for no fields', () => {
    expect(bodyOf([])).toHaveLength(0)
  })

  it('says the same as encodeForm', () => {
    const text = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), pairs => {
        expect(String(bodyOf(pairs))).toBe(encodeForm(pairs))
      }),
    )
  })

  it('leaves the bytes of an earlier form alone', () => {
    const first = bodyOf([['a', '1']])
    bodyOf([['b', '2']])
    expect(String(first)).toBe('a=1')
  })

  it('writes names as they are signed, percent-encoded', () => {
    expect(formBodyField('a b&=é')).toEqual({ name: 'a b&=é', head: '&a%20b%26%3D%C3%A9=' })
    expect(() => formBodyField('x\ud83d')).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_INPUT', field: 'x\ud83d' }),
    )
  })

  it('refuses half of a surrogate pair, and goes on with the next form', () => {
    expect(() => bodyOf([['a', 'x\ud83d']])).toThrow(expect.objectContaining({ code: 'ERR_INVALID_INPUT', field: 'a' }))
    expect(String(bodyOf([['b', '2']]))).toBe('b=2')
  })
})

describe('decodeForm', () => {
  it('keeps repeated names in their order', () => {
    expect(decodeForm('a=2&a=1')).toEqual([
      ['a', '2'],
      ['a', '1'],
    ])
  })

  it('ends a name at the first =', () => {
    expect(decodeForm('a=b=c')).toEqual([['a', 'b=c']])
  })

  it('skips empty pieces', () => {
    expect(decodeForm('&a=1&&')).toEqual([['a', '1']])
    expect(decodeForm('')).toEqual([])
  })

  it.each(['a=%', 'a=%4', 'a=%zz', '%E0=1', 'a=%C3', 'a=%FF'])('refuses %j without showing the value', text => {
    expect(() => decodeForm(text)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_INPUT', field: 'form' }))
  })
})

describe('encodeForm', () => {
  it('keeps the order and encodes a space as %20', () => {
    expect(
      encodeForm([
        ['b', 'x y'],
        ['a', '1+1=2&'],
      ]),
    ).toBe('b=x%20y&a=1%2B1%3D2%26')
  })

  it('names the parameter that holds half of a surrogate pair', () => {
    expect(() => encodeForm([['order_desc', '\udc00']])).toThrow(expect.objectContaining({ field: 'order_desc' }))
  })
})
