import { type AttemptEnd, defaultProfile } from '@tillkit/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cases } from '../../../../protocol/test/soak.js'
import { purgedAt } from '../../../test/state/facts-of.js'
import { order, part, payment, sale, stage, whole } from '../../../test/state/payment-samples.js'
import type { PaymentDocument } from '../../state/document.js'
import type {
  CallbackSaid,
  KnownAttempt,
  KnownOrder,
  KnownStage,
  OpenCallback,
  ThreeDSecureProgress,
} from '../../state/known.js'
import { claimDelivery, postponeDelivery, toldOutcome } from '../delivery/delivery.js'
import { isAwaited } from './expected.js'
import {
  absenceSeen,
  attemptEnded,
  callbackAnswered,
  callbackCame,
  notShownAnHour,
  observationOf,
  statusSeen,
  threeDSecureSeen,
} from './happened.js'
import { permissionToSend } from './reserve.js'
import { orderTotals } from './totals.js'

const about = { clientOrderId: 'basket-7', login: 'merchant' }
const end = (kind: AttemptEnd['kind'], own: Partial<AttemptEnd> = {}): AttemptEnd => ({ kind, at: 2_000, ...own })
/** A reply of status, and when it was asked for. */
const observed = (status: string, askedAt: number, own: Record<string, string> = {}) => ({
  reply: { status, transactionType: 'sale', clientOrderId: 'basket-7', orderId: '77', raw: {}, ...own },
  askedAt,
})
const see = (document: PaymentDocument | undefined, ...[status, askedAt, own]: Parameters<typeof observed>) =>
  statusSeen(document, about, { observation: observed(status, askedAt, own), profile: defaultProfile })

describe('attemptEnded', () => {
  const reserved = payment(order({ attempts: [sale, part] }))

  it('ends the attempt that has the reservation, and learns the id of its order', () => {
    const accepted = end('accepted', { orderId: '77', connection: 'answered' })
    expect(attemptEnded(reserved, sale, accepted)).toEqual(
      payment(order({ orderId: '77', attempts: [{ ...sale, end: accepted }, part] })),
    )
  })

  it('ends no other attempt of the same id', () => {
    const other = { ...sale, reservation: 'of-another-call' }
    const ended = attemptEnded(reserved, other, end('not-sent'))
    expect(ended.orders[0]?.attempts[0]).toEqual(sale)
  })

  it('brings along an attempt that the document does not have, so that its reservation comes too late', () => {
    for (const document of [undefined, payment()]) {
      const ended = attemptEnded(document, sale, end('not-sent'))
      expect(ended).toEqual(payment(order({ attempts: [{ ...sale, end: end('not-sent') }] })))
    }
  })

  it.each<[AttemptEnd['kind'], AttemptEnd['kind'], AttemptEnd['kind']]>([
    ['unknown', 'accepted', 'accepted'],
    ['unknown', 'no-trace', 'no-trace'],
    ['accepted', 'unknown', 'accepted'],
    ['accepted', 'no-trace', 'accepted'],
    ['accepted', 'refused', 'accepted'],
    ['no-trace', 'accepted', 'accepted'],
    ['no-trace', 'unknown', 'no-trace'],
    ['refused', 'accepted', 'accepted'],
  ])('after %s and then %s says %s', (first, later, stays) => {
    const ended = attemptEnded(attemptEnded(reserved, sale, end(first)), sale, end(later))
    expect(ended.orders[0]?.attempts[0]?.end?.kind).toBe(stays)
  })

  it('takes what status shows for the doing of the attempt that may have arrived', () => {
    const shown = end('accepted', { basis: 'status', orderId: '77' })
    const instead = { ...sale, reservation: 'sent-instead' }
    for (const nothing of ['not-sent', 'no-trace', 'refused'] as const) {
      const sent = payment(order({ attempts: [{ ...sale, end: end(nothing) }, instead] }))
      expect(attemptEnded(sent, sale, shown)).toBe(sent)
      const alone = payment(order({ attempts: [{ ...sale, end: end(nothing) }] }))
      expect(attemptEnded(alone, sale, shown).orders[0]?.attempts[0]?.end).toEqual(shown)
      const bothDidNothing = payment(order({ attempts: [{ ...instead, end: end(nothing) }] }))
      expect(attemptEnded(bothDidNothing, sale, shown).orders[0]?.attempts.at(-1)?.end).toEqual(shown)
    }
    const forgotten = payment(order({ attempts: [instead] }))
    expect(attemptEnded(forgotten, sale, shown)).toBe(forgotten)
    // Its own answer, or a person's, is about that very attempt.
    for (const basis of [{}, { basis: 'person' }] as const) {
      const told = attemptEnded(forgotten, sale, end('accepted', basis))
      expect(told.orders[0]?.attempts.map(each => each.end?.kind)).toEqual([undefined, 'accepted'])
    }
  })

  it('ends the way to "no trace"', () => {
    const seen = absenceSeen(reserved, sale, { quietSince: 1, neverSeenAt: 2 }) as PaymentDocument
    expect(seen.orders[0]?.attempts[0]).toMatchObject({ absence: { quietSince: 1, neverSeenAt: 2 } })
    expect(attemptEnded(seen, sale, end('no-trace')).orders[0]?.attempts[0]).not.toHaveProperty('absence')
  })
})

