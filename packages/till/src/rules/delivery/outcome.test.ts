import type { AttemptEnd } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { order, part, payment, sale, stage, whole } from '../../../test/state/payment-samples.js'
import type { KnownAttempt, KnownOrder, KnownStage } from '../../state/known.js'
import { outcomeToTell } from './outcome.js'

const accepted = (attempt: KnownAttempt, end: Partial<AttemptEnd> = {}): KnownAttempt => ({
  ...attempt,
  end: { kind: 'accepted', at: 2_000, ...end },
})
const over = (outcome: 'approved' | 'declined' | 'filtered' | 'error', fields: Partial<KnownStage> = {}) =>
  stage({ status: outcome, outcome, amount: '10.00', currency: 'EUR', ...fields })

const sold = accepted(sale)
const hold = accepted({ ...sale, operation: 'preauth', stages: ['preauth'] })
const held = over('approved', { stage: 'preauth' })
const capture = accepted({ ...part, operation: 'capture', stages: ['capture'] })
const captureAll = accepted({ ...whole, operation: 'capture', stages: ['capture'] })
const returnAll = accepted({ ...whole, operation: 'return', stages: ['cancel', 'reversal'] })
const check = accepted({ ...sale, operation: 'payoutV4Check', stages: ['payout-check'] })
const pay = accepted({ ...whole, operation: 'payoutPay', stages: ['payout'] })
const checked = over('approved', { stage: 'payout-check' })

/** The outcome of the last stage of an order, without what it is about. */
function told(fields: Partial<KnownOrder>) {
  const known = order(fields)
  const last = known.stages.at(-1) as KnownStage
  const {
    order: _,
    stage: about,
    login,
    reference,
    evidence,
    ...rest
  } = outcomeToTell(payment(known), { order: known, stage: last, key: '' })
  expect({ about, login, reference, evidence }).toEqual({
    about: last,
    login: 'merchant',
    reference: 'basket-7',
    evidence: 'status-reply',
  })
  return rest
}

const certain = (kind: string, outcome: string, moneyMoved: string, isExpected = true) => ({
  kind,
  outcome,
  moneyMoved,
  isExpected,
})

