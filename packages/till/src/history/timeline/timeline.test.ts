import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { answered, first, type Happening, historyOf, replied, sent, told } from '../../../test/state/happenings.js'
import { order, payment, sale, stage } from '../../../test/state/payment-samples.js'
import { claimDelivery, postponeDelivery } from '../../rules/delivery/delivery.js'
import type { DecidedMatter, KnownDecision } from '../../state/decision.js'
import type { PaymentDocument } from '../../state/document.js'
import { evolve, toDocument } from '../../state/evolve.js'
import type { History } from '../../state/facts.js'
import type { KnownAttempt, KnownStage } from '../../state/known.js'
import { historyOf as keptHistory } from '../news.js'
import { timelineOf } from './timeline.js'

const sold: KnownAttempt = { ...sale, end: { kind: 'accepted', at: 2_000, orderId: '77' } }
const over = (outcome: 'approved' | 'declined', fields: Partial<KnownStage> = {}) =>
  stage({ status: outcome, outcome, amount: '10.00', currency: 'EUR', ...fields })
const read = (history: History) => timelineOf(toDocument(history), defaultProfile)
/** The sentences of a history that begins with a document. */
const texts = (document: PaymentDocument, kind: string) =>
  read(keptHistory(document)).flatMap(each => (each.kind === kind ? each.text : []))
/** The entries that a life is read as: the time of each, and its sentence. */
const readAfter = (...life: readonly Happening[]) => {
  const history = historyOf(...life)
  return history === undefined ? [] : read(history).map(({ at, text }) => `${at} ${text}`)
}

const accepted = { kind: 'accepted', at: 2_000, orderId: '77' } as const
const paid = { transactionType: 'sale', amount: '10.00' }
const opened = [
  '1000 The till opened order basket-7 with account merchant.',
  '1000 The till was about to ask the gateway for a sale over 10.00 EUR.',
  '2000 The gateway accepted the sale over 10.00 EUR as its order 77.',
]

describe('timelineOf', () => {
  it('says each word when it was said first, though a later reply says more of it', () => {
    const life = [
      sent(sale),
      answered(sale, accepted),
      replied(first, 5_000, { ...paid, status: 'processing' }),
      replied(first, 9_000, paid),
      told(9_100, true),
      replied(first, 60_000, { ...paid, byRequestSn: 's-1' }),
    ]
    expect(readAfter(...life)).toEqual([
      ...opened,
      '5000 The gateway said that the sale over 10.00 EUR is "processing". It has not ended.',
      '9000 The gateway said that the sale over 10.00 EUR is approved.',
      '9100 The handler was told that the sale over 10.00 EUR is approved.',
    ])
    expect(read(historyOf(...life) as History).filter(({ kind }) => kind === 'status')[1]).toMatchObject({
      at: 9_000,
      serialNumber: 's-1',
    })
  })

  it('says each correction between what the handler was told before it and after it', () => {
    const corrected = (at: number, status: string) => replied(first, at, { ...paid, status })
    expect(
      readAfter(
        sent(sale),
        answered(sale, accepted),
        corrected(5_000, 'approved'),
        told(5_100, true),
        corrected(10_000, 'declined'),
        told(10_100),
        corrected(20_000, 'approved'),
        told(20_100),
        corrected(30_000, 'approved'),
      ),
    ).toEqual([
      ...opened,
      '5000 The gateway said that the sale over 10.00 EUR is approved.',
      '5100 The handler was told that the sale over 10.00 EUR is approved.',
      '10000 The gateway corrected itself: the sale was declined; before, it said that it is approved.',
      '10100 The handler was told that the sale over 10.00 EUR is disputed.',
      '20000 The gateway corrected itself once more: the sale is approved; before, it said that it was declined. A person must ask the gateway which is so.',
      '20100 The handler was told that the sale over 10.00 EUR is disputed.',
    ])
  })

  it('says of a late approval that another order had brought money, and of the one before it does not', () => {
    const second = { clientOrderId: 'basket-7.2r', login: 'merchant' }
    const other = { ...sale, ...second, attemptId: 'a-2', reservation: 'r-2', reservedAt: 70_000, sendBy: 100_000 }
    const read = readAfter(
      sent(sale),
      answered(sale, accepted),
      replied(first, 60_000, { ...paid, status: 'declined' }),
      sent(other),
      answered(other, { ...accepted, at: 70_200, orderId: '78' }),
      replied(second, 80_000, { ...paid, orderId: '78' }),
      replied(first, 90_000, paid),
      replied(second, 100_000, { ...paid, orderId: '78', byRequestSn: 's-1' }),
    )
    expect(read.slice(4)).toEqual([
      '70000 The till opened order basket-7.2r with account merchant, since order basket-7 had failed.',
      '70000 The till was about to ask the gateway for a sale over 10.00 EUR.',
      '70200 The gateway accepted the sale over 10.00 EUR as its order 78.',
      '80000 The gateway said that the sale of order basket-7.2r over 10.00 EUR is approved.',
      '90000 The gateway corrected itself: the sale of order basket-7 is approved; before, it said that it was declined. It counts as approved. Order basket-7.2r had brought money already.',
    ])
  })

  it('ends with what the handler is being told, and how it failed', () => {
    const claim: Happening = document => {
      const claimed = document && claimDelivery(document, { token: 't', at: 60_100, lease: 60_000 })
      return claimed?.kind === 'claimed' ? claimed.document : undefined
    }
    const failed: Happening = document =>
      postponeDelivery(document, 't', 90_000, { at: 60_200, error: new Error('no stock') })
    const life = [sent(sale), answered(sale, accepted), replied(first, 60_000, paid), claim]
    expect(readAfter(...life).at(-1)).toBe('60100 The till is telling the handler of the sale.')
    const postponed = readAfter(...life, failed).at(-1)
    expect(postponed).toMatch(
      /^60100 The handler has failed once: .*no stock.* The till tells the handler of the sale again\.$/,
    )
    expect(JSON.stringify(read(historyOf(...life, failed) as History))).not.toContain('token')
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
    expect(texts(payment(order({ attempts })), 'requested')).toEqual(
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
    const document = evolve(payment(order({ attempts: [sold] })), {
      kind: 'decided',
      decision: { ...word, matter, ...said },
    })
    expect(texts(document, 'decided')).toEqual([`${text} The reason given: "ticket 4711".`])
  })

  it('names both persons where two decided', () => {
    const matter = { kind: 'give-back', ...about, tries: 0 } as const
    const first = { who: 'ben', why: 'the customer asked', at: 20_000 }
    const document = evolve(payment(order({ attempts: [sold] })), {
      kind: 'decided',
      decision: { ...word, matter, first },
    })
    expect(texts(document, 'decided')[0]).toMatch(/ben had said the same before: "the customer asked"\.$/)
  })
})
