import { describe, expect, it } from 'vitest'
import { order, payment, sale, stage, whole } from '../../../test/state/payment-samples.js'
import { overdueSeen } from '../orders/absence.js'
import { attemptEnded } from '../orders/happened.js'
import { entryOf } from './entry.js'

const approved = stage({ status: 'approved', outcome: 'approved', told: 1, amount: '10.00', currency: 'EUR' })
const accepted = { ...sale, end: { kind: 'accepted', at: 2_000 } } as const

describe('overdueSeen', () => {
  it('puts a change that was reserved and never sent on the list of what is not known', () => {
    const crashed = payment(order({ orderId: '77', attempts: [accepted, whole], stages: [approved] }))
    expect(entryOf(crashed).list).toBe('open')
    // Reserved at 1,000, sent until 31,000; whoever waited for an answer has given up at 61,000.
    expect(overdueSeen(crashed, 60_999)).toBe(crashed)
    const seen = overdueSeen(crashed, 61_000)
    expect(entryOf(seen).list).toBe('unknown')
    expect(overdueSeen(seen, 70_000)).toBe(seen)
  })

  it('takes it off that list once its end is known after all', () => {
    const seen = overdueSeen(payment(order({ orderId: '77', attempts: [accepted, whole], stages: [approved] })), 61_000)
    expect(entryOf(attemptEnded(seen, whole, { kind: 'not-sent', at: 80_000 })).list).toBeNull()
  })
})