describe('absenceSeen', () => {
  it('writes nothing about what the document does not have', () => {
    expect(absenceSeen(undefined, sale, { quietSince: 1 })).toBeUndefined()
    const foreign = payment(order({ login: 'other', attempts: [sale] }))
    expect(absenceSeen(foreign, sale, { quietSince: 1 })).toBe(foreign)
  })
})

describe('statusSeen', () => {
  it('begins the document of an order that it does not have', () => {
    expect(see(undefined, 'processing', 5_000)).toMatchObject({
      reference: 'basket-7',
      orders: [{ ...about, orderId: '77', attempts: [], stages: [{ stage: 'sale', status: 'processing' }] }],
    })
  })

  it.each([
    ['the same word again', 'approved', 9_000],
    ['a word that is not final', 'processing', 9_000],
    ['a word that was asked for earlier', 'declined', 4_000],
  ])('writes nothing for %s', (_, status, askedAt) => {
    const document = see(undefined, 'approved', 5_000)
    expect(see(document, status, askedAt)).toBe(document)
  })

  it.each([
    ['another order', { clientOrderId: 'basket-8' }],
    ['another order of the gateway', { orderId: '78' }],
  ])('takes nothing from a reply about %s', (_, own) => {
    const document = see(undefined, 'processing', 5_000)
    expect(see(document, 'approved', 9_000, own)).toBe(document)
  })

  it('writes nothing for a long text that comes again, of which only the beginning is kept', () => {
    const errorMessage = `Declined: ${'x'.repeat(9_000)}`
    const document = see(undefined, 'declined', 5_000, { errorMessage })
    expect(document.orders[0]?.stages[0]?.errorMessage?.length).toBeLessThan(600)
    expect(see(document, 'declined', 9_000, { errorMessage })).toBe(document)
    const underWay = see(undefined, 'processing', 5_000, { errorMessage })
    expect(see(underWay, 'processing', 9_000, { errorMessage })).toBe(underWay)
  })

  it('keeps what was told of a stage, and has its correction told', () => {
    const document = payment(
      order({ orderId: '77', stages: [stage({ status: 'declined', outcome: 'declined', told: 1 })] }),
    )
    expect(see(document, 'approved', 9_000).orders[0]?.stages).toMatchObject([
      { told: 1, status: 'declined', corrections: [{ from: 'declined', to: 'approved' }] },
    ])
  })
})

describe('callbackAnswered', () => {
  const open = callbackCame(see(undefined, 'approved', 2_000), about, 4_000)

  it('answers the callback that came then, and changes nothing else', () => {
    const { callbackAt: _open, ...order } = open.orders[0] as KnownOrder
    expect(callbackAnswered(open, about, 4_000)).toMatchObject({ orders: [order] })
  })

  it('leaves one open that has come since, and a payment of which only the ids are kept', () => {
    const later = callbackCame(open, about, 5_000)
    expect(callbackAnswered(later, about, 4_000)).toBe(later)
    expect(callbackAnswered(open, { ...about, clientOrderId: 'basket-8' }, 4_000)).toBe(open)
    const purged: PaymentDocument = { ...open, over: { at: 9_000 } as never }
    expect(callbackAnswered(purged, about, 4_000)).toBe(purged)
  })
})

