import { type AttemptEnd, defaultProfile, type StatusResponse } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { order, part, sale, stage, upload, whole } from '../../../test/state/payment-samples.js'
import type { KnownAttempt, KnownOrder, KnownStage } from '../../state/known.js'
import {
  attemptBehind,
  creationOf,
  expectationOf,
  isAwaited,
  questionsAbout,
  questionsRaisedBy,
  shownAttempts,
} from './expected.js'

const ended = (attempt: KnownAttempt, kind: AttemptEnd['kind'], serialNumber?: string): KnownAttempt => ({
  ...attempt,
  end: { kind, at: 2_000, ...(serialNumber === undefined ? {} : { serialNumber }) },
})
const approved = (fields: Partial<KnownStage> = {}) =>
  stage({ status: 'approved', outcome: 'approved', amount: '10.00', currency: 'EUR', ...fields })
const sold = approved()
const accepted = ended(sale, 'accepted', 's-0')
const returned = (serialNumber?: string, amount = '3.00') =>
  approved({ stage: 'reversal', amount, ...(serialNumber === undefined ? {} : { serialNumber }) })
const first = ended({ ...part, attemptId: 'first' }, 'accepted', 's-1')
const second = ended({ ...part, attemptId: 'second' }, 'accepted', 's-2')
const unnumbered = ended({ ...part, attemptId: 'unnumbered' }, 'unknown')

const held = approved({ stage: 'preauth' })
const hold = ended({ ...sale, operation: 'preauth', stages: ['preauth'] }, 'accepted')
const capture: KnownAttempt = { ...part, operation: 'capture', stages: ['capture'], attemptId: 'capture' }

const check = ended({ ...sale, operation: 'payoutV4Check', stages: ['payout-check'] }, 'accepted', 's-1')
const pay = ended({ ...whole, operation: 'payoutPay', stages: ['payout'] }, 'accepted', 's-2')
const sent = approved({ stage: 'payout' })

/** Which stage, by its place, each request is shown to have made. */
const shown = (of: KnownOrder) =>
  shownAttempts(of).map(({ attempt, stage: made }) => [
    attempt.attemptId,
    made === undefined ? 'nothing' : of.stages.indexOf(made),
  ])

describe('shownAttempts', () => {
  it.each<[string, Partial<KnownOrder>, readonly (readonly [string, number | 'nothing'])[]]>([
    ['a sale of which nothing is known', { attempts: [sale] }, [['a-1', 'nothing']]],
    ['a sale', { attempts: [accepted], stages: [sold] }, [['a-1', 0]]],
    [
      'a sale over another amount: it is compared, and not looked for elsewhere',
      { attempts: [accepted], stages: [approved({ amount: '11.00' })] },
      [['a-1', 0]],
    ],
    [
      'a sale that was refused, and that status shows all the same',
      { attempts: [ended(sale, 'refused')], stages: [sold] },
      [['a-1', 0]],
    ],
    [
      'of two tries the one that may have arrived',
      { attempts: [ended(sale, 'refused'), { ...accepted, attemptId: 'a-2' }], stages: [sold] },
      [
        ['a-1', 'nothing'],
        ['a-2', 0],
      ],
    ],
    [
      'equal returns by their numbers, in whatever order they became known',
      { attempts: [accepted, first, second], stages: [sold, returned('s-2'), returned('s-1')] },
      [
        ['a-1', 0],
        ['first', 2],
        ['second', 1],
      ],
    ],
    [
      'a return without a number beside one with a number',
      { attempts: [accepted, unnumbered, first], stages: [sold, returned('s-1'), returned('s-9')] },
      [
        ['a-1', 0],
        ['unnumbered', 2],
        ['first', 1],
      ],
    ],
    [
      'one stage for the first of two equal returns, and none for the second',
      { attempts: [accepted, first, second], stages: [sold, returned()] },
      [
        ['a-1', 0],
        ['first', 1],
        ['second', 'nothing'],
      ],
    ],
    [
      'no stage of another number',
      { attempts: [accepted, first], stages: [sold, returned('s-9')] },
      [
        ['a-1', 0],
        ['first', 'nothing'],
      ],
    ],
    [
      'no stage over another amount for a return whose number is not known',
      { attempts: [accepted, unnumbered], stages: [sold, returned(undefined, '4.00')] },
      [
        ['a-1', 0],
        ['unnumbered', 'nothing'],
      ],
    ],
    [
      'no stage for a return that was refused',
      { attempts: [accepted, ended(part, 'refused')], stages: [sold, returned()] },
      [['a-1', 0]],
    ],
    [
      'no chargeback for a return',
      { attempts: [accepted, unnumbered], stages: [sold, approved({ stage: 'chargeback', amount: '3.00' })] },
      [
        ['a-1', 0],
        ['unnumbered', 'nothing'],
      ],
    ],
    [
      'a payout that was checked before, by whatever number it was asked about',
      { attempts: [check, pay], stages: [approved({ stage: 'payout-check' }), { ...sent, serialNumber: 's-1' }] },
      [
        ['a-1', 0],
        ['v-1', 1],
      ],
    ],
    [
      'nothing for what moves no money',
      { attempts: [accepted, ended(upload, 'accepted')], stages: [sold] },
      [['a-1', 0]],
    ],
  ])('gives %s', (_, fields, expected) => {
    expect(shown(order(fields))).toEqual(expected)
  })
})

