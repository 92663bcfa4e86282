import { describe, expect, it } from 'vitest'
import type { PaymentDocument } from '../../../packages/till/src/state/document.js'
import { evolve } from '../../../packages/till/src/state/evolve.js'
import type { KnownAttempt, KnownOrder } from '../../../packages/till/src/state/known.js'
import { knownSale, paidPayment } from '../../../packages/till/test/engine/known-sale.js'
import { forgotten } from '../src/walk/forgotten.js'

/** An upload for 3DS that was not answered. */
const { end: _unanswered, ...sent } = knownSale
const upload: KnownAttempt = { ...sent, reservation: 'run/1', operation: 'upload', effect: 'changes', stages: [] }
const unshown = { at: 2_000, since: 1_000, stage: 'reversal', status: 'approved', outcome: 'approved' } as const
const decision = { matter: { kind: 'abandon', clientOrderId: 'basket-7' }, who: 'ada', why: 'closed', at: 5 } as const

/** A payment with other orders. */
const withOrder = (payment: PaymentDocument, change: (order: KnownOrder) => KnownOrder): PaymentDocument => ({
  ...payment,
  orders: payment.orders.map(change),
})

const undecided = withOrder(paidPayment, order => ({
  ...order,
  attempts: [...order.attempts, upload],
  unshown: [unshown],
}))
const payment: PaymentDocument = { ...undecided, decisions: [decision] }
const purged = evolve(payment, {
  kind: 'purged',
  at: 9_000,
  orders: [{ login: 'merchant', clientOrderId: 'basket-7', orderId: '77' }],
})

describe('a write takes nothing away', () => {
  it.each<[string, PaymentDocument | undefined, PaymentDocument]>([
    ['that writes the same', payment, payment],
    ['that is the first one', undefined, paidPayment],
    ['that adds an order', payment, { ...payment, orders: [...payment.orders, ...payment.orders] }],
    ['that purges the whole payment', payment, purged],
    ['that drops a proposal', { ...undecided, decisions: [{ ...decision, proposal: 'replaced' }] }, undecided],
  ])('%s', (_, before, after) => {
    expect(forgotten(before, after)).toBe(undefined)
  })
})

describe('a write takes away', () => {
  const changed = (change: (order: KnownOrder) => KnownOrder): PaymentDocument => withOrder(payment, change)

  it.each<[string, PaymentDocument | undefined]>([
    ['order basket-7', { ...payment, orders: [] }],
    ['order basket-7', undefined],
    ['order basket-7', changed(order => ({ ...order, login: 'merchant-2' }))],
    ['order basket-7', changed(order => ({ ...order, orderId: '78' }))],
    ['order basket-7', { ...purged, orders: [] }],
    ['sale of order basket-7', changed(order => ({ ...order, stages: [] }))],
    [
      'sale of order basket-7',
      changed(order => ({ ...order, stages: order.stages.map(({ outcome: _none, ...stage }) => stage) })),
    ],
    ['request run/0 of order basket-7', changed(order => ({ ...order, attempts: [upload] }))],
    ['request run/1 of order basket-7', changed(order => ({ ...order, attempts: [knownSale] }))],
    ['a callback that status did not show of order basket-7', changed(({ unshown: _gone, ...order }) => order)],
    ['the decision "abandon"', undecided],
  ])('%s', (what, after) => {
    expect(forgotten(payment, after)).toEqual({ rule: 'nothing is forgotten', what: `${what} is kept no longer` })
  })

  it('the end of basket-7', () => {
    expect(forgotten(purged, payment)?.what).toBe('the end of basket-7 is kept no longer')
  })
})