describe('callbackCame', () => {
  it('says that status is worth asking, and nothing of money', () => {
    const document = callbackCame(undefined, { ...about, orderId: '77' }, 4_000)
    expect(document).toEqual(payment(order({ orderId: '77', callbackAt: 4_000 })))
  })

  it('keeps the latest, and writes nothing for one that comes again', () => {
    const document = callbackCame(undefined, about, 4_000)
    expect(callbackCame(document, about, 3_000)).toBe(document)
    expect(callbackCame(document, about, 4_000)).toBe(document)
    expect(callbackCame(document, about, 5_000).orders[0]?.callbackAt).toBe(5_000)
  })

  const saying = (count: number) =>
    Array.from({ length: count }, (_, nth) => ({ status: 'approved', amount: `${nth}.00` }))
  const at = (at: number, said: readonly CallbackSaid[]) => said.map(each => ({ ...each, at }))

  it('keeps three things that callbacks say, the same one once', () => {
    const [one, two, three, four] = saying(4) as [CallbackSaid, CallbackSaid, CallbackSaid, CallbackSaid]
    const called = callbackCame(undefined, about, 4_000, [one, one, one, two])
    expect(called.orders[0]).toEqual(order({ callbackAt: 4_000, called: at(4_000, [one, two]) }))
    expect(callbackCame(called, about, 5_000, [two, one])).toBe(called)
    // A clock that was set back makes no callback older.
    const full = callbackCame(called, about, 3_000, [three, four])
    expect(full.orders[0]).toEqual(order({ callbackAt: 4_000, called: at(4_000, [one, two, three]) }))
    expect(callbackCame(full, about, 6_000, [four])).toBe(full)
    expect(callbackAnswered(full, about, 4_000).orders[0]).toEqual(order({}))
  })

  it('keeps nothing that a callback says where the document has no room for it', () => {
    const full = payment(order({ attempts: [{ ...sale, fingerprint: 'x'.repeat(200_000) }] }))
    const [kept] = callbackCame(full, about, 4_000, saying(1)).orders
    expect([kept?.callbackAt, kept?.called]).toEqual([4_000, undefined])
  })

  it('keeps ten that status did not show', () => {
    const [one, ...others] = at(4_000, saying(12)) as [OpenCallback, ...OpenCallback[]]
    const called = callbackCame(undefined, about, 4_000, saying(2))
    const asked = notShownAnHour(called, about, [one], 9_000)
    const unshown = [{ ...one, since: 9_000 }]
    expect(asked.orders[0]).toEqual(order({ callbackAt: 4_000, called: others.slice(0, 1), unshown }))
    expect(notShownAnHour(asked, about, others, 9_000).orders[0]?.unshown).toHaveLength(10)
    expect(notShownAnHour(asked, { ...about, clientOrderId: 'basket-8' }, others, 9_000)).toBe(asked)
  })
})

describe('observationOf', () => {
  const reply = observed('approved', 0).reply

  it('was asked for by the clock of the store, however this machine’s goes', () => {
    expect(observationOf(order(), { reply, age: 250 }, 9_000)).toEqual({ reply, askedAt: 8_750 })
  })

  it('was never asked for after it was read, should this machine’s clock be set back', () => {
    expect(observationOf(order(), { reply, age: -60_000 }, 9_000).askedAt).toBe(9_000)
  })

  it('says which request was asked about, and which stage made the order', () => {
    const made = order({ attempts: [{ ...part, stages: [] }, sale] })
    expect(observationOf(made, { reply, age: 0.5, bySerialNumber: 's-1' }, 9_000)).toEqual({
      reply,
      askedAt: 8_999,
      bySerialNumber: 's-1',
      createdBy: 'sale',
    })
  })
})

