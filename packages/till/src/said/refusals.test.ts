import type { Attempt, AttemptEnd } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import type { SendPermission } from '../rules/orders/reserve.js'
import type { RememberedAttempt } from '../state/attempt-rules.js'
import type { KnownOrder } from '../state/known.js'
import { reservationError } from './refusals.js'

const base = { attemptId: 'a-2', login: 'merchant', baseUrl: 'https://gate.example', fingerprint: '', reservedAt: 0 }
const order = { clientOrderId: 'o-1', amount: '10.00', currency: 'EUR' }
const sale: Attempt = { ...base, ...order, operation: 'sale', effect: 'creates', stages: ['sale'] }
const back = { operation: 'return', effect: 'changes', stages: ['reversal'], orderId: '77' } as const
const part: Attempt = { ...base, ...order, ...back }
const { amount: _amount, currency: _currency, ...whole } = part

const ended = (attempt: Attempt, kind?: AttemptEnd['kind']): RememberedAttempt =>
  kind === undefined ? attempt : { ...attempt, end: { kind, at: 1, orderId: '77' } }

const earlierOrder = (clientOrderId: string, outcome?: 'approved'): KnownOrder => ({
  clientOrderId,
  login: 'merchant',
  attempts: [],
  stages: outcome === undefined ? [] : [{ stage: 'sale', status: outcome, outcome, askedAt: 0, corrections: [] }],
})

type Refusal = Exclude<SendPermission, { kind: 'reserved' }>

describe('reservationError', () => {
  it.each<[string, Attempt, Refusal, object]>([
    [
      'was sent before and was accepted. Nothing was sent now.',
      sale,
      { kind: 'already-sent', earlier: ended(sale, 'accepted') },
      {
        code: 'ERR_ALREADY_SENT',
        field: 'clientOrderId',
        earlierEnding: 'accepted',
        orderId: '77',
        moneyMayHaveMoved: true,
      },
    ],
    [
      'was sent before and has not ended yet.',
      sale,
      { kind: 'already-sent', earlier: sale },
      { code: 'ERR_ALREADY_SENT', field: 'clientOrderId', moneyMayHaveMoved: true },
    ],
    [
      'was used before for another request (sale), which was never sent.',
      sale,
      { kind: 'other-content', earlier: ended(sale, 'not-sent') },
      { code: 'ERR_ALREADY_SENT', earlierEnding: 'not-sent', moneyMayHaveMoved: false },
    ],
    [
      '"attemptId" "a-2" was sent before',
      part,
      { kind: 'already-sent', earlier: ended(part, 'accepted') },
      { code: 'ERR_ALREADY_SENT', field: 'attemptId', moneyMayHaveMoved: true },
    ],
    [
      'an earlier one for the whole of that order ended without a known outcome. Ask status about it; where that does not show it, a person',
      whole,
      { kind: 'already-sent', earlier: ended(whole, 'unknown') },
      { code: 'ERR_ALREADY_SENT', field: 'orderId', moneyMayHaveMoved: true },
    ],
    [
      'an earlier return of that order has not ended yet, and of two open changes it could not be told which one happened. Wait for it.',
      part,
      { kind: 'open-change', earlier: part },
      { code: 'ERR_OPEN_CHANGE', openAttempt: part, moneyMayHaveMoved: true },
    ],
    [
      'Ask status about it first; where that does not show it, a person decides.',
      part,
      { kind: 'open-change', earlier: ended(part, 'unknown') },
      { code: 'ERR_OPEN_CHANGE', moneyMayHaveMoved: true },
    ],
    [
      'which was accepted, it could move more than there is. Look what is left, and name an amount.',
      whole,
      { kind: 'too-much', earlier: ended(part, 'accepted') },
      { code: 'ERR_OPEN_CHANGE', moneyMayHaveMoved: true },
    ],
    [
      'status shows this order already; it is approved. A second one would charge twice.',
      sale,
      { kind: 'open-order', earlier: earlierOrder('o-1', 'approved') },
      { code: 'ERR_ALREADY_SENT', field: 'clientOrderId', moneyMayHaveMoved: true },
    ],
    [
      'order "o-0" of the same payment is not known to have failed. Ask status about it first.',
      sale,
      { kind: 'open-order', earlier: earlierOrder('o-0') },
      { code: 'ERR_ALREADY_SENT', moneyMayHaveMoved: true },
    ],
    ['only its name is kept', sale, { kind: 'over' }, { code: 'ERR_ALREADY_SENT', moneyMayHaveMoved: true }],
    ['has no room for another attempt', sale, { kind: 'full' }, { code: 'ERR_NOT_SENT', moneyMayHaveMoved: false }],
    ['whose next order is "o-1.2r"', sale, { kind: 'skipped', next: 'o-1.2r' }, { code: 'ERR_INVALID_REQUEST' }],
    ['differs in case only', sale, { kind: 'other-case', reference: 'O-1' }, { code: 'ERR_INVALID_REQUEST' }],
  ])('says "%s"', (text, attempt, decision, fields) => {
    const error = reservationError(attempt, decision)
    expect(error).toMatchObject({ login: 'merchant', clientOrderId: 'o-1', operation: attempt.operation, ...fields })
    expect(error.message).toContain(text)
    // A program of a shop is asked nothing that a client which keeps nothing could answer.
    expect(error.message).not.toMatch(/client\.\w/)
  })

  it('has the earlier request at hand, and does not print it', () => {
    const earlier = ended(sale, 'accepted')
    const error = reservationError(sale, { kind: 'already-sent', earlier })
    expect(error).toHaveProperty('earlier', earlier)
    expect(Object.keys(error)).not.toContain('earlier')
  })
})
