import { describe, expect, it } from 'vitest'
import { decodeForm, encodeForm, normalizeParameters } from './request-parameters.js'

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

describe('normalizeParameters', () => {
  it('covers a form field that is named realm', () => {
    expect(normalizeParameters(new URL('https://a.example/'), [['realm', 'x']])).toBe('realm=x')
  })

  it('keeps a parameter that is there twice with the same value', () => {
    expect(normalizeParameters(new URL('https://a.example/?a=1'), [['a', '1']])).toBe('a=1&a=1')
  })

  it.each([undefined, null, 10.5, Number.NaN, 2 ** 53, ['1'], {}])(
    'refuses the value %s instead of signing its name',
    value => {
      const parameters = [['amount', value as never]] as const
      expect(() => normalizeParameters(new URL('https://a.example/'), parameters)).toThrow(
        expect.objectContaining({ field: 'amount' }),
      )
    },
  )

  it('does not change the list it is given', () => {
    const parameters = [
      ['b', '1'],
      ['a', '1'],
    ] as const
    normalizeParameters(new URL('https://a.example/'), parameters)
    expect(parameters).toEqual([
      ['b', '1'],
      ['a', '1'],
    ])
  })
})
