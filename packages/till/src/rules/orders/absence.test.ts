import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sale } from '../../../test/state/payment-samples.js'
import type { AbsencePosition } from '../../state/known.js'
import { type AbsenceInput, judgeAbsence, quietSinceOf } from './absence.js'

const minute = 60_000
/** The request was quiet at noon; a quiet period is 15 minutes, and two answers are 5 minutes apart. */
const judge = (askedAt: number, position?: AbsencePosition, own: Partial<AbsenceInput> = {}) =>
  judgeAbsence({
    position,
    askedAt: askedAt * minute,
    answeredAt: askedAt * minute + 100,
    quietSince: 0,
    quietPeriod: 15 * minute,
    apart: 5 * minute,
    ...own,
  })

describe('judgeAbsence', () => {
  it('concludes nothing while something may be on its way', () => {
    expect(judge(60, undefined, { quietSince: undefined })).toBeUndefined()
  })

  it.each([0, 14, 14.999])('counts no answer that was asked for %d minutes after the last byte', askedAt => {
    expect(judge(askedAt)).toEqual({ quietSince: 0 })
  })

  it('takes the time of the first answer when it had come, and not when it was asked for', () => {
    expect(judge(15)).toEqual({ quietSince: 0, neverSeenAt: 15 * minute + 100 })
  })

  it.each([
    ['at once', 15.01, false],
    ['almost five minutes later', 20, false],
    ['five minutes after the first had come', 20.01, true],
    ['a day later', 1_440, true],
  ])('takes two answers, the second asked for %s', (_, askedAt, isProof) => {
    const position = { quietSince: 0, neverSeenAt: 15 * minute + 100 }
    expect(judge(askedAt, position)).toEqual(isProof ? 'no-trace' : position)
  })

  it.each([
    ['five minutes', 5 * minute, true],
    ['a second', 1_000, false],
    ['less than nothing', -minute, false],
    ['what another process knows', undefined, true],
  ])('takes two answers an hour apart where this process heard the first one %s before', (_, heardFor, isProof) => {
    const position = { quietSince: 0, neverSeenAt: 15 * minute }
    expect(judge(60, position, { heardFor })).toEqual(isProof ? 'no-trace' : position)
  })

  it.each([
    ['came before the quiet period was over', { quietSince: 0, neverSeenAt: 15 * minute - 1 }],
    ['comes from the future', { quietSince: 0, neverSeenAt: 40 * minute }],
    ['is not there', { quietSince: 0 }],
  ])('begins anew where the first answer %s', (_, position) => {
    expect(judge(30, position)).toEqual({ quietSince: 0, neverSeenAt: 30 * minute + 100 })
  })

  it('never says "no trace" without a quiet period and two answers apart, whatever came before', () => {
    const time = fc.integer({ min: 0, max: 40 * minute })
    fc.assert(
      fc.property(fc.array(fc.tuple(time, fc.nat(minute))), fc.nat(20 * minute), (questions, quietSince) => {
        let position: AbsencePosition | undefined
        const counted: number[] = []
        for (const [askedAt, took] of questions) {
          const verdict = judgeAbsence({
            position,
            askedAt,
            answeredAt: askedAt + took,
            quietSince,
            quietPeriod: 15 * minute,
            apart: 5 * minute,
          })
          if (verdict === 'no-trace')
            expect(counted.some(each => each >= quietSince + 15 * minute && askedAt - each >= 5 * minute)).toBe(true)
          if (askedAt >= quietSince + 15 * minute) counted.push(askedAt + took)
          if (verdict !== 'no-trace') position = verdict
        }
      }),
    )
  })
})

describe('quietSinceOf', () => {
  it.each([
    // Reserved at 1,000, sent until 31,000, and its answer is waited for as long again.
    ['never ended, as after a crash', sale, 61_000],
    ['ended over a connection that was closed', { ...sale, end: { kind: 'unknown', connection: 'closed', at: 9 } }, 9],
    ['was answered', { ...sale, end: { kind: 'unknown', connection: 'answered', at: 9 } }, 9],
    ['ended where a dispatcher may still have it', { ...sale, end: { kind: 'unknown', at: 9 } }, undefined],
  ] as const)('of an attempt that %s', (_, attempt, expected) => {
    expect(quietSinceOf(attempt)).toBe(expected)
  })
})