describe('threeDSecureSeen', () => {
  const shown = { id: 'm-1', startedAt: 5_000 }
  const at = (threeDSecure: ThreeDSecureProgress) => payment(order({ threeDSecure }))
  const after = (document: PaymentDocument, seen: Partial<ThreeDSecureProgress>) =>
    threeDSecureSeen(document, about, seen)?.orders[0]?.threeDSecure

  it('keeps what is done, once', () => {
    expect(after(at({ done: ['challenge a'] }), { done: ['challenge b', 'challenge a'] })).toEqual({
      done: ['challenge a', 'challenge b'],
    })
  })

  it('keeps when a method was first shown and first notified', () => {
    const notified = at({ done: [], method: { ...shown, notifiedAt: 6_000 } })
    expect(after(at({ done: [], method: shown }), { method: { ...shown, startedAt: 7_000 } })?.method).toEqual(shown)
    expect(after(notified, { method: { ...shown, notifiedAt: 8_000 } })?.method?.notifiedAt).toBe(6_000)
    expect(after(at({ done: [], method: shown }), { method: { ...shown, notifiedAt: 6_000 } })?.method).toEqual({
      ...shown,
      notifiedAt: 6_000,
    })
  })

  it('goes on to the next method, and takes nothing from it when the bank of an earlier one notifies late', () => {
    const next = { id: 'm-2', startedAt: 20_000 }
    expect(after(at({ done: [], method: shown }), { method: next })?.method).toEqual(next)
    expect(after(at({ done: [], method: next }), { method: { ...shown, notifiedAt: 21_000 } })?.method).toEqual(next)
  })

  it('writes nothing where there is no news, no order, or nothing but ids any more', () => {
    const document = at({ done: ['challenge a'], method: shown })
    expect(threeDSecureSeen(document, about, { done: ['challenge a'], method: shown })).toBe(document)
    expect(threeDSecureSeen(payment(), about, { done: ['x'] })).toEqual(payment())
    expect(threeDSecureSeen(undefined, about, { done: ['x'] })).toBeUndefined()
    const over = { ...payment(order()), over: 1 }
    expect(threeDSecureSeen(over, about, { done: ['x'] })).toBe(over)
  })
})

describe('a payment of which only the ids are kept', () => {
  it('takes no reply and no callback any more: nothing of it is told again', () => {
    const over = purgedAt(payment(order({ orderId: '77', attempts: [sale] })), 8_000)
    expect(see(over, 'approved', 9_000)).toBe(over)
    expect(callbackCame(over, about, 9_000)).toBe(over)
  })
})

type Fact = (document: PaymentDocument | undefined) => PaymentDocument

/** Every order of a list. */
const shuffled = <Value>(list: readonly Value[]) =>
  fc.shuffledSubarray([...list], { minLength: list.length, maxLength: list.length })

const capture: KnownAttempt = {
  ...part,
  attemptId: 'c-1',
  reservation: 'r-4',
  operation: 'capture',
  stages: ['capture'],
}
const attempts = [sale, part, capture]

/**
 * Facts that one payment may have: how each attempt ended (first unknown, perhaps, and then known), callbacks, and status replies of
 * a gateway that says `processing` of a stage and then one final word.
 */
const facts: fc.Arbitrary<readonly Fact[]> = fc
  .record({
    ends: fc.tuple(
      ...attempts.map(() => fc.constantFrom<AttemptEnd['kind']>('accepted', 'refused', 'no-trace', 'unknown')),
    ),
    words: fc.record({ sale: fc.constantFrom('approved', 'declined'), reversal: fc.constantFrom('approved', 'error') }),
    endsAt: fc.record({ sale: fc.nat(30), reversal: fc.nat(30) }),
    askedAt: fc.uniqueArray(fc.record({ at: fc.nat(30), of: fc.constantFrom('sale' as const, 'reversal' as const) }), {
      selector: ({ at }) => at,
      maxLength: 6,
    }),
    callbacks: fc.array(fc.nat(30), { maxLength: 3 }),
  })
  .map(({ ends, words, endsAt, askedAt, callbacks }) => [
    ...attempts.flatMap((attempt, at): Fact[] => {
      const kind = ends[at] ?? 'unknown'
      const orderId = attempt === sale ? { orderId: '77' } : {}
      return [
        document => attemptEnded(document, attempt, end('unknown')),
        document => attemptEnded(document, attempt, end(kind, kind === 'accepted' ? orderId : {})),
      ]
    }),
    ...askedAt.map(({ at, of }): Fact => {
      const status = at >= endsAt[of] ? words[of] : 'processing'
      const serialNumber = `sn-${of}`
      const observation = {
        ...observed(status, at, { transactionType: of, byRequestSn: serialNumber }),
        bySerialNumber: serialNumber,
      }
      return document => statusSeen(document, about, { observation, profile: defaultProfile })
    }),
    ...callbacks.map(
      (at): Fact =>
        document =>
          callbackCame(document, about, at),
    ),
  ])

