/** The words about a schedule, about digits of one's own, and about something that is no profile. */
import { describe, expect, it } from 'vitest'
import { operations } from '../operations/operations.js'
import { carriesLogin, excessLength, resolveSigning } from './of-operation.js'
import { checkSchedule } from './poll-schedule.js'
import { aProfile, defaultProfile, defineProfile } from './profile.js'

describe('checkSchedule', () => {
  const phase = { atLeast: 100, atMost: 200, lasting: 1000 }
  it.each([
    [[], '"schedule" must list one phase or more, e.g. [{ atLeast: 3000, atMost: 5000, lasting: 300000 }].'],
    [7, '"schedule" must list one phase or more, e.g. [{ atLeast: 3000, atMost: 5000, lasting: 300000 }].'],
    [[phase, null], '"schedule[1]" needs "atLeast" and "atMost" in milliseconds.'],
    [[{ ...phase, forever: true }], '"schedule[0]" has no "forever"; it has atLeast, atMost, lasting and times.'],
    [[{ ...phase, atLeast: '100' }], '"schedule[0]" needs "atLeast" and "atMost" in milliseconds.'],
    [[{ ...phase, atMost: Number.POSITIVE_INFINITY }], '"schedule[0]" needs "atLeast" and "atMost" in milliseconds.'],
    [[{ ...phase, atLeast: -1 }], '"schedule[0]" needs "atLeast" and "atMost" in milliseconds.'],
    [[{ ...phase, atMost: 99 }], '"schedule[0]" pauses at least 100 and at most 99 ms, which is the wrong way round.'],
    [[{ ...phase, lasting: Number.NaN }], '"schedule[0]" has a "lasting" that is no number of milliseconds.'],
    [[{ ...phase, times: 1.5 }], '"schedule[0]" has "times" that is no whole number.'],
    [[{ ...phase, times: -1 }], '"schedule[0]" has "times" that is no whole number.'],
    [[{ atLeast: 1, atMost: 1 }], '"schedule[0]" has no end. Say "lasting" in milliseconds, or "times".'],
    [[{ ...phase, atLeast: 99 }], '"schedule[0]" asks again after 99 ms. Pause at least 100 ms, or say "times".'],
  ])('of %j', (schedule, message) => {
    expect(() => checkSchedule(schedule as never)).toThrow(new TypeError(message))
  })

  it.each([
    [[phase]],
    [[{ atLeast: 0, atMost: 0, times: 3 }]],
    [[{ atLeast: 0, atMost: 0, times: 0 }]],
    [[{ atLeast: 0, atMost: 0, lasting: 0, times: 1 }]],
  ])('takes %j', schedule => {
    expect(() => checkSchedule(schedule)).not.toThrow()
  })
})

describe('currencyDigits', () => {
  it.each(['AB', 'ABCDEFGHIJK', 'usd', '1BC', 'AB-C', ' ABC', 'ABC '])('refuses the code %j', code => {
    expect(() => defineProfile({ currencyDigits: { [code]: 2 } })).toThrow(
      new TypeError(
        `"currencyDigits" of the wire profile has the code "${code}"; write it as it is sent, in 3 to 10 upper-case letters and digits.`,
      ),
    )
  })

  it.each([-1, 15, 1.5, null])('refuses %s digits', digits => {
    expect(() => defineProfile({ currencyDigits: { ABC: digits as number } })).toThrow(
      new TypeError(
        `"currencyDigits" of the wire profile gives ABC ${digits} digits; it must be a whole number from 0 to 14.`,
      ),
    )
  })

  it.each([
    ['ABC', 0],
    ['A12', 14],
    ['ABCDEFGHIJ', 6],
  ])('takes %s with %i digits', (code, digits) => {
    expect(defineProfile({ currencyDigits: { [code]: digits } }).currencyDigits.value).toEqual({ [code]: digits })
  })
})

describe('aProfile', () => {
  it.each([undefined, defaultProfile, defineProfile({})])('takes a profile, and none', profile => {
    expect(aProfile(profile, 'profile')).toBeUndefined()
  })

  it.each([null, 'profile', {}, { stages: defaultProfile.stages }])('refuses %j', profile => {
    expect(aProfile(profile, 'profile')).toBe(
      `"profile" is no wire profile. Pass what defineProfile({ … }) returns: import { defineProfile } from '@tillkit/protocol'.`,
    )
  })
})

describe('what a profile says of an operation', () => {
  it('is how it is signed, where the specification leaves that open', () => {
    expect(resolveSigning(operations.payoutForm, defaultProfile)).toBe(defaultProfile.payoutForm.value)
    expect(resolveSigning(operations.sale, defaultProfile)).toBe(operations.sale.signing)
  })

  it.each([
    [true, [], true],
    [false, ['mine'], false],
    [undefined, ['mine'], true],
    [undefined, ['other'], false],
  ])('is whether its body carries the login: the row says %s, the profile lists %j', (loginInBody, list, expected) => {
    const profile = defineProfile({ loginInBody: list })
    expect(carriesLogin({ operation: { name: 'mine', loginInBody } as never, profile })).toBe(expected)
  })

  it('is how long a field may be', () => {
    const profile = defineProfile({ maxLengths: { ...defaultProfile.maxLengths.value, email: 3 } })
    const source = { operation: { name: 'mine' }, profile } as const
    expect(excessLength({ field: 'email', value: 'abc' }, source)).toBeUndefined()
    expect(excessLength({ field: 'email', value: 'a🫖c' }, source)).toBeUndefined()
    expect(excessLength({ field: 'email', value: 'abcd' }, source)).toEqual({ length: 4, most: 3 })
  })
})
