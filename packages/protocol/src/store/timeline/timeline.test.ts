import { describe, expect, it } from 'vitest'
import { order, payment, sale, stage } from '../../../test/payment-samples.js'
import { defaultProfile } from '../../profile/profile.js'
import type { DecidedMatter, KnownDecision } from '../decision.js'
import type { KnownAttempt, KnownStage, PaymentDocument } from '../document.js'
import { timelineOf } from './timeline.js'

const sold: KnownAttempt = { ...sale, end: { kind: 'accepted', at: 2_000, orderId: '77' } }
const over = (outcome: 'approved' | 'declined', fields: Partial<KnownStage> = {}) =>
  stage({ status: outcome, outcome, amount: '10.00', currency: 'EUR', ...fields })
const texts = (document: PaymentDocument, kind?: string) =>
  timelineOf(document, defaultProfile).flatMap(each => (kind === undefined || each.kind === kind ? each.text : []))

describe('timelineOf', () => {
  it('puts what has no time where it belongs', () => {
    const first = order({
      attempts: [{ ...sold, end: { kind: 'accepted', at: 2_000, orderId: '77' } }],
      stages: [over('declined', { told: 1, corrections: [{ from: 'declined', to: 'approved', askedAt: 90_000 }] })],
      left: 'replaced',
    })
    const second = order({
      clientOrderId: 'basket-7.2r',
      attempts: [{ ...sold, clientOrderId: 'basket-7.2r', reservedAt: 50_000, end: { kind: 'accepted', at: 51_000 } }],
      stages: [over('approved', { askedAt: 52_000, told: 1 })],
    })
    const kinds = timelineOf(payment(first, second), defaultProfile).map(({ kind, order }) => `${order} ${kind}`)
    expect(kinds).toEqual([
      '1 opened',
      '1 request',
      '1 answer',
      '1 left',
      '1 status',
      '1 told',
      '2 opened',
      '2 request',
      '2 answer',
      '2 status',
      '2 told',
      '1 corrected',
    ])
  })

  it('says of a late approval that another order had brought money', () => {
    const late = order({
      attempts: [sold],
      stages: [over('declined', { corrections: [{ from: 'declined', to: 'approved', askedAt: 90_000 }] })],
    })
    const paid = order({ clientOrderId: 'basket-7.2r', stages: [over('approved', { askedAt: 52_000 })] })
    expect(texts(payment(late, paid), 'corrected')).toEqual([
      'The gateway corrected itself: the sale of order basket-7 is approved; before, it said that it was declined. It counts as approved. Order basket-7.2r had brought money already.',
    ])
  })

  it('quotes what the gateway says, and what looks like a card number in it is masked', () => {
    const strange = over('declined', { errorCode: 'a\nb', errorMessage: 'card 4444444444444448\nis "bad"' })
    expect(texts(payment(order({ attempts: [sold], stages: [strange] })), 'status')).toEqual([
      'The gateway said that the sale over 10.00 EUR was declined: "card 444444******4448\\nis \\"bad\\"" (code "a\\nb").',
    ])
  })

  it('names a part by its key, masked where it looks like a card number, and says no other id', () => {
    const part = (attemptId: string): KnownAttempt => ({
      ...sale,
      operation: 'return',
      effect: 'changes',
      stages: ['reversal'],
      amount: '3.00',
      currency: 'EUR',
      attemptId,
    })
    const ids = ['return:2:cup', 'return:1:4444444444444448', 'return-rest:1', '5d0c3c1e']
    const attempts = ids.map((id, nth) => ({ ...part(id), reservation: `r-${nth}` }))
    expect(texts(payment(order({ attempts })), 'request')).toEqual(
      [' (key "cup")', ' (key "444444******4448")', '', ''].map(
        key => `The till was about to ask the gateway for a return over 3.00 EUR${key}.`,
      ),
    )
  })

  const about = { clientOrderId: 'basket-7' }
  const word = { who: 'anna', why: 'ticket 4711', at: 30_000 }
  const before = { status: 'approved', corrections: [{ from: 'approved', to: 'declined', askedAt: 5 }] }
  const request = { ...about, operation: 'sale', request: 'r-1' }

  it.each<[DecidedMatter, Partial<KnownDecision>, string]>([
    [{ kind: 'failed', ...request }, {}, 'anna decided that the sale of order basket-7 did nothing.'],
    [{ kind: 'arrived', ...request }, {}, 'anna decided that the gateway has the sale of order basket-7.'],
    [
      { kind: 'settled', ...about, place: 0, words: 2, stage: 'sale', outcome: 'declined' },
      { before },
      'anna decided that the sale of order basket-7 was declined; the gateway had said "approved", then "declined".',
    ],
    [
      { kind: 'give-back', ...about, tries: 0 },
      { proposal: 'open' },
      'anna said that the money of order basket-7 is given back. Nothing is done until another person says the same.',
    ],
    [
      { kind: 'give-back', ...about, tries: 0 },
      { proposal: 'replaced' },
      'anna said that the money of order basket-7 is given back. Nothing was done: somebody said otherwise since.',
    ],
    [
      { kind: 'skip', ...about, stage: 'sale', outcome: 'key' },
      {},
      'anna decided that the handler need not be told of the sale of order basket-7.',
    ],
  ])('names the person who decided, and the reason: $kind', (matter, said, text) => {
    const document = { ...payment(order({ attempts: [sold] })), decisions: [{ ...word, matter, ...said }] }
    expect(texts(document, 'decision')).toEqual([`${text} The reason given: "ticket 4711".`])
  })

  it('names both persons where two decided', () => {
    const matter = { kind: 'give-back', ...about, tries: 0 } as const
    const first = { who: 'ben', why: 'the customer asked', at: 20_000 }
    const document = { ...payment(order({ attempts: [sold] })), decisions: [{ ...word, matter, first }] }
    expect(texts(document, 'decision')[0]).toMatch(/ben had said the same before: "the customer asked"\.$/)
  })
})
