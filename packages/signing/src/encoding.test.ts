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
    [
      ['1', '2'],
      'Parameter "note" is a list, which has no one spelling. Write a string, or leave it out; repeat the pair',
    ],
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

  it.each([
    ['a=1', '"a=1"'],
    [undefined, 'undefined'],
    [null, 'null'],
    [7, 'of type number'],
  ])('refuses %j', (input, shown) => {
    const message = expect.stringMatching(`^"parameters" is ${shown}\\. Pass a list of \\[name, value\\] pairs`)
    expect(() => pairsOf(input as never)).toThrow(expect.objectContaining({ field: 'parameters', message }))
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

  it('takes + for a space, and an escape for its bytes: RFC 5849 section 3.4.1.3.1', () => {
    expect(decodeForm('b5=%3D%253D&a3=a&c%40=&a2=r+b&c2')).toEqual([
      ['b5', '=%3D'],
      ['a3', 'a'],
      ['c@', ''],
      ['a2', 'r b'],
      ['c2', ''],
    ])
  })

  it.each([
    ['a=%', 'the value of "a"'],
    ['a=%4', 'the value of "a"'],
    ['a=%zz', 'the value of "a"'],
    ['%E0=1', 'a parameter name'],
    ['a=%C3', 'the value of "a"'],
    ['a=%FF', 'the value of "a"'],
  ])('refuses %j without showing the value', (text, place) => {
    const message = `Cannot decode ${place}: it holds a "%" that does not start a UTF-8 escape. Write a literal "%" as "%25".`
    const cause = expect.any(URIError)
    expect(() => decodeForm(text)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_INPUT', field: 'form', message, cause }),
    )
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

  it.each([
    ['a=1', 'An entry of "parameters" is "a=1" and not a pair.'],
    [[7, '1'], 'The name of a parameter is of type number; it must be a string.'],
  ])('refuses the entry %j', (entry, text) => {
    const message = expect.stringContaining(text)
    expect(() => encodeForm([entry] as never)).toThrow(expect.objectContaining({ field: 'parameters', message }))
  })

  it('names the parameter that holds half of a surrogate pair', () => {
    expect(() => encodeForm([['x\ud83d', 'a']])).toThrow(
      expect.objectContaining({
        code: 'ERR_INVALID_INPUT',
        field: 'x\ud83d',
        message: expect.stringMatching(
          /^Parameter "x\\ud83d": Text holds half of a surrogate pair: .* Cut by code point\.$/,
        ),
        cause: expect.any(URIError),
      }),
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
    const message = expect.stringMatching(/^Text holds half/)
    expect(() => percentEncode(text)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_INPUT', field: 'text', message }),
    )
  })

  it('refuses anything but text', () => {
    const message = '"text" is of type number; only text can be percent-encoded.'
    expect(() => percentEncode(7 as never)).toThrow(expect.objectContaining({ field: 'text', message }))
  })
})