const happen = (list: readonly Fact[]): PaymentDocument =>
  list.reduce<PaymentDocument>((document, fact) => fact(document), payment(order({ attempts })))

/** A document without the order in which its facts were learnt. */
const said = ({ orders }: PaymentDocument) =>
  orders.map(({ stages, ...rest }) => ({
    ...rest,
    stages: [...stages].sort((a, b) => a.stage.localeCompare(b.stage)).map(({ askedAt: _, ...each }) => each),
  }))

describe('facts', () => {
  it('come to the same document in whatever order they are written', () => {
    fc.assert(
      fc.property(
        facts.chain(list => fc.tuple(fc.constant(list), shuffled(list))),
        ([list, other]) => {
          expect(said(happen(other))).toEqual(said(happen(list)))
        },
      ),
      cases({ daily: 60, soak: 1_000 }),
    )
  })

  it('change nothing when they are written again', () => {
    fc.assert(
      fc.property(
        facts.chain(list => fc.tuple(fc.constant(list), shuffled(list))),
        ([list, again]) => {
          const document = happen(list)
          expect(said(again.reduce<PaymentDocument>((known, fact) => fact(known), document))).toEqual(said(document))
        },
      ),
      cases({ daily: 60, soak: 1_000 }),
    )
  })
})

describe('fields that this release does not know', () => {
  const later = { later: { anything: ['x'] } }
  const known = {
    ...payment({
      ...order({
        attempts: [{ ...sale, ...later } as KnownAttempt],
        stages: [{ ...stage(), ...later } as KnownStage],
      }),
      ...later,
    } as never),
    ...later,
  } as PaymentDocument
  const claimed = (document: PaymentDocument): PaymentDocument => {
    const decision = claimDelivery(document, { token: 't', at: 9, lease: 9 })
    return decision.kind === 'claimed' ? decision.document : document
  }
  const steps: readonly ((document: PaymentDocument) => PaymentDocument | undefined)[] = [
    document => attemptEnded(document, sale, end('accepted', { orderId: '77' })),
    document => attemptEnded(document, part, end('not-sent')),
    document => attemptEnded(document, { ...part, reservation: 'another' }, end('refused')),
    document => see(document, 'declined', 9_000, { errorMessage: 'x'.repeat(900) }),
    document => see(document, 'approved', 10_000),
    document => callbackCame(document, about, 4_000),
    document => absenceSeen(document, sale, { quietSince: 1 }),
    claimed,
    document => toldOutcome(claimed(document), 't'),
    document => postponeDelivery(claimed(document), 't', 99),
    document => {
      const decision = permissionToSend(document, { ...part, attemptId: 'p-9', reservation: 'r-9' })
      return decision.kind === 'reserved' ? decision.document : document
    },
  ]

  it('survive everything that is written', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...steps), { maxLength: 12 }), list => {
        const document = list.reduce((each, next) => next(each) ?? each, known)
        const [first] = document.orders
        for (const each of [document, first, first?.attempts[0], first?.stages[0]]) expect(each).toMatchObject(later)
      }),
      cases({ daily: 60, soak: 1_000 }),
    )
  })
})

