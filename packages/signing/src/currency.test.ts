import { describe, expect, it } from 'vitest'
import { currencyCodes, currencyDigits } from './currency.js'

describe('currencyDigits', () => {
  // ISO 4217 list one, 25 June 2024.
  it.each([
    ['EUR', 2],
    ['USD', 2],
    ['RUB', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['ISK', 0],
    ['UGX', 0],
    ['BHD', 3],
    ['KWD', 3],
    ['TND', 3],
    ['CLF', 4],
    ['UYW', 4],
    ['MGA', 2],
    ['MRU', 2],
  ])('gives %s %i digits', (code, digits) => {
    expect(currencyDigits(code)).toBe(digits)
  })

  it.each(['eur', 'XAU', 'XXX', 'XTS', 'DEM', 'HRK', '', '__proto__'])('does not know %j', code => {
    expect(currencyDigits(code)).toBeUndefined()
  })
})

describe('currencyCodes', () => {
  it('lists 165 different codes of three letters', () => {
    expect(new Set(currencyCodes).size).toBe(165)
    expect(currencyCodes.every(code => /^[A-Z]{3}$/.test(code))).toBe(true)
  })
})
