import { describe, expect, it } from 'vitest'
import { defineProfile } from '../profile/profile.js'
import { endsHold, finalOutcome, stageOf, wordOf } from './attribution.js'
import type { Stage } from './types.js'

const stage = (name: string, amount?: string, outcome = 'approved') =>
  ({ stage: name, status: outcome, outcome, amount, askedAt: 1, corrections: [] }) as unknown as Stage
const hold = stage('preauth', '10.00')
const profileWith = (captureEndsHold: boolean, cancelEndsHold: boolean) =>
  defineProfile({ captureEndsHold, cancelEndsHold })

describe('endsHold', () => {
  // The whole amount ends a hold. A part does not, unless the profile says that any part does.
  it.each<[string, Stage, readonly Stage[], boolean]>([
    ['a void', stage('void'), [hold], true],
    ['a sale', stage('sale', '10.00'), [hold], false],
    ['a capture of all', stage('capture', '10.0'), [hold], true],
    ['a capture of more', stage('capture', '11.00'), [hold], true],
    ['a capture of less', stage('capture', '9.99'), [hold], false],
    ['a return of all', stage('cancel', '10.00'), [hold], true],
    ['a capture of unknown size', stage('capture'), [hold], false],
    ['a capture without a hold', stage('capture', '10.00'), [], false],
    ['a capture of a hold of unknown size', stage('capture', '10.00'), [stage('preauth')], false],
    ['a capture of a hold that was declined', stage('capture', '10.00'), [stage('preauth', '1.00', 'declined')], false],
    ['a capture of less, beside a small sale', stage('capture', '5.00'), [stage('sale', '1.00'), hold], false],
    ['a capture of what is no amount', stage('capture', 'all'), [hold], false],
    ['a capture of a hold of no amount', stage('capture', '10.00'), [stage('preauth', 'all')], false],
  ])('%s', (_what, ended, stages, expected) => {
    expect(endsHold(ended, { stages, profile: profileWith(false, false) })).toBe(expected)
  })

  it.each([
    ['capture', true, false, true],
    ['cancel', true, false, false],
    ['capture', false, true, false],
    ['cancel', false, true, true],
    ['sale', true, true, false],
  ])('a part by %s where captures do: %s, and returns do: %s', (name, captures, returns, expected) => {
    const known = { stages: [hold], profile: profileWith(captures, returns) }
    expect(endsHold(stage(name, '1.00'), known)).toBe(expected)
  })
})

describe('words of a reply', () => {
  const profile = defineProfile({ stages: { pay: 'sale', pay_out: 'payout' } })

  it('are trimmed, in any letter case', () => {
    expect(finalOutcome(' Approved\n', profile)).toBe('approved')
    expect(stageOf({ transactionType: ' PAY\n' }, profile)).toBe('sale')
    expect(stageOf({ orderStage: ' PAY_approved\n' }, profile)).toBe('sale')
    expect(wordOf({ transactionType: ' Refill\n' }, 'unrecognized')).toBe('refill')
    expect(wordOf({ orderStage: ' Refill_x' }, 'unrecognized')).toBe('refill_x')
    expect(wordOf({ transactionType: 'pay' }, 'sale')).toBeUndefined()
  })

  it.each([
    ['pay', 'sale'],
    ['pay_approved', 'sale'],
    ['pay_out_approved', 'payout'],
    ['payer', 'unrecognized'],
    ['my_pay', 'unrecognized'],
  ])('name the family of a stage: %s', (orderStage, name) => {
    expect(stageOf({ orderStage }, profile)).toBe(name)
  })
})
