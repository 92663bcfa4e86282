import { describe, expect, it } from 'vitest'
import published from '../test/vectors/iso-4217.json' with { type: 'json' }
import { compareAmounts, currencyCodes, currencyDigits, fromMinorUnits, sameAmount, toMinorUnits } from './money.js'

describe('toMinorUnits', () => {
  // 0.94, 10.15 and 10.42 are the gateway's own examples; the others follow from ISO 4217.
  it.each([
    ['10.42', 'EUR', '1042'],
    ['10.15', 'USD', '1015'],
    ['0.94', 'EUR', '94'],
    ['0.00', 'EUR', '0'],
    ['0.29', 'EUR', '29'],
    ['1000', 'JPY', '1000'],
    ['0', 'JPY', '0'],
    ['1.250', 'KWD', '1250'],
    ['0.0001', 'UYW', '1'],
    ['9999999999999.99', 'EUR', '999999999999999'],
  ])('makes %s %s %s', (amount, currency, expected) => {
    expect(toMinorUnits(amount, currency)).toBe(expected)
  })

  it.each([
    ['1000', 'JPY', '100000'],
    ['10.42', 'EUR', '1042'],
    ['1.250', 'KWD', '125'],
    ['0', 'JPY', '0'],
  ])('makes %s %s %s when hundredths are counted', (amount, currency, expected) => {
    expect(toMinorUnits(amount, currency, 'hundredths')).toBe(expected)
  })

  it('refuses digits that do not fit into hundredths', () => {
    expect(() => toMinorUnits('1.255', 'KWD', 'hundredths')).toThrow(
      expect.objectContaining({ field: 'amount', message: expect.stringContaining('hundredths') }),
    )
  })

  it.each([
    '10',
    '10.0',
    '10.000',
    '10.',
    '.10',
    '010.00',
    '-1.00',
    '+1.00',
    '1e2',
    '1,00',
    '1 000.00',
    '',
    ' 1.00',
    '1.00\n',
    '١.٠٠',
    'NaN',
  ])('refuses %j EUR and shows what is right', amount => {
    expect(() => toMinorUnits(amount, 'EUR')).toThrow(/'10\.00' \(EUR\)/)
  })

  // What String() makes of each in Node.js: ECMA-262, Number::toString.
  it.each([19.99 * 100, 0.1 + 0.2, 1.1 * 3 - 3.3, 4.35 * 100 * 1e20].map(String))(
    'refuses %j, and says how to calculate',
    amount => {
      expect(() => toMinorUnits(amount, 'EUR')).toThrow(
        /calculate in whole minor units.*fromMinorUnits\('1999', 'EUR'\)/,
      )
    },
  )

  it('speaks of no calculation where none shows', () => {
    expect(() => toMinorUnits('10.5', 'EUR')).toThrow(/separators\.$/)
  })

  it('shows what is right for each number of digits', () => {
    expect(() => toMinorUnits('10.00', 'JPY')).toThrow(/'1000' \(JPY\)/)
    expect(() => toMinorUnits('10.00', 'KWD')).toThrow(/'10\.000' \(KWD\)/)
  })

  it('refuses more than fifteen digits', () => {
    expect(() => toMinorUnits('12345678901234.00', 'EUR')).toThrow(expect.objectContaining({ field: 'amount' }))
  })

  it.each([10.42, 10n, null, undefined, ['10.00']])('refuses %s, which is no string', amount => {
    expect(() => toMinorUnits(amount as never, 'EUR')).toThrow(
      expect.objectContaining({ field: 'amount', message: expect.stringMatching(/Write it as a string, '10\.00'/) }),
    )
  })

  it('refuses a point with nothing behind it, where the currency has no fraction', () => {
    expect(() => toMinorUnits('1000.', 'JPY')).toThrow(expect.objectContaining({ field: 'amount' }))
  })

  // Of rupiah ISO 4217 counts hundredths; the digits of the others are what a gateway would have stated.
  it.each([
    ['10000000', 'IDR', { IDR: 0 }, '10000000'],
    ['10.500000', 'USDT', { USDT: 6 }, '10500000'],
    ['10.42', 'RUR', { RUR: 2 }, '1042'],
    ['10.42', 'EUR', { IDR: 0 }, '1042'],
  ])('makes %s %s %s with the digits of one’s own %j', (amount, currency, own, expected) => {
    expect(toMinorUnits(amount, currency, 'iso-4217', own)).toBe(expected)
    expect(fromMinorUnits(expected, currency, 'iso-4217', own)).toBe(amount)
  })

  it('counts hundredths of a currency with digits of one’s own', () => {
    expect(toMinorUnits('10000000', 'IDR', 'hundredths', { IDR: 0 })).toBe('1000000000')
    expect(fromMinorUnits('1000000000', 'IDR', 'hundredths', { IDR: 0 })).toBe('10000000')
  })

  it('asks for the digits that were declared', () => {
    expect(() => toMinorUnits('10.00', 'IDR', 'iso-4217', { IDR: 0 })).toThrow(/'1000' \(IDR\)/)
  })

  it('says how to declare the digits of a code that ISO 4217 does not have', () => {
    expect(() => toMinorUnits('10.00', 'USDT')).toThrow(/declare its digits: defineProfile\({ currencyDigits }\)/)
    expect(() => toMinorUnits('10.00', 'usdt', 'iso-4217', { USDT: 2 })).toThrow(/Write "USDT"/)
    expect(() => toMinorUnits('10.00', 'toString', 'iso-4217', {})).toThrow('no known code')
  })

  it('refuses an unknown currency', () => {
    expect(() => toMinorUnits('10.00', 'EUC')).toThrow(expect.objectContaining({ field: 'currency' }))
    expect(() => toMinorUnits('10.00', undefined as never)).toThrow(expect.objectContaining({ field: 'currency' }))
  })

  it('says how to write a currency in lower case', () => {
    expect(() => toMinorUnits('10.00', 'eur')).toThrow(/Write "EUR"/)
    expect(() => toMinorUnits('10.00', ' eur ')).toThrow(/Write "EUR"/)
    expect(() => toMinorUnits('10.00', 7 as never)).toThrow(/"currency" is of type number.*declare its digits/)
  })
})

