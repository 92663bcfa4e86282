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
import { sale } from '../../test/state/payment-samples.js'
import { claimDelivery } from '../rules/delivery/delivery.js'
import { purged } from '../rules/pay/purge.js'
import { decideMatter } from '../rules/people/decide.js'
import type { PaymentDocument } from '../state/document.js'
import type { Fact } from '../state/facts.js'
import type { KnownAttempt } from '../state/known.js'

const factsOf = (...happenings: readonly Happening[]): readonly Fact[] | undefined => historyOf(...happenings)?.facts

const profile = defaultProfile
const second = { clientOrderId: 'basket-7.2r', login: 'merchant' }

const accepted: AttemptEnd = { kind: 'accepted', at: 1_200, orderId: '77', connection: 'answered' }
const approved = { transactionType: 'sale', amount: '10.00' }
const sold = [sent(sale), answered(sale, accepted), replied(first, 60_000, approved), told(60_100, true)]

/** The facts of that sale, by hand: order 77 was opened at 1,000 and paid a minute later. */
const factsOfSale: readonly Fact[] = [
  { kind: 'requested', order: first, attempt: sale },
  { kind: 'answered', order: first, request: 'r-1', end: accepted, orderId: '77' },
  {
    kind: 'status',
    order: first,
    stage: 1,
    at: 60_000,
    said: { stage: 'sale', status: 'approved', outcome: 'approved', amount: '10.00', currency: 'EUR' },
  },
  { kind: 'delivered', order: first, stage: 1, words: 1, at: 60_100, approval: true },
]

