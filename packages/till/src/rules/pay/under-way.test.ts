import type { AttemptEnd } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { order, part, sale, stage, whole } from '../../../test/state/payment-samples.js'
import type { KnownAttempt } from '../../state/known.js'
import { changesUnderWay, changeTooLong } from './under-way.js'

const ended = (attempt: KnownAttempt, end: Partial<AttemptEnd> = {}): KnownAttempt => ({
  ...attempt,
  end: { kind: 'accepted', at: 2_000, orderId: '77', ...end },
})
const sold = stage({ status: 'approved', outcome: 'approved', amount: '10.00', currency: 'EUR' })
const back = stage({ ...sold, stage: 'reversal', amount: '3.00', serialNumber: 's-2' })
const seen = (attempt: KnownAttempt, stages = [sold], at = 2_000_000) =>
  changesUnderWay([order({ attempts: [ended(sale), attempt], stages })], at).map(each => each.state)

describe('changesUnderWay', () => {
  it('says what was asked for, and of which order', () => {
    expect(changesUnderWay([order({ attempts: [ended(sale), ended(part)], stages: [sold] })], 2_000)).toEqual([
      { operation: 'return', clientOrderId: 'basket-7', amount: '3.00', currency: 'EUR', state: 'sent' },
    ])
  })

  it('tells one that may still be answered from one that was not', () => {
    expect([seen(part, [sold], 2_000), seen(part)]).toEqual([['sending'], ['unknown']])
    expect(seen(ended(part, { kind: 'unknown' }), [sold], 2_000)).toEqual(['unknown'])
  })

  it('is over once status shows its end', () => {
    const numbered = ended(part, { serialNumber: 's-2' })
    const working = stage({ stage: 'reversal', serialNumber: 's-2' })
    expect(seen(numbered, [sold, working])).toEqual(['sent'])
    expect(seen(numbered, [sold, back])).toEqual([])
  })

  it('has not ended by one that failed before the number of its request was known, and needs a person at last', () => {
    const failed = stage({ ...back, status: 'declined', outcome: 'declined' })
    const { serialNumber: _none, ...unnumbered } = failed
    const numbered = ended(part, { serialNumber: 's-2' })
    expect([seen(numbered, [sold, unnumbered]), seen(numbered, [sold, failed])]).toEqual([['sent'], []])
    const document = order({ attempts: [ended(sale), numbered], stages: [sold, unnumbered] })
    expect(changeTooLong([document], 2_000_000)).toContain('has not ended')
  })

  it('has not ended by a stage that may be that of another one', () => {
    expect(seen(ended(part, { kind: 'unknown' }), [sold, back])).toEqual(['unknown'])
  })

  it.each(['refused', 'not-sent', 'no-trace'] as const)('has none where it did nothing: %s', kind => {
    expect(seen(ended(whole, { kind }))).toEqual([])
  })

  it('has no creation of an order', () => {
    expect(changesUnderWay([order({ attempts: [ended(sale, { kind: 'unknown' })] })], 2_000_000)).toEqual([])
  })
})

describe('changeTooLong', () => {
  const why = (attempt: KnownAttempt, stages = [sold], before = attempt.reservedAt) =>
    changeTooLong([order({ attempts: [ended(sale), attempt], stages })], before)
  const working = stage({ stage: 'reversal', serialNumber: 's-2' })
  const taken = ended(part, { serialNumber: 's-2' })

  it('asks about a change that was not answered', () => {
    expect(why(part)).toBe(
      'It is not known what became of the return of order basket-7. Ask the gateway whether it has it.',
    )
  })

  it.each([
    ['status does not show', [sold]],
    ['status shows at work', [sold, working]],
  ] as const)('asks about a change that the gateway took, and that %s', (_, stages) => {
    expect(why(taken, [...stages])).toBe('The return of order basket-7 has not ended. Ask the gateway how it stands.')
  })

  it.each([
    ['has ended', taken, [sold, back], taken.reservedAt],
    ['did nothing', ended(part, { kind: 'refused' }), [sold], part.reservedAt],
    ['is not so old', part, [sold], part.reservedAt - 1],
  ] as const)('asks about none that %s', (_, attempt, stages, before) => {
    expect(why(attempt, [...stages], before)).toBe(undefined)
  })
})
