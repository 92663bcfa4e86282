import { describe, expect, it } from 'vitest'
import { compareAmounts, sameAmount } from './compare-amounts.js'

describe('compareAmounts', () => {
  it.each([
    ['10.5', '10.50', 0],
    ['10', '10.00', 0],
    ['010.', '10', 0],
    ['0', '-0.00', 0],
    ['9', '10', -1],
    ['-1', '1', -1],
    ['10.01', '10.009', 1],
    ['9007199254740993', '9007199254740992', 1],
  ])('compares %s with %s', (a, b, expected) => {
    expect(compareAmounts(a, b)).toBe(expected)
  })

  it.each(['', 'abc', '1e3', '1,5', '.', '0x10', '1 0', '9'.repeat(65)])('refuses %j', text => {
    expect(() => compareAmounts('1', text)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_INPUT' }))
  })
})

describe('sameAmount', () => {
  it('ignores zeros at the end', () => {
    expect(sameAmount('10.5', '10.500')).toBe(true)
    expect(sameAmount('10.5', '10.05')).toBe(false)
  })

  it('finds text that is no amount unlike anything, itself included', () => {
    expect(sameAmount('abc', 'abc')).toBe(false)
    expect(sameAmount(10 as never, 10 as never)).toBe(false)
  })
})
