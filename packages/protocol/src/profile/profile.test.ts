import { describe, expect, it } from 'vitest'
import { defaultProfile, defineProfile } from './profile.js'

describe('defaultProfile', () => {
  it('gives a source for every entry', () => {
    for (const [name, entry] of Object.entries(defaultProfile)) {
      expect(entry.source.length, name).toBeGreaterThan(10)
    }
  })

  it('cannot be changed by accident', () => {
    expect(Object.isFrozen(defaultProfile)).toBe(true)
    expect(Object.values(defaultProfile).every(entry => Object.isFrozen(entry))).toBe(true)
  })
})

describe('what the specification does not say in so many words', () => {
  // Section 3, rule 1, is silent about the rest after a partial capture (adr/0038).
  it.each(['captureEndsHold', 'saleIsSettled'] as const)('is marked as assumed: %s', entry => {
    expect(defaultProfile[entry].assumed).toBe(true)
  })
})

describe('defineProfile', () => {
  it('overrides an entry, which is then no assumption any more', () => {
    const profile = defineProfile({ minorUnits: 'hundredths' }, 'acquirer, letter of 3 March')
    expect(profile.minorUnits).toEqual({ value: 'hundredths', source: 'acquirer, letter of 3 March', assumed: false })
    expect(profile.controlField).toBe(defaultProfile.controlField)
  })

  it('refuses a value that an entry cannot have', () => {
    const misspelt: object = { minorUnits: 'cents' }
    expect(() => defineProfile(misspelt)).toThrow('"minorUnits" of the wire profile is "cents"')
  })

  it.each([
    [{ usdt: 6 }, 'has the code "usdt"; write it as it is sent'],
    [{ '': 2 }, 'has the code ""'],
    [{ USDT: 1.5 }, 'gives USDT 1.5 digits; it must be a whole number from 0 to 14'],
    [{ USDT: -1 }, 'gives USDT -1 digits'],
    [{ USDT: 15 }, 'gives USDT 15 digits'],
  ])('refuses the currencies %j', (currencyDigits, problem) => {
    expect(() => defineProfile({ currencyDigits })).toThrow(problem)
  })

  it.each([0, -1, 0.5, Number.NaN])('refuses an OAuth window of %d seconds', oauthWindow => {
    expect(() => defineProfile({ oauthWindow })).toThrow('it must be whole seconds, above zero')
  })

  it('refuses an entry that does not exist', () => {
    const misspelt: object = { minorUnit: 'hundredths' }
    expect(() => defineProfile(misspelt)).toThrow(/no entry "minorUnit"/)
  })
})