describe('a change that status shows without its serial number', () => {
  const first: KnownAttempt = { ...part, end: end('accepted', { orderId: '77', serialNumber: 'sn-1' }) }
  const paid = stage({ status: 'approved', outcome: 'approved', amount: '10.00', currency: 'EUR' })
  const back = stage({ stage: 'reversal', status: 'approved', outcome: 'approved', amount: '3.00', currency: 'EUR' })
  const returned = { transactionType: 'reversal', amount: '3.00', currency: 'EUR' }
  const byNumber = (document: PaymentDocument, serialNumber: string, askedAt: number) =>
    statusSeen(document, about, {
      observation: {
        ...observed('approved', askedAt, { ...returned, byRequestSn: serialNumber }),
        bySerialNumber: serialNumber,
      },
      profile: defaultProfile,
    })
  const stagesOf = (document: PaymentDocument) =>
    document.orders[0]?.stages.map(each => `${each.stage} ${each.serialNumber ?? 'without'}`)

  it('is asked for by number where its request has one, and until then is no stage at all', () => {
    const document = payment(order({ orderId: '77', attempts: [sale, first], stages: [paid] }))
    const seen = see(document, 'approved', 7_000, returned)
    expect(stagesOf(seen)).toEqual(['sale without'])
    expect(stagesOf(byNumber(seen, 'sn-1', 8_000))).toEqual(['sale without', 'reversal sn-1'])
  })

  it('gets the number that the answer to its request brings later', () => {
    const document = payment(order({ orderId: '77', attempts: [sale, part], stages: [paid] }))
    const seen = see(document, 'approved', 7_000, returned)
    expect(stagesOf(seen)).toEqual(['sale without', 'reversal without'])
    const answered = attemptEnded(seen, part, end('accepted', { orderId: '77', serialNumber: 'sn-1' }))
    expect(stagesOf(byNumber(answered, 'sn-1', 8_000))).toEqual(['sale without', 'reversal sn-1'])
  })

  it('is waited for where one that failed was seen before the number was known: somebody else may have tried', () => {
    const document = payment(order({ orderId: '77', attempts: [sale, part], stages: [paid] }))
    const failed = see(document, 'declined', 7_000, returned)
    const answered = attemptEnded(failed, part, end('accepted', { orderId: '77', serialNumber: 'sn-1' }))
    const isWaitedFor = ({ orders }: PaymentDocument) => orders.some(isAwaited)
    expect(isWaitedFor(answered)).toBe(true)
    // The latest of the order may still be the one of somebody else.
    const again = see(answered, 'declined', 8_000, { ...returned, processorRrn: '510458047886' })
    expect(isWaitedFor(again)).toBe(true)
    const asked = byNumber(again, 'sn-1', 9_000)
    expect(isWaitedFor(asked)).toBe(false)
    expect(orderTotals({ clientOrderId: 'basket-7', stages: asked.orders[0]?.stages ?? [] })?.returned).toBe('3.00')
  })

  it.each([
    ['about another number', { byRequestSn: 'sn-9' }],
    ['about another order', { clientOrderId: 'basket-8', orderId: '78' }],
    ['about another kind of change', { transactionType: 'void' }],
    ['of another word', { status: 'processing' }],
    ['over another amount', { amount: '5.00' }],
  ])('that failed gets no number by a reply %s', (_, fields) => {
    const document = payment(order({ orderId: '77', attempts: [sale, part], stages: [paid] }))
    const accepted = end('accepted', { orderId: '77', serialNumber: 'sn-1' })
    const failed = attemptEnded(see(document, 'declined', 7_000, returned), part, accepted)
    const asked = (own: Record<string, string>) =>
      statusSeen(failed, about, {
        observation: { ...observed('declined', 8_000, { ...returned, ...own }), bySerialNumber: 'sn-1' },
        profile: defaultProfile,
      })
    expect(stagesOf(asked(fields))?.[1]).toBe('reversal without')
    for (const own of [{}, { byRequestSn: 'sn-1' }])
      expect(stagesOf(asked(own))).toEqual(['sale without', 'reversal sn-1'])
  })

  it('keeps that of somebody else, which was approved late, when ours of as much fails', () => {
    const late = {
      ...back,
      status: 'declined',
      outcome: 'declined',
      corrections: [{ from: 'declined', to: 'approved', askedAt: 3 }],
    } as const
    const document = payment(order({ orderId: '77', attempts: [sale, first], stages: [paid, late] }))
    const failed = statusSeen(document, about, {
      observation: { ...observed('declined', 8_000, { ...returned, byRequestSn: 'sn-1' }), bySerialNumber: 'sn-1' },
      profile: defaultProfile,
    })
    expect(stagesOf(failed)).toEqual(['sale without', 'reversal without', 'reversal sn-1'])
    expect(failed.orders[0]?.stages[1]).toEqual(late)
  })

  it('that failed contradicts the equal one that may be ours, whose answer was lost: a person is asked', () => {
    const lost: KnownAttempt = { ...part, end: end('unknown', { orderId: '77' }) }
    const document = payment(order({ orderId: '77', attempts: [sale, lost], stages: [paid, back] }))
    const [known] = see(document, 'declined', 7_000, returned).orders
    expect(known?.stages[1]?.corrections).toEqual([{ from: 'approved', to: 'declined', askedAt: 7_000 }])
  })

  it('is another one where status says another word by the number, or another amount', () => {
    const document = payment(order({ orderId: '77', attempts: [sale, part], stages: [paid] }))
    const accepted = end('accepted', { orderId: '77', serialNumber: 'sn-1' })
    const failed = attemptEnded(see(document, 'declined', 7_000, returned), part, accepted)
    expect(stagesOf(byNumber(failed, 'sn-1', 8_000))).toEqual(['sale without', 'reversal without', 'reversal sn-1'])
  })

  it('is not told where it can be from two', () => {
    const second = {
      ...part,
      attemptId: 'parcel-3',
      reservation: 'r-9',
      end: end('accepted', { serialNumber: 'sn-2' }),
    }
    const document = payment(order({ orderId: '77', attempts: [sale, first, second], stages: [paid] }))
    const seen = see(document, 'approved', 7_000, returned)
    expect(stagesOf(seen)).toEqual(['sale without'])
    expect(stagesOf(byNumber(byNumber(seen, 'sn-2', 8_000), 'sn-1', 9_000))).toEqual([
      'sale without',
      'reversal sn-2',
      'reversal sn-1',
    ])
  })

  it('is the void operation that has a number: it has no part', () => {
    const hold = { ...paid, stage: 'preauth' } as const
    const numbered: KnownAttempt = { ...whole, end: end('accepted', { orderId: '77', serialNumber: 'sn-1' }) }
    const document = payment(order({ orderId: '77', attempts: [sale, numbered], stages: [hold] }))
    expect(stagesOf(see(document, 'approved', 7_000, { transactionType: 'void' }))).toEqual([
      'preauth without',
      'void sn-1',
    ])
  })

  it('is that of the request whose number was lost with its answer, where its amount says so', () => {
    const lost = { ...part, attemptId: 'parcel-3', reservation: 'r-9', amount: '2.00', end: end('accepted') }
    const one = byNumber(
      payment(order({ orderId: '77', attempts: [sale, first, lost], stages: [paid] })),
      'sn-1',
      7_000,
    )
    expect(stagesOf(see(one, 'approved', 8_000, { ...returned, amount: '2.00' }))).toEqual([
      'sale without',
      'reversal sn-1',
      'reversal without',
    ])
    // Over as much it may be the one that is known, and over another amount it is nobody's here.
    for (const amount of ['3.00', '4.00']) {
      expect(stagesOf(see(one, 'approved', 8_000, { ...returned, amount }))).toEqual(['sale without', 'reversal sn-1'])
    }
  })

  it('is a change that nobody here asked for where it is over another amount', () => {
    const document = payment(order({ orderId: '77', attempts: [sale, first], stages: [paid] }))
    const seen = see(document, 'approved', 7_000, { ...returned, amount: '4.00' })
    expect(stagesOf(byNumber(seen, 'sn-1', 8_000))).toEqual(['sale without', 'reversal without', 'reversal sn-1'])
  })
})
