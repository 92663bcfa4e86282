import { describe, expect, it } from 'vitest'
import { decodeForm, encodeForm, pairsOf, parameterText, percentEncode } from './encoding.js'

describe('parameterText', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [false, 'false'],
    [true, 'true'],
    [12n, '12'],
    [9007199254740991, '9007199254740991'],
    ['', ''],
  ])('writes %s as %j', (value, text) => {
    expect(parameterText('a', value)).toBe(text)
  })

  it.each([
    [null, 'is null'],
    [undefined, 'is undefined'],
    [10.5, 'of type number'],
    [Number.NaN, 'of type number'],
    [9007199254740992, 'of type number'],
    [['1', '2'], 'repeat the pair'],
    [new Date(0), 'of type object'],
  ])('refuses %s and names the parameter', (value, text) => {
    expect(() => parameterText('note', value)).toThrow(
      expect.objectContaining({ field: 'note', message: expect.stringContaining(text) }),
    )
  })
})

describe('pairsOf', () => {
  it('keeps repeated names of a list and of URLSearchParams', () => {
    const pairs = [
      ['a', '2'],
      ['a', '1'],
    ] as const
    expect(pairsOf(pairs)).toBe(pairs)
    expect(pairsOf(new URLSearchParams('a=2&a=1'))).toEqual(pairs)
  })

  it('takes __proto__ of parsed JSON for a name like any other', () => {
    expect(pairsOf(JSON.parse('{"__proto__": "1"}'))).toEqual([['__proto__', '1']])
  })

  it.each(['a=1', undefined, null, 7])('refuses %j', input => {
    expect(() => pairsOf(input as never)).toThrow(expect.objectContaining({ field: 'parameters' }))
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

  it('encodes names, and gives nothing for no fields', () => {
    expect(encodeForm([['a b&=é', 'thank you! é']])).toBe('a%20b%26%3D%C3%A9=thank%20you%21%20%C3%A9')
    expect(encodeForm([])).toBe('')
  })

  it('names the parameter that holds half of a surrogate pair', () => {
    expect(() => encodeForm([['x\ud83d', 'a']])).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_INPUT', field: 'x\ud83d' }),
    )
    expect(() => encodeForm([['order_desc', '\udc00']])).toThrow(expect.objectContaining({ field: 'order_desc' }))
  })
})

// RFC 3986 section 2.3.
const unreserved = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'

describe('percentEncode', () => {
  it('encodes each ASCII character that is reserved, whether it stands alone or with others', () => {
    for (let code = 0; code < 128; code++) {
      const character = String.fromCharCode(code)
      const expected = unreserved.includes(character)
        ? character
        : `%${Buffer.from(character).toString('hex').toUpperCase()}`
      expect([percentEncode(character), percentEncode(`${character} a`)]).toEqual([expected, `${expected}%20a`])
    }
  })

  it('encodes a percent sign, so that encoding twice differs from encoding once', () => {
    expect(percentEncode(percentEncode(' '))).toBe('%2520')
  })

  it.each(['\ud83d', '\udeb2', 'a\ud83db'])('refuses half of a surrogate pair in %j', text => {
    expect(() => percentEncode(text)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_INPUT' }))
  })
})