describe('attemptBehind', () => {
  it('is nobody for what a bank or a person did', () => {
    const chargeback = approved({ stage: 'chargeback' })
    const voided = approved({ stage: 'void' })
    const known = order({ attempts: [accepted, first], stages: [sold, chargeback, voided] })
    expect([sold, chargeback, voided].map(each => attemptBehind(known, each)?.attemptId)).toEqual([
      'a-1',
      undefined,
      undefined,
    ])
  })
})

describe('creationOf', () => {
  it.each<[string, Partial<KnownOrder>, string | undefined]>([
    ['the one that status shows', { attempts: [accepted], stages: [sold] }, 'a-1'],
    ['the last that may have arrived', { attempts: [ended(sale, 'not-sent'), { ...sale, attemptId: 'a-2' }] }, 'a-2'],
    ['none where all did nothing', { attempts: [ended(sale, 'refused')] }, undefined],
    ['none where there are changes only', { attempts: [first] }, undefined],
  ])('is %s', (_, fields, expected) => {
    expect(creationOf(order(fields))?.attempt.attemptId).toBe(expected)
  })
})

describe('expectationOf', () => {
  it.each([
    ['a sale', accepted, { stages: ['sale'], amount: '10.00', currency: 'EUR' }],
    [
      'a sale whose currency has a blank',
      { ...sale, currency: ' EUR' },
      { stages: ['sale'], amount: '10.00', currency: 'EUR' },
    ],
    ['a return', first, { stages: ['cancel', 'reversal'], serialNumber: 's-1', amount: '3.00', currency: 'EUR' }],
    ['a void operation', whole, { stages: ['void'] }],
  ])('of %s', (_, attempt, expected) => {
    expect(expectationOf(attempt)).toEqual(expected)
  })
})

describe('a change that is tried again', () => {
  const failed: KnownStage = { ...returned(), status: 'declined', outcome: 'declined' }
  const { amount } = failed
  const baseline = {
    askedAt: 1,
    stage: 'reversal',
    status: 'declined',
    outcome: 'declined',
    ...(amount && { amount }),
  } as const
  const again: KnownAttempt = { ...part, baseline, end: { kind: 'accepted', at: 2_000 } }

  it.each<[string, Partial<KnownStage>, boolean]>([
    ['the stage that had failed before', {}, false],
    ['one of its own, with a number', { serialNumber: 's-9' }, true],
    ['one that did not fail', { status: 'approved', outcome: 'approved' }, true],
    ['one over another amount', { amount: '4.00' }, false],
  ])('is shown by %s: %o', (_, more, expected) => {
    const known = order({ attempts: [accepted, again], stages: [sold, { ...failed, ...more }] })
    expect(shownAttempts(known).at(-1)?.stage !== undefined).toBe(expected)
  })
})

