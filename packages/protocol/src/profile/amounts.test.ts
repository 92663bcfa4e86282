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
