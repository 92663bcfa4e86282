import { currencyCodes, currencyDigits, toMinorUnits } from '@tillkit/signing'
import { describe, expect, it } from 'vitest'

import published from '../../../signing/test/vectors/iso-4217.json' with { type: 'json' }
import { readableDigits, readMinorUnits } from './amounts.js'
import { defaultProfile } from './profile.js'

const endedCurrencies = Object.keys(readableDigits(defaultProfile))

describe('a currency that has ended', () => {
  it('is one of those withdrawn since 2023', () => {
    expect(endedCurrencies.toSorted()).toEqual(['ANG', 'BGN', 'HRK', 'SLL', 'ZWL'])
  })

  it('is every one that ISO 4217 listed in June 2024 with a minor unit and that is not known any more', () => {
    const listed = Object.entries(published.codesByMinorUnits).flatMap(([units, codes]) =>
      units === 'N.A.' ? [] : codes.split(' '),
    )
    const gone = listed.filter(code => !currencyCodes.includes(code))
    expect(gone).toEqual(['ANG', 'BGN'])
    expect(gone.filter(code => !endedCurrencies.includes(code))).toEqual([])
  })

  it.each(['ANG', 'BGN', 'HRK', 'SLL', 'ZWL'])('has two digits, as it had while it was current: %s', code => {
    expect(currencyDigits(code, readableDigits(defaultProfile))).toBe(2)
    expect(readMinorUnits('10.5', code)).toBe(1050n)
    expect(() => readMinorUnits('10.505', code)).toThrow('cannot be read as money')
  })

  it.each(['ANG', 'BGN', 'HRK', 'SLL', 'ZWL'])('is not for new money: %s', code => {
    expect(currencyDigits(code)).toBeUndefined()
    expect(() => toMinorUnits('10.00', code)).toThrow('no known code')
  })

  it('is shown without a control character or a card number that the gateway sent', () => {
    const sent = ['10\u009b2J', 'EUR\u2028'] as const
    expect(() => readMinorUnits(...sent)).toThrow('the amount "10\\u009b2J" with the currency "EUR\\u2028"')
    expect(() => readMinorUnits('4444555566661111.5.5', 'EUR')).toThrow('"444455******1111.5.5"')
  })

  it('is not made up', () => {
    for (const code of ['DEM', 'bgn', 'XAU', '', '__proto__', 'constructor']) {
      expect(() => readMinorUnits('10.00', code)).toThrow('cannot be read as money')
    }
  })
})

// Interface specification, section 3: an amount of a reply is a decimal; the digits of the currencies are those of ISO 4217.
describe('readMinorUnits', () => {
  it.each([
    ['10.00', 'EUR', 1000n],
    ['10', 'EUR', 1000n],
    ['10.', 'EUR', 1000n],
    ['10.5', 'EUR', 1050n],
    ['10.5000', 'EUR', 1050n],
    ['0.05', 'EUR', 5n],
    ['1000', 'JPY', 1000n],
    ['1000.00', 'JPY', 1000n],
    ['1.25', 'KWD', 1250n],
    [' 10.00\n', 'EUR', 1000n],
    [`1${'0'.repeat(39)}`, 'JPY', 10n ** 39n],
  ])('reads %j %s', (amount, currency, units) => {
    expect(readMinorUnits(amount, currency)).toBe(units)
  })

  it.each([
    ['10.001', 'EUR'],
    ['10.5', 'JPY'],
    ['-1', 'EUR'],
    ['1e3', 'EUR'],
    ['1,00', 'EUR'],
    ['.5', 'EUR'],
    ['a10', 'EUR'],
    ['10b', 'EUR'],
    ['', 'EUR'],
  ])('refuses %j %s', (amount, currency) => {
    expect(() => readMinorUnits(amount, currency)).toThrow(
      expect.objectContaining({
        field: 'amount',
        message:
          `The gateway sent the amount "${amount.slice(0, 40)}" with the currency "${currency}", which cannot be read as money. ` +
          'Nothing was concluded from it; look at the raw reply.',
      }),
    )
  })

  it('cuts what is shown', () => {
    expect(() => readMinorUnits('a'.repeat(41), 'b'.repeat(41))).toThrow(
      `the amount "${'a'.repeat(40)}" with the currency "${'b'.repeat(40)}", which`,
    )
  })
})
