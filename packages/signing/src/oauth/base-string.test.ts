import { describe, expect, it } from 'vitest'
import { baseStringUri, joinInOrder, normalizeParameters, orderNames } from './base-string.js'

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

describe('baseStringUri', () => {
  it('keeps a path prefix, a trailing slash and an escaped slash', () => {
    expect(baseStringUri(new URL('https://gate.example/paynet/a%2Fb/'))).toBe('https://gate.example/paynet/a%2Fb/')
  })

  it('keeps the brackets of an IPv6 address and the port', () => {
    expect(baseStringUri(new URL('http://[::1]:8080/a'))).toBe('http://[::1]:8080/a')
  })

  it('leaves out a user name and a password', () => {
    expect(baseStringUri(new URL('https://user:word@gate.example/'))).toBe('https://gate.example/')
  })

  it('refuses another scheme', () => {
    expect(() => baseStringUri(new URL('ftp://gate.example/'))).toThrow(expect.objectContaining({ field: 'url' }))
  })
})

// Encoded and sorted as RFC 5849 section 3.4.1.3.2 says, and encoded once more, section 3.4.1.1.
describe('names in a known order', () => {
  const order = orderNames(['c@', 'a']) ?? []

  it('are encoded and sorted once', () => {
    expect(order).toEqual([
      { name: 'a', at: 1, start: '%26a%3D' },
      { name: 'c@', at: 0, start: '%26c%2540%3D' },
    ])
  })

  it('are joined with other values', () => {
    const joined = joinInOrder(order, [
      ['c@', ''],
      ['a', 'r b'],
    ])
    expect(joined).toBe('a%3Dr%2520b%26c%2540%3D')
  })

  it.each([
    ['fewer', [['a', '1']]],
    [
      'other names',
      [
        ['c@', '1'],
        ['b', '1'],
      ],
    ],
    ['text', ['c@', 'a1']],
    [
      'one more',
      [
        ['c@', '1'],
        ['a', '1'],
        ['b', '1'],
      ],
    ],
  ])('are not joined where the parameters are %s', (_what, parameters) => {
    expect(joinInOrder(order, parameters as never)).toBeUndefined()
  })
})
