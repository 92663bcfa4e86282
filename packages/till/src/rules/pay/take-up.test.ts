import { defaultProfile, type StatusResponse } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { purgedAt } from '../../../test/state/facts-of.js'
import { order, payment, sale } from '../../../test/state/payment-samples.js'
import { standingOf } from './standing.js'
import { type LostRequest, takeUpOrder } from './take-up.js'

const request: LostRequest = {
  attemptId: 'a-9',
  reservation: 'r-9',
  login: 'merchant',
  baseUrl: 'https://gate.example/paynet',
  fingerprint: '',
  clientOrderId: 'basket-7',
  operation: 'saleForm',
  purpose: 'sale',
}

const taken = (
  said: Partial<StatusResponse>,
  known = {},
  document = undefined as Parameters<typeof takeUpOrder>[0],
) => {
  const reply = {
    clientOrderId: 'basket-7',
    orderId: '77',
    status: 'approved',
    amount: '10.00',
    currency: 'EUR',
    raw: {},
    ...said,
  }
  const asked = { reply, age: 0 }
  return takeUpOrder(document, { ...request, ...known }, { asked, profile: defaultProfile, at: 9_000 })
}

const standingIn = (document: ReturnType<typeof taken>) => {
  const [first = order()] = document.orders
  return standingOf(first, 9_000, defaultProfile)
}

describe('takeUpOrder', () => {
  it.each([
    ['approved', 'approved'],
    ['declined', 'failed'],
    ['processing', 'open'],
  ] as const)('has an order that is %s as one whose request was here', (status, standing) => {
    const document = taken({ status, transactionType: 'sale' })
    expect(document.orders).toHaveLength(1)
    expect(document.orders[0]).toMatchObject({
      orderId: '77',
      attempts: [
        { operation: 'saleForm', stages: ['sale'], amount: '10.00', end: { kind: 'accepted', basis: 'status' } },
      ],
    })
    expect(standingIn(document)).toBe(standing)
  })

  it('says that it was begun with another purpose, where status shows that', () => {
    expect(taken({ transactionType: 'preauth' }).orders[0]?.attempts[0]?.stages).toEqual(['preauth'])
  })

  it('has a checked payout that was sent as one of both', () => {
    const document = taken({ transactionType: 'payout' }, { operation: 'payout', purpose: 'payout-check' })
    expect(document.orders[0]?.attempts[0]?.stages).toEqual(['payout-check', 'payout'])
  })

  it('leaves to a person what came of an order of which the beginning is not shown', () => {
    const document = taken({ transactionType: 'reversal', amount: '3.00' })
    expect(document.orders[0]?.attempts[0]).not.toHaveProperty('amount')
    expect(standingIn(document)).toBe('disputed')
  })

  it('keeps a request that is there, and puts one beside another that did nothing', () => {
    const there = payment(order({ attempts: [sale] }))
    expect(taken({ transactionType: 'sale' }, {}, there).orders[0]?.attempts).toEqual([sale])
    const never = payment(order({ attempts: [{ ...sale, end: { kind: 'refused', at: 2 } }] }))
    const attempts = taken({ transactionType: 'sale' }, {}, never).orders[0]?.attempts ?? []
    expect(attempts.map(({ reservation }) => reservation)).toEqual(['r-1', 'r-9'])
  })

  it('changes nothing about a payment of which only the ids are kept', () => {
    const over = purgedAt(payment(order({ attempts: [sale] })), 1)
    expect(taken({ transactionType: 'sale' }, {}, over)).toBe(over)
  })
})