describe('fromMinorUnits', () => {
  it.each([
    ['1042', 'EUR', '10.42'],
    ['5', 'EUR', '0.05'],
    ['0', 'EUR', '0.00'],
    ['1000', 'JPY', '1000'],
    [1250n, 'KWD', '1.250'],
    ['999999999999999', 'EUR', '9999999999999.99'],
  ] as const)('makes %s %s %s', (minor, currency, expected) => {
    expect(fromMinorUnits(minor, currency)).toBe(expected)
  })

  it.each([
    ['100000', 'JPY', '1000'],
    ['125', 'KWD', '1.250'],
  ])('makes %s %s %s when hundredths are counted', (minor, currency, expected) => {
    expect(fromMinorUnits(minor, currency, 'hundredths')).toBe(expected)
  })

  it('refuses hundredths the currency does not have', () => {
    expect(() => fromMinorUnits('100050', 'JPY', 'hundredths')).toThrow(
      expect.objectContaining({ field: 'minor', message: expect.stringContaining('no such fraction') }),
    )
  })

  // Fifteen digits are the most: a sixteenth does not fit into a number.
  it.each([1042, '10.42', '-1', '01', '', -1n, null, '1000000000000000'])('refuses %s', minor => {
    expect(() => fromMinorUnits(minor as string, 'EUR')).toThrow(
      expect.objectContaining({
        field: 'minor',
        message: expect.stringMatching(/a whole number of minor units .* 15 digits: 10\.42 EUR is "1042"\.$/),
      }),
    )
  })
})

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
    [' 10.00 ', '10', 0],
    ['9'.repeat(64), '9'.repeat(64), 0],
  ])('compares %s with %s', (a, b, expected) => {
    expect(compareAmounts(a, b)).toBe(expected)
  })

  it.each(['', 'abc', '1e3', '1,5', '.', '0x10', '1 0', '9'.repeat(65)])('refuses %j', text => {
    const refused = expect.objectContaining({ code: 'ERR_INVALID_INPUT', field: 'amount' })
    expect(() => compareAmounts('1', text)).toThrow(refused)
    expect(() => compareAmounts(text, '1')).toThrow(refused)
  })

  it('names the one that is no amount', () => {
    expect(() => compareAmounts('1', 'abc')).toThrow(/^"amount" is "abc" and not an amount/)
    expect(() => compareAmounts('abc', '1')).toThrow(/^"amount" is "abc" and not an amount/)
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
