import { describe, expect, it } from 'vitest'
import published from '../../test/vectors/iso-4217.json' with { type: 'json' }
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

describe('ISO 4217 list one, as published on 25 June 2024', () => {
  const list = Object.entries(published.codesByMinorUnits).flatMap(([units, codes]) =>
    codes.split(' ').map(code => [code, units] as const),
  )
  // Amended since: XCG took the place of ANG on 31 March 2025, and BGN ended with 2025.
  const ended = ['ANG', 'BGN']

  it('has the same digits for every code with a minor unit that has not ended', () => {
    const current = list.filter(([code, units]) => units !== 'N.A.' && !ended.includes(code))
    expect(current.map(([code]) => [code, currencyDigits(code)])).toEqual(
      current.map(([code, units]) => [code, Number(units)]),
    )
  })

  it('has every code that is known here but XCG, and others only without a minor unit or ended', () => {
    const listed = new Set(list.map(([code]) => code))
    expect(currencyCodes.filter(code => !listed.has(code))).toEqual(['XCG'])
    const unknown = list.filter(([code]) => currencyDigits(code) === undefined)
    expect(unknown.filter(([, units]) => units !== 'N.A.').map(([code]) => code)).toEqual(ended)
  })
})

describe('the currencies of this Node.js, which are those of CLDR', () => {
  const known = Intl.supportedValuesOf('currency')
  const digits = (currency: string) =>
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits

  it('are known here, but for those that ended and units of account', () => {
    const others = ['ANG', 'BGN', 'HRK', 'SLL', 'XDR', 'XSU', 'ZWL']
    expect(known.filter(code => currencyDigits(code) === undefined && !others.includes(code))).toEqual([])
  })

  it('lack nothing that is known here but funds and accounting units', () => {
    const funds = ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'VED']
    // Younger than some releases of CLDR.
    const young = ['SLE', 'XCG', 'ZWG']
    expect(currencyCodes.filter(code => !known.includes(code) && ![...funds, ...young].includes(code))).toEqual([])
  })

  it('have the same digits, but where CLDR counts the coins in use and not the minor unit', () => {
    const coins = 'AFN ALL COP HUF IDR IQD IRR KPW LAK LBP MGA MMK PKR RSD SOS SYP YER'.split(' ')
    const different = currencyCodes.filter(code => known.includes(code) && digits(code) !== currencyDigits(code))
    expect(different.filter(code => !coins.includes(code))).toEqual([])
    expect(different.every(code => digits(code) === 0)).toBe(true)
  })
})
