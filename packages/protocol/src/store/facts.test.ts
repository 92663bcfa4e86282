import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { order, part, payment, sale, stage } from '../../test/payment-samples.js'
import { defaultProfile } from '../profile/profile.js'
import type { AttemptEnd } from './attempt.js'
import type { KnownAttempt, KnownStage, PaymentDocument } from './document.js'
import { absenceSeen, attemptEnded, callbackCame, statusSeen } from './facts.js'
import { reserveAttempt } from './reserve.js'
import { claimTelling, postponeTelling, toldOutcome } from './telling.js'

const about = { clientOrderId: 'basket-7', login: 'merchant' }
const end = (kind: AttemptEnd['kind'], own: Partial<AttemptEnd> = {}): AttemptEnd => ({ kind, at: 2_000, ...own })
/** What status said when it was asked at that time. */
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
    // What its own answer says, or a person, is about that very attempt.
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

  it.each([
    ['the callback that it was asked for', 4_000, undefined],
    ['no callback that came after that', 3_000, 4_000],
    ['no callback where it was asked for none', undefined, 4_000],
  ])('answers %s', (_, callbackAt, left) => {
    const document = callbackCame(see(undefined, 'approved', 2_000), about, 4_000)
    const fact = { observation: observed('approved', 5_000), profile: defaultProfile, callbackAt }
    expect(statusSeen(document, about, fact).orders[0]?.callbackAt).toBe(left)
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
 * What may happen to one payment: how each attempt ended (first unknown, perhaps, and then known), callbacks, and status replies of
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

/** What a document says, whatever was learnt first. */
const said = ({ orders }: PaymentDocument) =>
  orders.map(({ stages, ...rest }) => ({
    ...rest,
    stages: [...stages].sort((a, b) => a.stage.localeCompare(b.stage)).map(({ askedAt: _, ...each }) => each),
  }))

describe('facts', () => {
  it('come to the same in whatever order they are written', () => {
    fc.assert(
      fc.property(
        facts.chain(list => fc.tuple(fc.constant(list), shuffled(list))),
        ([list, other]) => {
          expect(said(happen(other))).toEqual(said(happen(list)))
        },
      ),
      { numRuns: 500 },
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
      { numRuns: 300 },
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
    const decision = claimTelling(document, { token: 't', at: 9, lease: 9, profile: defaultProfile })
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
    document => postponeTelling(claimed(document), 't', 99),
    document => {
      const decision = reserveAttempt(document, { ...part, attemptId: 'p-9', reservation: 'r-9' })
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
      { numRuns: 300 },
    )
  })
})
