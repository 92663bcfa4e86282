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

  it('refuses an entry that does not exist', () => {
    const misspelt: object = { minorUnit: 'hundredths' }
    expect(() => defineProfile(misspelt)).toThrow(/no entry "minorUnit"/)
  })
})
