import { defaultProfile, type FinalOutcome, type StatusResponse } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { orderStatus } from './order-status.js'

const callback = {
  signed: { status: 'approved', orderId: '77', clientOrderId: 'o-1' },
  unsigned: {},
  keyLabel: 'key 1',
}

function statusOf(own: Partial<StatusResponse>, outcome: FinalOutcome = 'approved') {
  const reply = { clientOrderId: 'o-1', orderId: '77', status: outcome, raw: {}, ...own }
  return orderStatus({ reply, outcome }, callback, defaultProfile)
}

describe('orderStatus', () => {
  it.each<[string, FinalOutcome, string, string]>([
    ['sale', 'approved', 'paid', 'captured'],
    ['capture', 'approved', 'paid', 'captured'],
    ['preauth', 'approved', 'held', 'held'],
    ['account_verification', 'approved', 'verified', 'none'],
    ['payout', 'approved', 'sent', 'sent'],
    ['transfer', 'approved', 'sent', 'sent'],
    ['reversal', 'approved', 'returned', 'returned'],
    ['cancel', 'approved', 'released', 'released'],
    ['void', 'approved', 'released', 'released'],
    ['chargeback', 'approved', 'chargeback', 'returned'],
    ['sale', 'declined', 'declined', 'none'],
    ['preauth', 'filtered', 'declined', 'none'],
    ['payout', 'error', 'declined', 'none'],
    ['capture', 'declined', 'failed', 'none'],
    ['reversal', 'error', 'failed', 'none'],
    ['Riddle', 'approved', 'unrecognized', 'unknown'],
    ['Riddle', 'declined', 'unrecognized', 'none'],
  ])('calls a %s that is %s %s', (transactionType, outcome, kind, moneyMoved) => {
    expect(statusOf({ transactionType }, outcome)).toMatchObject({ kind, outcome, moneyMoved })
  })

  it('takes a reply that names no stage for nothing that it knows', () => {
    expect(statusOf({})).toMatchObject({ kind: 'unrecognized', stage: 'unrecognized', moneyMoved: 'unknown' })
  })

  it.each([
    [{ amount: '10.00', currency: 'EUR' }, true],
    [{ amount: '10', currency: 'EUR' }, true],
    [{ amount: '10.01', currency: 'EUR' }, false],
    [{ amount: '1000', currency: 'EUR' }, false],
    [{ amount: '10.00', currency: 'USD' }, false],
    [{ amount: '10.00' }, false],
    [{ currency: 'EUR' }, false],
    [{ amount: 'ten', currency: 'EUR' }, false],
    [{}, false],
  ])('says of %j whether it is over 10.00 EUR: %s', (money, isOver) => {
    expect(statusOf({ transactionType: 'sale', ...money }).isOver({ amount: '10.00', currency: 'EUR' })).toBe(isOver)
  })

  it('leaves out an amount that status does not say', () => {
    expect(statusOf({ transactionType: 'sale' })).not.toHaveProperty('amount')
  })
})
