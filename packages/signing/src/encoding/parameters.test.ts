import { describe, expect, it } from 'vitest'
import { pairsOf, parameterText } from './parameters.js'

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
