import { describe, expect, it } from 'vitest'
import { threeDSCompInd } from './three-d-secure.js'

describe('threeDSCompInd, section 8: ten seconds', () => {
  const step = { methodUrlGiven: true, startedAt: 1_000 }
  it.each([
    ['U when no method address was given', { ...step, methodUrlGiven: false, now: 1_000 }, 'U'],
    ['nothing yet while there is time', { ...step, now: 10_999 }, undefined],
    ['N once ten seconds have passed', { ...step, now: 11_000 }, 'N'],
    ['Y when the notification came in time', { ...step, notifiedAt: 10_999, now: 60_000 }, 'Y'],
    ['N when the notification came late', { ...step, notifiedAt: 11_000, now: 11_000 }, 'N'],
  ])('is %s', (_, input, indicator) => {
    expect(threeDSCompInd(input)).toBe(indicator)
  })
})
