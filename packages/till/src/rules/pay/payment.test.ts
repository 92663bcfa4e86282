import { type AttemptEnd, defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { order, part, payment, sale, stage, whole } from '../../../test/state/payment-samples.js'
import type { PaymentDocument } from '../../state/document.js'
import type { KnownAttempt, KnownOrder, KnownStage } from '../../state/known.js'
import { permissionToSend } from '../orders/reserve.js'
import { type PaymentState, paymentOf } from './payment.js'

const ended = (attempt: KnownAttempt, end: Partial<AttemptEnd> = {}): KnownAttempt => ({
  ...attempt,
  end: { kind: 'accepted', at: 2_000, orderId: '77', ...end },
})
const over = (outcome: 'approved' | 'declined', fields: Partial<KnownStage> = {}) =>
  stage({ status: outcome, outcome, amount: '10.00', currency: 'EUR', ...fields })
const sold = ended(sale)
const hold = ended({ ...sale, operation: 'preauth', stages: ['preauth'] })
const held = over('approved', { stage: 'preauth' })
const later = (fields: Partial<KnownOrder>) =>
  order({ clientOrderId: 'basket-7.2r', attempts: [{ ...sold, clientOrderId: 'basket-7.2r' }], ...fields })

const view = (document: PaymentDocument | undefined, at = 40_000) =>
  paymentOf(document, { reference: 'basket-7', at, profile: defaultProfile })

describe('paymentOf', () => {
  it.each<[PaymentState, string, PaymentDocument | undefined]>([
    ['new', 'nothing was sent', undefined],
    ['new', 'its only request was not sent', payment(order({ attempts: [ended(sale, { kind: 'not-sent' })] }))],
    ['open', 'its request is on its way', payment(order({ attempts: [sale] }))],
    ['open', 'the gateway has it', payment(order({ attempts: [sold] }))],
    ['unknown', 'its request was not answered', payment(order({ attempts: [ended(sale, { kind: 'unknown' })] }))],
    ['paid', 'its sale is approved', payment(order({ attempts: [sold], stages: [over('approved')] }))],
    ['held', 'its hold is approved', payment(order({ attempts: [hold], stages: [held] }))],
    [
      'paid',
      'some of its hold is captured',
      payment(
        order({
          attempts: [hold, ended({ ...part, operation: 'capture', stages: ['capture'] })],
          stages: [held, over('approved', { stage: 'capture', amount: '3.00' })],
        }),
      ),
    ],
    [
      'released',
      'its hold was given back',
      payment(order({ attempts: [hold, ended(whole)], stages: [held, over('approved', { stage: 'void' })] })),
    ],
    [
      'declined',
      'its last order failed',
      payment(order({ attempts: [sold], stages: [over('declined')] }), later({ stages: [over('declined')] })),
    ],
    [
      'paid',
      'its second order is approved',
      payment(order({ attempts: [sold], stages: [over('declined')] }), later({ stages: [over('approved')] })),
    ],
    [
      'returned',
      'the bank took it back',
      payment(order({ attempts: [sold], stages: [over('approved'), over('approved', { stage: 'chargeback' })] })),
    ],
    [
      'surplus',
      'two orders brought money',
      payment(order({ attempts: [sold], stages: [over('approved')] }), later({ stages: [over('approved')] })),
    ],
    [
      'disputed',
      'the gateway took an approval back',
      payment(
        order({
          attempts: [sold],
          stages: [over('approved', { corrections: [{ from: 'approved', to: 'declined', askedAt: 9 }] })],
        }),
      ),
    ],
    [
      'disputed',
      'another amount was approved than was asked for',
      payment(order({ attempts: [sold], stages: [over('approved', { amount: '1.00' })] })),
    ],
    [
      'disputed',
      'more was given back than was asked for',
      payment(
        order({
          attempts: [sold, ended(part, { serialNumber: 's-2' })],
          stages: [over('approved'), over('approved', { stage: 'reversal', serialNumber: 's-2' })],
        }),
      ),
    ],
    [
      'disputed',
      'a capture came of nothing that was held',
      payment(order({ stages: [over('approved', { stage: 'capture' })] })),
    ],
    ['purged', 'only its name is left', { ...payment(order()), over: 5 }],
  ])('is %s where %s', (state, _, document) => {
    expect(view(document).state).toBe(state)
  })

  it('says how much of it is left, and what is possible now', () => {
    const reversal = over('approved', { stage: 'reversal', amount: '3.00', serialNumber: 's-2' })
    const returned = order({
      attempts: [sold, ended(part, { serialNumber: 's-2' })],
      stages: [over('approved'), reversal],
    })
    expect(view(payment(returned))).toMatchObject({
      amount: '10.00',
      currency: 'EUR',
      totals: { captured: '10.00', returned: '3.00', returnable: '7.00' },
      allowed: { capture: false, void: false, return: 'reversal' },
      needsPerson: undefined,
    })
  })

  it.each([
    ['while it is not known what became of a change', order({ attempts: [hold, whole], stages: [held] })],
    [
      'once it is released',
      order({ attempts: [hold, ended(whole)], stages: [held, over('approved', { stage: 'void' })] }),
    ],
  ])('allows nothing %s', (_, known) => {
    expect(view(payment(known)).allowed).toEqual({ capture: false, void: false, return: undefined })
  })

  it('says why a person must look', () => {
    const twice = payment(
      order({ attempts: [sold], stages: [over('approved')] }),
      later({ stages: [over('approved')] }),
    )
    expect(view(twice).needsPerson).toContain('give one of them back')
    expect(view(payment(order({ attempts: [sold], crowded: true }))).needsPerson).toContain(
      'more of it than the store has room for',
    )
  })

  it.each([
    ['was not answered', order({ attempts: [ended(sale, { kind: 'unknown' })] }), 'whether it has that order'],
    ['has not ended', order({ attempts: [sold] }), 'has not ended'],
  ])('says so where a request %s for longer than a merchant is patient', (_, about, words) => {
    const seen = (at: number) =>
      paymentOf(payment(about), { reference: 'basket-7', at, profile: defaultProfile, patience: 60_000 }).needsPerson
    expect([seen(60_999), seen(61_000)]).toEqual([undefined, expect.stringContaining(words)])
  })

  it('needs nobody for a form that a customer left', () => {
    const left = payment(order({ attempts: [{ ...sold, operation: 'saleForm' }] }))
    const late = { reference: 'basket-7', at: 99_000_000, profile: defaultProfile, patience: 1 }
    expect(paymentOf(left, late).needsPerson).toBe(undefined)
  })

  it('is no surplus where two orders verified a card, or one of two only checked', () => {
    const card = { ...sold, stages: ['verification'] as const }
    const verified = over('approved', { stage: 'verification' })
    const two = payment(
      order({ attempts: [card], stages: [verified] }),
      later({ attempts: [{ ...card, clientOrderId: 'basket-7.2r' }], stages: [verified] }),
    )
    expect(view(two)).toMatchObject({ state: 'verified', needsPerson: undefined })
    const checkOf = { ...sold, operation: 'payoutCheck', stages: ['payout-check'] as const }
    const check = over('approved', { stage: 'payout-check' })
    const sent = over('declined', {
      stage: 'payout',
      corrections: [{ from: 'declined', to: 'approved', askedAt: 9_000 }],
    })
    const pay = ended({ ...whole, operation: 'payoutPay', stages: ['payout'] })
    const late = payment(
      order({ attempts: [checkOf, pay], stages: [check, sent] }),
      later({ attempts: [{ ...checkOf, clientOrderId: 'basket-7.2r' }], stages: [check] }),
    )
    expect(view(late)).toMatchObject({ state: 'sent', needsPerson: undefined })
  })

  it('is paid again once all of the surplus was given back', () => {
    const back = over('approved', { stage: 'reversal', serialNumber: 's-2' })
    const returned = later({
      attempts: [
        { ...sold, clientOrderId: 'basket-7.2r' },
        ended({ ...part, amount: '10.00' }, { serialNumber: 's-2' }),
      ],
      stages: [over('approved'), back],
    })
    const both = payment(order({ attempts: [sold], stages: [over('approved')] }), returned)
    expect(view(both)).toMatchObject({ state: 'paid', needsPerson: undefined })
  })

  it('says which orders it has, and why one was declined', () => {
    const first = order({ attempts: [ended(sale, { kind: 'no-trace' })] })
    const second = later({ stages: [over('declined', { errorMessage: 'Decline, expired card', errorCode: '101' })] })
    expect(view(payment(first, second)).orders.map(({ standing, reason }) => [standing, reason?.message])).toEqual([
      ['failed', undefined],
      ['failed', 'Decline, expired card'],
    ])
  })
})

// ADR 0009 and 0017: when a sum would be a guess. Here is what a person is told of it.
describe('paymentOf, of totals that would be a guess', () => {
  const sale = over('approved', { serialNumber: 's-0' })
  const back = over('approved', { stage: 'reversal', amount: '3.00' })
  const failedBack = over('declined', { stage: 'reversal', amount: '3.00' })
  const lost = ended({ ...part, operation: 'return', stages: ['reversal'], amount: '3.00' }, { kind: 'unknown' })

  it.each<[string, PaymentDocument, string | undefined]>([
    ['nothing where there are totals', payment(order({ attempts: [sold], stages: [sale] })), undefined],
    ['nothing where no money moved', payment(order({ attempts: [sold], stages: [over('declined')] })), undefined],
    [
      'of a return that no request is behind',
      payment(order({ attempts: [sold], stages: [sale, back] })),
      'Status shows the return over 3.00 EUR, and no request in this store is behind that: it was made at the gateway’s screens, by another program, or by the bank. Status does not say whether it happened once or more often.',
    ],
    [
      'of a return whose answer was lost',
      payment(order({ attempts: [sold, lost], stages: [sale, back] })),
      'The answer to a request was lost, and status does not say which request the return over 3.00 EUR came from.',
    ],
    [
      'of a return that was not answered, and that status does not show',
      payment(order({ attempts: [sold, lost], stages: [sale] })),
      'The return over 3.00 EUR was not answered, so that it is not known whether it happened.',
    ],
    [
      'of a sale without an amount',
      payment(order({ attempts: [sold], stages: [stage({ status: 'approved', outcome: 'approved' })] })),
      'Status does not say how much the sale was over.',
    ],
    [
      'of a return that failed, and that no request is behind',
      payment(order({ attempts: [sold], stages: [sale, failedBack] })),
      'Status shows the return over 3.00 EUR, which failed, and no request in this store is behind that. Status shows only what came last: another change may have come before it. Look the order up at the gateway, and give till.adopt the serial numbers of its requests.',
    ],
    [
      'nothing of one that failed and was approved at last, whose amount may stand for several',
      payment(
        order({
          attempts: [sold],
          stages: [sale, { ...failedBack, corrections: [{ from: 'declined', to: 'approved', askedAt: 9 }] }],
        }),
      ),
      'Status shows the return over 3.00 EUR, and no request in this store is behind that: it was made at the gateway’s screens, by another program, or by the bank. Status does not say whether it happened once or more often.',
    ],
    [
      'nothing of one that a person has settled',
      payment(order({ attempts: [sold], stages: [sale, { ...failedBack, wordsBefore: 2 }] })),
      undefined,
    ],
    [
      'of one that came after a person had settled another',
      payment(
        order({
          attempts: [sold],
          stages: [sale, { ...failedBack, wordsBefore: 2 }, { ...failedBack, amount: '5.00', askedAt: 99_000 }],
        }),
      ),
      'Status shows the return over 5.00 EUR, which failed, and no request in this store is behind that. Status shows only what came last: another change may have come before it. Look the order up at the gateway, and give till.adopt the serial numbers of its requests.',
    ],
    [
      'of a gateway that contradicted itself',
      payment(order({ attempts: [sold], stages: [{ ...sale, restated: { amount: '9.00', askedAt: 7 } }] })),
      'The gateway contradicted itself about it.',
    ],
  ])('says %s', (_, document, uncertain) => {
    const { totals, ...shown } = view(document)
    expect([shown.uncertain, totals === undefined || uncertain === undefined]).toEqual([uncertain, true])
  })

  it('lists what the handler was not told, by the latest word', () => {
    const late = over('declined', { told: 1, corrections: [{ from: 'declined', to: 'approved', askedAt: 9 }] })
    expect(view(payment(order({ attempts: [sold], stages: [{ ...sale, told: 1 }, back] }))).untold).toEqual([
      { clientOrderId: 'basket-7', stage: 'reversal', status: 'approved', amount: '3.00', currency: 'EUR' },
    ])
    expect(view(payment(order({ attempts: [sold], stages: [late] }))).untold).toMatchObject([{ status: 'approved' }])
  })
})

describe('an order that the merchant gave no id', () => {
  const { clientOrderId: _id, ...nameless } = ended({ ...part, operation: 'capture', stages: ['capture'] })
  const document = payment({
    login: 'merchant',
    orderId: '77',
    attempts: [nameless],
    stages: [held, over('approved', { stage: 'capture', amount: '3.00', serialNumber: 's-1' })],
  })

  it('has totals', () => {
    expect(view(document).totals).toMatchObject({ captured: '3.00', held: '7.00' })
  })

  it('has room for another part, and for no more than is left', () => {
    const { end: _end, ...another } = { ...nameless, attemptId: 'parcel-3', reservation: 'r-3' }
    const named = { ...document, reference: '77' }
    const kindOf = (amount: string) => permissionToSend(named, { ...another, amount }).kind
    expect([kindOf('7.00'), kindOf('7.01')]).toEqual(['reserved', 'too-much'])
  })
})