describe('questionsAbout', () => {
  it.each<[string, Partial<KnownOrder>, readonly (string | undefined)[]]>([
    ['the latest request only, of a sale', { attempts: [accepted] }, [undefined]],
    [
      'each number that is open, and the latest',
      { attempts: [accepted, first, second], stages: [sold] },
      ['s-1', 's-2', undefined],
    ],
    [
      'the number of the request that made the order, where status has shown what came after it alone',
      { attempts: [accepted], stages: [returned()] },
      ['s-0', undefined],
    ],
    [
      'the number of the request that made the order, where it was under way when that came after it',
      { attempts: [accepted], stages: [stage(), returned()] },
      ['s-0', undefined],
    ],
    [
      'the number of the request that made the order, where it was under way when something else failed',
      { attempts: [accepted], stages: [stage(), { ...returned(), status: 'declined', outcome: 'declined' }] },
      ['s-0', undefined],
    ],
    [
      'the number of the request that made the order, where it had failed and something else was approved since',
      { attempts: [accepted], stages: [{ ...sold, status: 'declined', outcome: 'declined' }, returned()] },
      ['s-0', undefined],
    ],
    [
      'the latest request only, where everything had failed',
      {
        attempts: [accepted],
        stages: [sold, returned()].map(each => ({ ...each, status: 'declined', outcome: 'declined' })),
      },
      [undefined],
    ],
    ['the latest request only, while that is under way', { attempts: [accepted], stages: [stage()] }, [undefined]],
    [
      'no number whose end is known',
      { attempts: [accepted, first, second], stages: [sold, returned('s-1')] },
      ['s-2', undefined],
    ],
    [
      'a number whose stage is under way',
      { attempts: [accepted, first], stages: [sold, stage({ stage: 'reversal', serialNumber: 's-1' })] },
      ['s-1', undefined],
    ],
    ['one number once', { attempts: [first, { ...first, attemptId: 'again', amount: '4.00' }] }, ['s-1', undefined]],
    [
      'a number that failed: it may have been corrected',
      {
        attempts: [accepted, first, second],
        stages: [sold, { ...returned('s-1'), status: 'declined', outcome: 'declined' }, returned('s-2')],
      },
      ['s-1', undefined],
    ],
    [
      'a number that was corrected: it may be so again',
      {
        attempts: [accepted, first],
        stages: [sold, { ...returned('s-1'), corrections: [{ from: 'approved', to: 'declined', askedAt: 3_000 }] }],
      },
      ['s-1', undefined],
    ],
    [
      'a number that failed, or was corrected, though the store has lost its request',
      {
        attempts: [accepted],
        stages: [
          sold,
          { ...returned('s-1'), status: 'declined', outcome: 'declined' },
          { ...returned('s-2'), corrections: [{ from: 'approved', to: 'declined', askedAt: 3_000 }] },
          returned('s-3'),
        ],
      },
      ['s-1', 's-2', undefined],
    ],
    [
      'the number of its stage, where a request that failed was given none',
      {
        attempts: [accepted, { ...first, end: { kind: 'accepted', at: 2_000 } }],
        stages: [sold, { ...returned('s-1'), status: 'declined', outcome: 'declined' }],
      },
      ['s-1', undefined],
    ],
    [
      'three numbers that failed at most, the latest ones',
      {
        attempts: [accepted],
        stages: [
          sold,
          ...['s-1', 's-2', 's-3', 's-4'].map(each => ({
            ...returned(each),
            status: 'declined',
            outcome: 'declined' as const,
          })),
        ],
      },
      ['s-2', 's-3', 's-4', undefined],
    ],
    ['the latest only, of what was refused', { attempts: [ended(part, 'refused', 's-1')] }, [undefined]],
  ])('asks about %s', (_, fields, expected) => {
    expect(questionsAbout(order(fields))).toEqual(expected)
  })
})

