import { describe, expect, it } from 'vitest'
import { clockDifference, describeClock } from './judge-answer.js'

const now = Date.UTC(2026, 0, 2, 3, 4, 5)

describe('clockDifference', () => {
  it('is positive when our clock is ahead', () => {
    expect(clockDifference('Fri, 02 Jan 2026 03:03:05 GMT', now)).toBe(60)
  })

  it('is undefined without a date that can be read', () => {
    expect(clockDifference(undefined, now)).toBeUndefined()
    expect(clockDifference('yesterday', now)).toBeUndefined()
  })
})

describe('describeClock', () => {
  it.each([
    [5, 'agrees'],
    [90, '90 s ahead of'],
    [-90, '90 s behind'],
  ])('says of %s: %s', (difference, words) => {
    expect(describeClock(difference)).toContain(words)
  })
})
