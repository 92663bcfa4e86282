import type { StageName } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { doubtAboutCreation } from './shown.js'

const shown = (stage: StageName | undefined, amount?: string, currency = 'EUR') => ({
  askedAt: 0,
  status: 'approved',
  currency,
  ...(stage === undefined ? {} : { stage }),
  ...(amount === undefined ? {} : { amount }),
})

const sale = { stages: ['sale'], amount: '10.42', currency: 'EUR' } as const
const preauth = { ...sale, stages: ['preauth'] } as const

describe('doubtAboutCreation', () => {
  it.each([
    [sale, shown('sale', '10.42')],
    [sale, shown('reversal', '3.00')],
    [sale, shown('chargeback', '10.42')],
    [preauth, shown('capture', '10.4')],
    [preauth, shown('void')],
    [preauth, shown('cancel', '10.42')],
    [preauth, shown('reversal', '3.00')],
    [preauth, shown('chargeback', '10.42')],
    [sale, shown('cancel', '10.42')],
    [sale, shown('void')],
    [{ ...sale, stages: ['payout'] as const }, shown('reversal', '10.42')],
    [{ ...sale, stages: ['transfer'] as const }, shown('cancel')],
    [{ stages: ['verification'] as const }, shown('void')],
    [{ stages: ['verification'] as const }, shown('cancel')],
    [{ ...sale, stages: ['payout-check'] as const }, shown('payout', '10.42')],
    [sale, shown(undefined, '3.00')],
    [{ stages: [] }, shown('sale', '99.00', 'USD')],
    [{ stages: [] }, shown('unrecognized')],
  ])('has none where %j is found as %j', (attempt, snapshot) => {
    expect(doubtAboutCreation(attempt, snapshot)).toBeUndefined()
  })

  it.each([
    [sale, shown('sale', '3.00')],
    [sale, shown('capture', '10.42')],
    [sale, shown('payout', '10.42')],
    [sale, shown('reversal', '10.43')],
    [sale, shown('chargeback', '10.42', 'USD')],
    [sale, shown('reversal', 'ten')],
    [{ ...sale, amount: 'ten' }, shown('reversal', '3.00')],
    [sale, shown('preauth', '10.42')],
    [{ ...sale, stages: ['payout'] as const }, shown('sale', '10.42')],
    [{ ...sale, stages: ['payout'] as const }, shown('chargeback', '10.42')],
    [{ stages: ['verification'] as const }, shown('sale', '0.00')],
    [sale, shown(undefined, '99.00')],
    [preauth, shown('capture', '99.00')],
    [{ ...sale, stages: ['pan-eligibility'] as const }, shown('cancel')],
  ])('takes it for another request’s where %j is found as %j', (attempt, snapshot) => {
    expect(doubtAboutCreation(attempt, snapshot)).toContain('another request made it')
  })

  it('says nothing of a stage that nobody knows', () => {
    expect(doubtAboutCreation(sale, shown('unrecognized', '10.42'))).toContain('does not know')
  })
})