describe('questionsRaisedBy', () => {
  const known = { attempts: [accepted, first, second], stages: [sold, returned('s-1'), returned('s-2')] }
  const said = (status: string, transactionType = 'reversal') => ({ status, transactionType }) as StatusResponse
  it.each<[string, StatusResponse, Partial<KnownOrder>, readonly string[]]>([
    ['the latest return, where one is said to have been declined', said('declined'), known, ['s-2']],
    ['nothing, where it is said to be approved', said('approved'), known, []],
    ['nothing, where one is under way', said('processing'), known, []],
    ['nothing, where a capture was declined', said('declined', 'capture'), known, []],
    ['nothing, where the sale was declined', said('declined', 'sale'), known, []],
    [
      'nothing, where the latest return failed',
      said('declined'),
      { ...known, stages: [sold, returned('s-1'), { ...returned('s-2'), status: 'declined', outcome: 'declined' }] },
      [],
    ],
    [
      'nothing, where the latest was corrected: it is asked about anyway',
      said('declined'),
      {
        ...known,
        stages: [sold, { ...returned('s-2'), corrections: [{ from: 'approved', to: 'declined', askedAt: 3_000 }] }],
      },
      [],
    ],
    [
      'the latest return, though the store has lost its request',
      said('declined'),
      { attempts: [accepted], stages: [sold, returned('s-1'), returned('s-2')] },
      ['s-2'],
    ],
    [
      'the latest of ours by its request, whichever status showed last',
      said('declined'),
      { ...known, stages: [sold, returned('s-2'), returned('s-1')] },
      ['s-2'],
    ],
    [
      'nothing, where the latest of ours had failed, and another one was approved',
      said('declined'),
      {
        attempts: [accepted, first],
        stages: [sold, { ...returned('s-1'), status: 'declined', outcome: 'declined' }, returned('s-9')],
      },
      [],
    ],
    [
      'the latest of ours, and the latest whose request the store has lost',
      said('declined'),
      { ...known, stages: [...known.stages, returned('s-3'), returned('s-4')] },
      ['s-2', 's-4'],
    ],
    [
      'the number of its stage, where a request was given none',
      said('declined'),
      { attempts: [accepted, { ...first, end: { kind: 'accepted', at: 2_000 } }], stages: [sold, returned('s-1')] },
      ['s-1'],
    ],
  ])('asks about %s', (_, reply, fields, expected) => {
    expect(questionsRaisedBy(reply, { order: order(fields), profile: defaultProfile })).toEqual(expected)
  })
})

describe('isAwaited', () => {
  it.each<[string, Partial<KnownOrder>, boolean]>([
    ['a sale that was just reserved', { attempts: [sale] }, true],
    ['a sale under way', { attempts: [accepted], stages: [stage()] }, true],
    ['a sale that is over', { attempts: [accepted], stages: [sold] }, false],
    ['a sale that is over, though its answer was lost', { attempts: [ended(sale, 'unknown')], stages: [sold] }, false],
    ['a sale that was refused', { attempts: [ended(sale, 'refused')] }, false],
    ['a hold, of which a part is captured', { attempts: [hold, ended(capture, 'accepted')], stages: [held] }, true],
    [
      'a hold, of which a part was captured',
      { attempts: [hold, ended(capture, 'accepted')], stages: [held, approved({ stage: 'capture', amount: '3.00' })] },
      false,
    ],
    ['a second return', { attempts: [accepted, first, second], stages: [sold, returned('s-1')] }, true],
    ['an upload', { attempts: [accepted, upload], stages: [sold] }, false],
    ['what a person did', { attempts: [accepted], stages: [sold, stage({ stage: 'void' })] }, false],
  ])('says whether something is awaited: %s', (_, fields, expected) => {
    expect(isAwaited(order(fields))).toBe(expected)
  })
})