describe('outcomeToTell', () => {
  it.each<[string, Partial<KnownOrder>, ReturnType<typeof certain>]>([
    [
      'a sale that is approved',
      { attempts: [sold], stages: [over('approved')] },
      certain('paid', 'approved', 'captured'),
    ],
    [
      'a sale whose answer was lost',
      { attempts: [sale], stages: [over('approved')] },
      certain('paid', 'approved', 'captured'),
    ],
    [
      'an amount that is written otherwise',
      { attempts: [sold], stages: [over('approved', { amount: '10.0' })] },
      certain('paid', 'approved', 'captured'),
    ],
    [
      'a sale that is declined',
      { attempts: [sold], stages: [over('declined')] },
      certain('declined', 'declined', 'none'),
    ],
    [
      'a sale that is filtered',
      { attempts: [sold], stages: [over('filtered')] },
      certain('declined', 'filtered', 'none'),
    ],
    [
      'a declined sale over another amount',
      { attempts: [sold], stages: [over('declined', { amount: '9.00' })] },
      certain('declined', 'declined', 'none'),
    ],
    ['a hold', { attempts: [hold], stages: [held] }, certain('held', 'approved', 'held')],
    [
      'a hold that is captured as a whole',
      { attempts: [hold, captureAll], stages: [held, over('approved', { stage: 'capture' })] },
      certain('paid', 'approved', 'captured'),
    ],
    [
      'a hold of which a part is captured',
      { attempts: [hold, capture], stages: [held, over('approved', { stage: 'capture', amount: '3.00' })] },
      certain('paid', 'approved', 'captured'),
    ],
    [
      'the rest of a hold, after a part of it',
      {
        attempts: [hold, accepted(capture, { serialNumber: 's-1' }), accepted(captureAll, { serialNumber: 's-2' })],
        stages: [
          held,
          over('approved', { stage: 'capture', amount: '3.00', serialNumber: 's-1' }),
          over('approved', { stage: 'capture', amount: '7.00', serialNumber: 's-2' }),
        ],
      },
      certain('paid', 'approved', 'captured'),
    ],
    [
      'a capture that is declined',
      { attempts: [hold, capture], stages: [held, over('declined', { stage: 'capture', amount: '3.00' })] },
      certain('failed', 'declined', 'none'),
    ],
    [
      'a void operation',
      { attempts: [hold, accepted(whole)], stages: [held, over('approved', { stage: 'void' })] },
      certain('released', 'approved', 'released'),
    ],
    [
      'a void operation of a person at the gateway',
      { attempts: [hold], stages: [held, over('approved', { stage: 'void' })] },
      certain('released', 'approved', 'released', false),
    ],
    [
      'a return of a hold',
      { attempts: [hold, returnAll], stages: [held, over('approved', { stage: 'cancel' })] },
      certain('released', 'approved', 'released'),
    ],
    [
      'a return of a part',
      {
        attempts: [sold, accepted(part)],
        stages: [over('approved'), over('approved', { stage: 'reversal', amount: '3.00' })],
      },
      certain('returned', 'approved', 'returned'),
    ],
    [
      'a return by a person at the gateway',
      { attempts: [sold], stages: [over('approved'), over('approved', { stage: 'reversal', amount: '3.00' })] },
      certain('returned', 'approved', 'returned', false),
    ],
    [
      'a return of the whole, after a part of it',
      {
        attempts: [sold, returnAll],
        stages: [over('approved'), over('approved', { stage: 'reversal', amount: '7.00' })],
      },
      certain('returned', 'approved', 'returned'),
    ],
    [
      'a chargeback',
      { attempts: [sold], stages: [over('approved'), over('approved', { stage: 'chargeback', amount: '25.00' })] },
      certain('chargeback', 'approved', 'returned', false),
    ],
    [
      'a decline that is taken back',
      {
        attempts: [sold],
        stages: [over('declined', { corrections: [{ from: 'declined', to: 'approved', askedAt: 9 }] })],
      },
      certain('paid', 'approved', 'captured'),
    ],
    [
      'a payout that was checked',
      { attempts: [check, pay], stages: [checked, over('approved', { stage: 'payout' })] },
      certain('sent', 'approved', 'sent'),
    ],
    ['a check of a payout', { attempts: [check], stages: [checked] }, certain('verified', 'approved', 'none')],
  ])('is certain of %s', (_, fields, expected) => {
    expect(told(fields)).toEqual(expected)
  })

  it.each<[string, Partial<KnownOrder>, string, string]>([
    [
      'approves another amount',
      { attempts: [sold], stages: [over('approved', { amount: '9.99' })] },
      'amount-differs',
      '"9.99" "EUR", asked for was "10.00" "EUR"',
    ],
    [
      'approves another currency',
      { attempts: [sold], stages: [over('approved', { currency: 'USD' })] },
      'amount-differs',
      'over "10.00" "USD"',
    ],
    [
      'does not say the amount',
      { attempts: [sold], stages: [stage({ status: 'approved', outcome: 'approved', currency: 'EUR' })] },
      'amount-differs',
      'asked for was "10.00" "EUR"',
    ],
    [
      'approves another amount, and no currency was asked for',
      {
        attempts: [{ ...sold, currency: undefined } as unknown as KnownAttempt],
        stages: [over('approved', { amount: '9.99' })],
      },
      'amount-differs',
      '9.99',
    ],
    [
      'says other money later',
      { attempts: [sold], stages: [over('approved', { restated: { amount: '1.00', currency: 'EUR', askedAt: 9 } })] },
      'amount-differs',
      'a later reply said "1.00" "EUR"',
    ],
    [
      'captures less than the hold, of which all was asked for',
      { attempts: [hold, captureAll], stages: [held, over('approved', { stage: 'capture', amount: '8.00' })] },
      'amount-differs',
      'asked for was "10.00" "EUR"',
    ],
    [
      'captures another amount under our number',
      {
        attempts: [hold, accepted(capture, { serialNumber: 's-1' })],
        stages: [held, over('approved', { stage: 'capture', amount: '10.00', serialNumber: 's-1' })],
      },
      'amount-differs',
      'asked for was "3.00" "EUR"',
    ],
    [
      'pays out another amount than was checked',
      { attempts: [check, pay], stages: [checked, over('approved', { stage: 'payout', amount: '100.00' })] },
      'amount-differs',
      'asked for was "10.00" "EUR"',
    ],
    [
      'takes an approval back',
      {
        attempts: [sold],
        stages: [over('approved', { corrections: [{ from: 'approved', to: 'declined', askedAt: 9 }] })],
      },
      'corrected',
      '"approved", then "declined"',
    ],
    [
      'takes an approval back twice',
      {
        attempts: [sold],
        stages: [
          over('declined', {
            corrections: [
              { from: 'declined', to: 'approved', askedAt: 9 },
              { from: 'approved', to: 'declined', askedAt: 10 },
              { from: 'declined', to: 'approved', askedAt: 11 },
            ],
          }),
        ],
      },
      'corrected',
      '"declined", then "approved"',
    ],
    [
      'took back a word that was not kept',
      {
        attempts: [sold],
        stages: [over('declined', { corrections: [{ from: 'declined', to: 'approved', askedAt: 9, nth: 2 }] })],
      },
      'corrected',
      '"declined", then "approved"',
    ],
    [
      'takes a decline back, over other money',
      {
        attempts: [sold],
        stages: [
          over('declined', {
            corrections: [{ from: 'declined', to: 'approved', askedAt: 9 }],
            restated: { amount: '1.00', currency: 'EUR', askedAt: 9 },
          }),
        ],
      },
      'amount-differs',
      'a later reply said "1.00" "EUR"',
    ],
    [
      'captures what nobody asked for',
      { attempts: [hold], stages: [held, over('approved', { stage: 'capture' })] },
      'not-asked-for',
      'no request for one',
    ],
    ['charges what nobody asked for', { stages: [over('approved')] }, 'not-asked-for', 'no request for one'],
    [
      'captures what we asked for over another amount, without a number',
      { attempts: [hold, capture], stages: [held, over('approved', { stage: 'capture', amount: '4.00' })] },
      'not-asked-for',
      'over "4.00" "EUR"',
    ],
    [
      'reports what is not known here',
      {
        attempts: [sold],
        stages: [over('approved'), over('approved', { stage: 'unrecognized', word: 'dispute fee' })],
      },
      'unrecognized',
      '"dispute fee"',
    ],
    [
      'reports a decline of what is not known here',
      { attempts: [sold], stages: [over('declined', { stage: 'unrecognized', word: 'dispute' })] },
      'unrecognized',
      '"dispute"',
    ],
  ])('leaves it to a person where the gateway %s', (_, fields, reason, words) => {
    expect(told(fields)).toEqual({ kind: 'disputed', reason, explanation: expect.stringContaining(words) })
  })

  it('names the order that it is about, and the payment', () => {
    const later = order({
      clientOrderId: 'basket-7.2r',
      orderId: '78',
      attempts: [{ ...sold, clientOrderId: 'basket-7.2r' }],
      stages: [over('approved')],
    })
    const document = payment(order({ attempts: [sold], stages: [over('declined')] }), later)
    expect(outcomeToTell(document, { order: later, stage: later.stages[0] as KnownStage, key: '' })).toMatchObject({
      kind: 'paid',
      reference: 'basket-7',
      order: { clientOrderId: 'basket-7.2r', orderId: '78', stages: later.stages },
    })
  })

  describe('of money that another order has brought already', () => {
    const next = (fields: Partial<KnownOrder>) =>
      order({ clientOrderId: 'basket-7.2r', attempts: [{ ...sold, clientOrderId: 'basket-7.2r' }], ...fields })
    const kindOf = (known: KnownOrder, ...others: readonly KnownOrder[]) =>
      outcomeToTell(payment(known, ...others), { order: known, stage: known.stages.at(-1) as KnownStage, key: '' }).kind
    const late = [{ from: 'declined', to: 'approved', askedAt: 9 }]
    const declinedThenPaid = order({ attempts: [sold], stages: [over('declined', { corrections: late, told: 1 })] })

    it('is surplus, whichever order was told first', () => {
      expect(kindOf(declinedThenPaid, next({ stages: [over('approved', { told: 1 })] }))).toBe('surplus')
      expect(
        kindOf(next({ stages: [over('approved')] }), { ...declinedThenPaid, stages: [over('approved', { told: 1 })] }),
      ).toBe('surplus')
    })

    it('is surplus as well where something new became known of the other one after it was told', () => {
      const restated = { restated: { amount: '1.00', currency: 'EUR', askedAt: 9 }, told: 1 }
      expect(
        kindOf(
          order({ attempts: [sold], stages: [over('declined', { corrections: late, told: 1 })] }),
          next({ stages: [over('approved', restated)] }),
        ),
      ).toBe('surplus')
    })

    it('is paid where of the other one only its decline was told', () => {
      const corrected = order({ attempts: [sold], stages: [over('declined', { corrections: late, told: 1 })] })
      expect(kindOf(next({ stages: [over('approved')] }), corrected)).toBe('paid')
    })

    it('is paid where the other one was not told yet: then that one is surplus', () => {
      expect(kindOf(declinedThenPaid, next({ stages: [over('approved')] }))).toBe('paid')
    })

    it('is paid where the hold of the other one was given back', () => {
      const voided = order({
        attempts: [hold, accepted(whole)],
        stages: [{ ...held, told: 1 }, over('approved', { stage: 'void', told: 1 })],
      })
      expect(kindOf(next({ stages: [over('approved')] }), voided)).toBe('paid')
    })
  })
})
