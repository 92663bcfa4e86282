import { type AttemptEnd, defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import {
  answered,
  calledBack,
  first,
  type Happening,
  historyOf,
  replied,
  sent,
  told,
} from '../../test/state/happenings.js'
import { sale, upload, whole } from '../../test/state/payment-samples.js'
import { callbackAnswered, callbackCame, notShownAnHour } from '../rules/orders/happened.js'
import { takeUpOrder } from '../rules/pay/take-up.js'
import { decideMatter } from '../rules/people/decide.js'
import type { PaymentDocument } from '../state/document.js'
import { toDocument } from '../state/evolve.js'
import type { CallbackSaid, KnownAttempt } from '../state/known.js'
import { present } from '../state/values.js'

const document = (...happenings: readonly Happening[]) =>
  happenings.reduce<PaymentDocument | undefined>((known, happening) => happening(known), undefined)

const tried = (reservation: string, of: KnownAttempt = sale): KnownAttempt => ({ ...of, reservation })
const end = (kind: AttemptEnd['kind'], own: Partial<AttemptEnd> = {}): AttemptEnd => ({ kind, at: 2_000, ...own })
const failed = (reservation: string, kind: AttemptEnd['kind'], of?: KnownAttempt): readonly Happening[] => {
  const attempt = tried(reservation, of)
  return [sent(attempt), answered(attempt, end(kind))]
}

/** The facts that are kept. They amount to the document that the rules make without a history. */
function keptOf(...happenings: readonly Happening[]) {
  const history = historyOf(...happenings)
  if (history === undefined) throw new Error('nothing happened')
  const plain = (known: PaymentDocument | undefined) => JSON.parse(JSON.stringify({ ...known, facts: [] }))
  expect(plain(toDocument(history))).toEqual(plain(document(...happenings)))
  return history.facts
}

describe('factsWorthKeeping', () => {
  it('leaves only `begun` of a first request that made way', () => {
    const again = tried('c')
    expect(keptOf(...failed('a', 'refused'), ...failed('b', 'not-sent'), sent(again))).toEqual([
      { kind: 'begun', order: first },
      { kind: 'requested', order: first, attempt: again },
    ])
  })

  it('keeps the gateway’s id with which an order began', () => {
    const again = tried('b', whole)
    expect(keptOf(...failed('a', 'not-sent', whole), sent(again))).toEqual([
      { kind: 'begun', order: { ...first, orderId: '77' } },
      { kind: 'requested', order: first, attempt: again },
    ])
  })

  it('keeps one request where it made way and a late answer brought it back', () => {
    const late = tried('a')
    const facts = keptOf(
      ...failed('a', 'refused'),
      ...failed('b', 'refused'),
      ...failed('c', 'not-sent'),
      answered(late, end('refused', { at: 9_000 })),
    )
    expect(facts).toEqual([
      { kind: 'begun', order: first },
      { kind: 'requested', order: first, attempt: late },
      { kind: 'answered', order: first, request: 'a', end: end('refused', { at: 9_000 }) },
    ])
  })

  it('keeps the answer that gave an order its id, though its request made way', () => {
    const accepted = end('accepted', { orderId: '77' })
    const next = tried('c', { ...whole, attemptId: 'v-2' })
    const facts = keptOf(sent(sale), sent(upload), answered(upload, accepted), sent(next))
    expect(facts.map(({ kind }) => kind)).toEqual(['requested', 'answered', 'requested'])
  })

  it('keeps that a request was unknown before it was found, and only the last of the answers that it did nothing', () => {
    const found = end('accepted', { basis: 'status', at: 5_000 })
    const kinds = (...ends: readonly AttemptEnd[]) =>
      keptOf(sent(sale), ...ends.map(each => answered(sale, each))).flatMap(fact =>
        fact.kind === 'answered' ? [fact.end.kind] : [],
      )
    expect(kinds(end('unknown'), end('no-trace'), found)).toEqual(['unknown', 'accepted'])
    expect(kinds(end('not-sent'), end('refused'), end('no-trace'))).toEqual(['no-trace'])
    // A person said two things: without the second one, the note of the first one would stay with the answer.
    const said = (kind: AttemptEnd['kind'], at: number) => end(kind, { basis: 'person', note: `ticket ${at}`, at })
    const both = [said('accepted', 3_000), said('no-trace', 4_000), end('accepted', { at: 5_000 })]
    expect(kinds(...both)).toEqual(['accepted', 'no-trace', 'accepted'])
  })

  it('lets no request make way by an answer that another one had replaced before', () => {
    const lost = {
      attemptId: 'lost',
      reservation: 'lost',
      login: 'merchant',
      baseUrl: sale.baseUrl,
      fingerprint: 'f',
      clientOrderId: 'basket-7',
      operation: 'sale',
      purpose: 'sale',
    } as const
    const reply = { status: 'processing', transactionType: 'sale', clientOrderId: 'basket-7', orderId: '77', raw: {} }
    const takenUp: Happening = known =>
      takeUpOrder(known, lost, { asked: { reply, age: 0 }, profile: defaultProfile, at: 8_000 })
    const facts = keptOf(
      ...failed('a', 'not-sent'),
      answered(tried('a'), end('no-trace')),
      takenUp,
      answered(tried('a'), end('accepted')),
    )
    expect(facts.flatMap(fact => (fact.kind === 'requested' ? [fact.attempt.reservation] : []))).toEqual(['a', 'lost'])
  })

  it('drops a callback together with its answer, where status said nothing new', () => {
    const came = [
      sent(sale),
      answered(sale, end('accepted', { orderId: '77' })),
      replied(first, 5_000, { transactionType: 'sale', status: 'approved', amount: '10.00' }),
      calledBack(first, 6_000),
    ]
    const answersIt: Happening = known => (known === undefined ? known : callbackAnswered(known, first, 6_000))
    expect(keptOf(...came).map(({ kind }) => kind)).toEqual(['requested', 'answered', 'status', 'callback'])
    expect(keptOf(...came, answersIt).map(({ kind }) => kind)).toEqual(['requested', 'answered', 'status'])
  })

  it('keeps what callbacks say until they are answered, each thing once, and what status did not show for good', () => {
    const [one, two] = [{ status: 'approved', amount: '1.00' }, { status: 'declined' }]
    const came =
      (at: number, ...said: readonly CallbackSaid[]): Happening =>
      known =>
        callbackCame(known, first, at, said)
    const all = [came(6_000), came(7_000, one), came(8_000, two), came(9_000)]
    const kept = keptOf(sent(sale), ...all).flatMap(each => (each.kind === 'callback' ? [[each.at, each.said]] : []))
    expect(kept).toEqual([
      [7_000, one],
      [8_000, two],
      [9_000, undefined],
    ])
    const asks: Happening = known => known && notShownAnHour(known, first, [{ ...two, at: 8_000 }], 9_500)
    const asked = { kind: 'not-shown', order: expect.anything(), at: 8_000, since: 9_500, said: two }
    expect(keptOf(sent(sale), ...all, asks).slice(1)).toEqual([
      { kind: 'callback', order: expect.anything(), at: 7_000, said: one },
      { kind: 'callback', order: expect.anything(), at: 9_000 },
      asked,
    ])
    // The last callback stays, without what a person is asked about.
    const last = keptOf(sent(sale), came(6_000), came(8_000, two), asks).slice(1)
    expect(last).toEqual([{ kind: 'callback', order: expect.anything(), at: 8_000 }, asked])
    const answersIt: Happening = known => known && callbackAnswered(known, first, 9_000)
    expect(keptOf(sent(sale), ...all, asks, answersIt).slice(1)).toEqual([asked])
  })

  it('drops a proposal whose author decided alone in the same millisecond, since the limit was raised', () => {
    const byBoris =
      (secondPersonAbove?: Readonly<Record<string, string>>): Happening =>
      known => {
        const wanted = {
          kind: 'settled',
          order: 'basket-7',
          stage: 'sale',
          outcome: 'declined',
          amount: '10.00',
        } as const
        const status = { kind: 'shown', explanation: '', outcome: 'declined', amount: '10.00' } as const
        const person = { who: 'boris', why: 'ticket 1' }
        const facts = { at: 9_000, profile: defaultProfile, status, person, ...present({ secondPersonAbove }) }
        const verdict = known === undefined ? undefined : decideMatter(known, wanted, facts)
        return verdict === undefined || verdict.kind === 'refused' ? known : verdict.document
      }
    const contradicted = [
      sent(sale),
      answered(sale, end('accepted', { orderId: '77' })),
      replied(first, 5_000, { transactionType: 'sale', status: 'approved', amount: '10.00' }),
      told(6_000),
      replied(first, 7_000, { transactionType: 'sale', status: 'declined', amount: '10.00' }),
    ]
    const decided = (...happenings: readonly Happening[]) =>
      keptOf(...contradicted, ...happenings).flatMap(fact => (fact.kind === 'decided' ? [fact.decision.proposal] : []))
    expect(decided(byBoris({ EUR: '2.00' }))).toEqual(['open'])
    expect(decided(byBoris({ EUR: '2.00' }), byBoris())).toEqual([undefined])
  })

  it('keeps the first ten and the last ten deliveries of a stage that the gateway contradicts for ever', () => {
    const words = Array.from({ length: 30 }, (_, nth): readonly Happening[] => [
      replied(first, 5_000 + nth, { transactionType: 'sale', status: nth % 2 === 0 ? 'approved' : 'declined' }),
      told(6_000 + nth),
    ])
    const facts = keptOf(sent(sale), answered(sale, end('accepted', { orderId: '77' })), ...words.flat())
    const heard = facts.flatMap(fact => (fact.kind === 'delivered' ? [fact.words] : []))
    expect(heard).toEqual([...Array(10).keys(), ...Array.from(Array(10).keys(), nth => nth + 20)].map(nth => nth + 1))
    // The first word, and each correction that a document keeps, when it came.
    const replies = facts.flatMap(fact => (fact.kind === 'status' ? [fact] : []))
    expect(replies.map(({ at, corrected = [] }) => [at, ...corrected.map(({ nth }) => nth)])).toEqual([
      [5_000],
      ...[...Array(10).keys(), ...Array.from(Array(10).keys(), nth => nth + 19)].map(nth => [5_001 + nth, nth]),
    ])
  })
})