describe('the history of a payment', () => {
  it('has four facts of a hosted sale: requested, answered, status, delivered', () => {
    expect(historyOf(...sold)).toEqual({ v: 2, reference: 'basket-7', facts: factsOfSale })
  })

  it('has no callback that a status reply answered, and has one that waits for its answer', () => {
    const [request, answer, reply, telling] = sold as [Happening, Happening, Happening, Happening]
    expect(factsOf(request, answer, calledBack(first, 59_000), reply, telling)).toEqual(factsOfSale)
    expect(factsOf(request, answer, calledBack(first, 59_000))?.at(-1)).toEqual({
      kind: 'callback',
      order: first,
      at: 59_000,
    })
  })

  it('has the lease beside its facts while the handler runs', () => {
    const [request, answer, reply] = sold as [Happening, Happening, Happening]
    const claimed: Happening = document => {
      const claim = document && claimDelivery(document, { token: 't', at: 60_100, lease: 60_000 })
      return claim?.kind === 'claimed' ? claim.document : undefined
    }
    expect(historyOf(request, answer, reply, claimed)).toMatchObject({
      facts: [{ kind: 'requested' }, { kind: 'answered' }, { kind: 'status' }],
      delivery: { token: 't', order: first, stage: 1, words: 1, until: 120_100, at: 60_100 },
    })
  })

  it('goes on with a second order where a customer is declined and takes another card', () => {
    const other = {
      ...sale,
      ...second,
      attemptId: 'basket-7.2r',
      reservation: 'r-2',
      reservedAt: 70_000,
      sendBy: 100_000,
    }
    const facts = factsOf(
      sent(sale),
      answered(sale, accepted),
      replied(first, 60_000, { ...approved, status: 'declined', errorMessage: 'Decline, expired card' }),
      told(60_100, false),
      sent(other),
      answered(other, { ...accepted, at: 70_200, orderId: '78' }),
      replied(second, 90_000, { ...approved, orderId: '78' }),
      told(90_100, true),
    )
    expect(facts?.map(fact => [fact.kind, 'order' in fact ? fact.order.clientOrderId : undefined])).toEqual([
      ['requested', 'basket-7'],
      ['answered', 'basket-7'],
      ['status', 'basket-7'],
      ['delivered', 'basket-7'],
      ['requested', 'basket-7.2r'],
      ['answered', 'basket-7.2r'],
      ['status', 'basket-7.2r'],
      ['delivered', 'basket-7.2r'],
    ])
    expect(facts?.[2]).toMatchObject({
      said: { status: 'declined', outcome: 'declined', errorMessage: 'Decline, expired card' },
    })
    // It was told, and it was no approval.
    expect(facts?.[3]).toEqual({ kind: 'delivered', order: first, stage: 1, words: 1, at: 60_100 })
  })

  it('has a return of a part as the second stage of its order', () => {
    const back: KnownAttempt = {
      ...sale,
      attemptId: 'return:1:parcel-2',
      reservation: 'r-2',
      operation: 'return',
      effect: 'changes',
      stages: ['cancel', 'reversal'],
      orderId: '77',
      amount: '3.00',
      reservedAt: 100_000,
      sendBy: 130_000,
    }
    const end: AttemptEnd = { kind: 'accepted', at: 100_200, serialNumber: 's-2' }
    const reversal = { transactionType: 'reversal', amount: '3.00', byRequestSn: 's-2' }
    expect(
      factsOf(...sold, sent(back), answered(back, end), replied(first, 160_000, reversal), told(160_100, true)),
    ).toEqual([
      ...factsOfSale,
      { kind: 'requested', order: first, attempt: back },
      { kind: 'answered', order: first, request: 'r-2', end },
      {
        kind: 'status',
        order: first,
        stage: 2,
        at: 160_000,
        said: {
          stage: 'reversal',
          serialNumber: 's-2',
          status: 'approved',
          outcome: 'approved',
          amount: '3.00',
          currency: 'EUR',
        },
      },
      { kind: 'delivered', order: first, stage: 2, words: 1, at: 160_100, approval: true },
    ])
  })

  const takenBack = [
    replied(first, 200_000, { ...approved, status: 'declined' }),
    // A handler hears that it is disputed, and nothing certain.
    told(200_100),
  ]

  it('has a correction after the delivery as news of the same stage, and both deliveries', () => {
    expect(factsOf(...sold, ...takenBack)?.slice(4)).toEqual([
      {
        kind: 'status',
        order: first,
        stage: 1,
        at: 200_000,
        corrected: [{ from: 'approved', to: 'declined', askedAt: 200_000, nth: 0 }],
        firstAt: 60_000,
      },
      { kind: 'delivered', order: first, stage: 1, words: 2, at: 200_100, approval: true },
    ])
  })

  it('has what a person settled as the last word of the stage, and keeps the earlier ones with the decision', () => {
    const settled: Happening = document =>
      document === undefined
        ? undefined
        : (({ document: after }: { readonly document?: PaymentDocument }) => after)(
            decideMatter(
              document,
              { kind: 'settled', outcome: 'declined' },
              {
                at: 300_000,
                profile,
                person: { who: 'anna', why: 'ticket 4711' },
                status: { kind: 'shown', explanation: '', outcome: 'declined' },
              },
            ) as { readonly document?: PaymentDocument },
          )
    const [afterSale, ...facts] = [...(factsOf(...sold, ...takenBack, settled) ?? [])].slice(3)
    expect(afterSale).toEqual(factsOfSale[3])
    expect(facts).toEqual([
      // Only when status was asked last is left of the reply.
      { kind: 'status', order: first, stage: 1, at: 200_000 },
      { kind: 'delivered', order: first, stage: 1, words: 2, at: 200_100, approval: true },
      {
        kind: 'decided',
        decision: {
          who: 'anna',
          why: 'ticket 4711',
          at: 300_000,
          matter: {
            kind: 'settled',
            clientOrderId: 'basket-7',
            place: 0,
            words: 2,
            stage: 'sale',
            outcome: 'declined',
          },
          before: {
            status: 'approved',
            outcome: 'approved',
            amount: '10.00',
            currency: 'EUR',
            corrections: [{ from: 'approved', to: 'declined', askedAt: 200_000 }],
          },
        },
      },
      {
        kind: 'settled',
        order: first,
        stage: 1,
        words: 2,
        said: { stage: 'sale', status: 'declined', outcome: 'declined', amount: '10.00', currency: 'EUR' },
      },
    ])
  })

  it('has the ids and nothing else once it was purged', () => {
    const longAgo: Happening = document => document && purged(document, { profile, at: 900_000, before: 800_000 })
    expect(historyOf(...sold, longAgo)).toEqual({
      v: 2,
      reference: 'basket-7',
      facts: [{ kind: 'purged', at: 900_000, orders: [{ ...first, orderId: '77' }] }],
    })
  })
})
