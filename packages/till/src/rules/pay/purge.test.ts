import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { order, part, payment, sale, stage, whole } from '../../../test/state/payment-samples.js'
import type { PaymentDocument } from '../../state/document.js'
import type { KnownAttempt, KnownOrder, KnownStage } from '../../state/known.js'
import { purged } from './purge.js'

const day = 86_400_000
const terms = { profile: defaultProfile, at: 600 * day, before: 60 * day }

const sent = (attempt: KnownAttempt): KnownAttempt => ({
  ...attempt,
  end: { kind: 'accepted', at: 2_000, orderId: '77', serialNumber: attempt.reservation },
})
const told = (fields: Partial<KnownStage> = {}) =>
  stage({ status: 'approved', outcome: 'approved', amount: '10.00', currency: 'EUR', told: 1, ...fields })
const paid = order({ orderId: '77', attempts: [sent(sale)], stages: [told()] })
const hold = { ...sale, operation: 'preauth', stages: ['preauth'] } as const

const isPurged = (document: PaymentDocument) => purged(document, terms) !== document

describe('purged', () => {
  it.each<[string, KnownOrder]>([
    ['paid', paid],
    [
      'released',
      order({
        orderId: '77',
        attempts: [sent(hold), sent(whole)],
        stages: [told({ stage: 'preauth' }), told({ stage: 'void' })],
      }),
    ],
    [
      'given back in part',
      order({
        orderId: '77',
        attempts: [sent(sale), sent(part)],
        stages: [told(), told({ stage: 'reversal', amount: '3.00', serialNumber: 'r-2' })],
      }),
    ],
    ['never sent', order({ attempts: [{ ...sale, end: { kind: 'not-sent', at: 2_000 } }] })],
  ])('keeps nothing but ids of a payment that is %s', (_, done) => {
    expect(purged(payment(done), terms)).toEqual({
      v: 1,
      reference: 'basket-7',
      facts: [expect.objectContaining({ kind: 'purged' })],
      orders: [{ clientOrderId: 'basket-7', orderId: done.orderId, login: 'merchant', attempts: [], stages: [] }],
      over: 600 * day,
    })
  })

  it.each<[string, KnownOrder]>([
    ['is open', order({ orderId: '77', attempts: [sent(sale)] })],
    ['is under way', order({ orderId: '77', attempts: [sent(sale)], stages: [stage()] })],
    ['was not answered', order({ attempts: [{ ...sale, end: { kind: 'unknown', at: 2_000 } }] })],
    ['was never said to have ended', order({ attempts: [sale] })],
    ['was declined', order({ attempts: [sent(sale)], stages: [told({ status: 'declined', outcome: 'declined' })] })],
    ['was left', order({ orderId: '77', attempts: [sent(sale)], left: 'replaced' })],
    ['was not told', { ...paid, stages: [told({ told: 0 })] }],
    ['has a callback that has no answer yet', { ...paid, callbackAt: 3_000 }],
    [
      'has one that status did not show',
      { ...paid, unshown: [{ status: 'declined', outcome: 'declined', at: 3_000, since: 4_000 }] },
    ],
    ['has a change without an end', { ...paid, attempts: [sent(sale), part] }],
    ['has a change under way', { ...paid, attempts: [sent(sale), sent(part)] }],
    ['is crowded', { ...paid, crowded: true }],
    [
      'is disputed',
      { ...paid, stages: [told({ corrections: [{ from: 'approved', to: 'declined', askedAt: 9 }], told: 2 })] },
    ],
    ['is known by a callback only', order({ callbackAt: 3_000 })],
    ['is younger', { ...paid, stages: [told({ askedAt: 60 * day })] }],
    ['was sent since', { ...paid, attempts: [{ ...sent(sale), reservedAt: 61 * day, sendBy: 61 * day }] }],
  ])('keeps one that %s', (_, kept) => {
    expect(isPurged(payment(kept))).toBe(false)
  })

  it('keeps one that is being told, one with wishes, one that two orders brought money for, and one that is purged', () => {
    const telling = { token: 'a', order: 0, stage: 0, words: 1, until: 9_000 }
    const wish = { name: 'capture', clientOrderId: 'basket-7', before: [], since: 1 } as const
    expect(isPurged({ ...payment(paid), telling })).toBe(false)
    expect(isPurged({ ...payment(paid), wishes: [wish] })).toBe(false)
    expect(isPurged(payment(paid, { ...paid, clientOrderId: 'basket-7.2r' }))).toBe(false)
    expect(isPurged(purged(payment(paid), terms))).toBe(false)
    expect(isPurged({ ...payment(paid), orders: [] })).toBe(false)
    expect(isPurged(payment(paid))).toBe(true)
  })
})
