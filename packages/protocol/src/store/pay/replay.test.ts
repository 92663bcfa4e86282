import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { documentOf, order, part, payment, sale, stage, upload, whole } from '../../../test/payment-samples.js'
import { replayed } from '../../../test/replayed.js'
import { cases } from '../../../test/soak.js'
import { defaultProfile } from '../../profile/profile.js'
import type { AttemptEnd } from '../attempt.js'
import type { KnownDecision } from '../decision.js'
import { type KnownAttempt, type KnownOrder, type KnownStage, type PaymentDocument, tombstoneOf } from '../document.js'
import { paymentOf } from './payment.js'
import { replay } from './replay.js'

const view = { reference: 'basket-7', at: 40_000, profile: defaultProfile }
const words = fc.constantFrom('processing', 'approved', 'declined', 'filtered', 'error', 'unheard-of')
const amount = fc.constantFrom('10.00', '3.00', '7', 'none')
const time = fc.nat(60_000)
const number = fc.option(fc.constantFrom('s-1', 's-2', 's-3'), { nil: undefined })

/** An object without its fields that are undefined. */
const defined = <Of extends object>(of: Of): Of =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as Of

const ends: fc.Arbitrary<AttemptEnd | undefined> = fc.option(
  fc
    .record({
      kind: fc.constantFrom<AttemptEnd['kind']>('accepted', 'refused', 'not-sent', 'no-trace', 'unknown'),
      basis: fc.constantFrom(undefined, 'answer' as const, 'status' as const, 'person' as const),
      note: fc.constantFrom(undefined, 'ticket 4711'),
      serialNumber: number,
      redirectUrl: fc.constantFrom(undefined, 'https://gate.example/form/secret'),
      at: time,
    })
    .map(defined) as fc.Arbitrary<AttemptEnd>,
  { nil: undefined },
)

const attempts: fc.Arbitrary<KnownAttempt> = fc
  .record({
    of: fc.constantFrom(
      sale,
      { ...sale, operation: 'saleForm' },
      { ...sale, operation: 'preauth', stages: ['preauth'] as const },
      part,
      whole,
      upload,
      { ...part, operation: 'capture', stages: ['capture'] as const },
    ),
    reservation: fc.uuid(),
    amount: fc.option(amount, { nil: undefined }),
    reservedAt: time,
    end: ends,
    absence: fc.constantFrom(undefined, { quietSince: 5 }, { quietSince: 5, neverSeenAt: 9 }),
  })
  .map(({ of, reservedAt, ...rest }) =>
    defined({ ...of, ...rest, reservedAt, sendBy: reservedAt + 30_000 }),
  ) as fc.Arbitrary<KnownAttempt>

/** A stage whose words mean what the profile says: `settled` by the first one, and corrected since. */
const stages: fc.Arbitrary<KnownStage> = fc
  .record({
    name: fc.constantFrom<KnownStage['stage']>(
      'sale',
      'preauth',
      'capture',
      'reversal',
      'void',
      'chargeback',
      'unrecognized',
    ),
    status: words,
    amount: fc.option(amount, { nil: undefined }),
    currency: fc.constantFrom(undefined, 'EUR', 'USD'),
    serialNumber: number,
    errorMessage: fc.constantFrom(undefined, 'Decline, expired card'),
    errorCode: fc.constantFrom(undefined, '101'),
    askedAt: time,
    statusAskedAt: fc.option(time, { nil: undefined }),
    later: fc.array(fc.tuple(words, fc.nat(3), time), { maxLength: 3 }),
    restated: fc.constantFrom(
      undefined,
      { amount: '4.00', askedAt: 3 },
      { amount: '4.00', currency: 'EUR', askedAt: 9 },
    ),
    told: fc.option(fc.nat(4), { nil: undefined }),
    wordsBefore: fc.constantFrom(undefined, undefined, 2),
    toldAt: fc.option(time, { nil: undefined }),
  })
  .map(({ name, later, status, ...rest }) => {
    const outcome = defaultProfile.finalStatuses.value[status]
    let [from, nth] = [status, 0]
    const corrections = later.map(([to, skipped, askedAt]) => {
      const correction = { from, to, askedAt, nth: nth + skipped }
      ;[from, nth] = [to, correction.nth + 1]
      return correction
    })
    return defined({ ...rest, stage: name, status, outcome, corrections })
  }) as fc.Arbitrary<KnownStage>

const orders: fc.Arbitrary<KnownOrder> = fc
  .record({
    login: fc.constantFrom('merchant', 'other'),
    orderId: fc.constantFrom(undefined, '77'),
    attempts: fc.array(attempts, { maxLength: 4 }),
    stages: fc.array(stages, { maxLength: 3 }),
    left: fc.constantFrom(undefined, 'no-address' as const, 'replaced' as const),
    leftAt: fc.option(time, { nil: undefined }),
    crowded: fc.constantFrom(undefined, undefined, undefined, true as const),
    callbackAt: fc.option(time, { nil: undefined }),
    threeDSecure: fc.constantFrom(
      undefined,
      { done: ['challenge 4'] },
      { done: ['method 3', 'challenge 4'], method: { id: 'm', startedAt: 7_000, notifiedAt: 8_000 } },
    ),
  })
  .map(defined) as fc.Arbitrary<KnownOrder>

const word = { who: 'anna', why: 'ticket 4711', at: 30_000 }
const about = { clientOrderId: 'basket-7' }
const decisions: readonly KnownDecision[] = [
  { ...word, matter: { kind: 'failed', ...about, operation: 'sale', request: 'r-1' } },
  {
    ...word,
    matter: { kind: 'settled', ...about, place: 0, words: 2, stage: 'sale', outcome: 'approved', amount: '10.00' },
    before: { status: 'approved', corrections: [{ from: 'approved', to: 'declined', askedAt: 5 }] },
  },
  { ...word, matter: { kind: 'give-back', ...about, tries: 0 }, proposal: 'open' },
  { ...word, at: 31_000, matter: { kind: 'arrived', ...about, operation: 'sale', request: 'r-1' }, first: word },
  { ...word, matter: { kind: 'skip', ...about, stage: 'sale', outcome: 'merchant/basket-7/sale/1/1' } },
]
const wish = {
  name: 'capture',
  part: { amount: '3.00', key: 'k' },
  clientOrderId: 'basket-7',
  before: [],
  since: 5,
} as const

const documents: fc.Arbitrary<PaymentDocument> = fc
  .record({
    list: fc.array(orders, { maxLength: 3 }),
    over: fc.constantFrom(undefined, undefined, undefined, 50_000),
    telling: fc.constantFrom(undefined, '', 'ours'),
    failed: fc.constantFrom(undefined, { since: 5, tries: 2, error: 'Error: locked' }),
    wishes: fc.constantFrom(undefined, [wish]),
    decisions: fc.constantFrom(undefined, decisions),
  })
  .map(({ list, over, telling, failed, wishes, decisions }) => {
    const named = list.map((each, at) => {
      const clientOrderId = at === 0 ? 'basket-7' : `basket-7.${at + 1}r`
      return { ...each, clientOrderId, attempts: each.attempts.map(attempt => ({ ...attempt, clientOrderId })) }
    })
    const isTold = telling !== undefined && list[0]?.stages[0] !== undefined
    const claim = isTold
      ? { token: telling, order: 0, stage: 0, words: 1, until: 9_000, at: 8_000, ...defined({ failed }) }
      : undefined
    return { ...documentOf(...named), ...defined({ over, telling: claim, wishes, decisions }) } as PaymentDocument
  })

const declined = stage({ status: 'declined', outcome: 'declined', amount: '10.00', currency: 'EUR' })
const sold: KnownAttempt = {
  ...sale,
  end: { kind: 'accepted', at: 2_000, orderId: '77', redirectUrl: 'https://gate.example/form/secret' },
}

describe('replay', () => {
  it('says the same of a payment by its timeline as its document does', () => {
    fc.assert(
      fc.property(documents, fc.nat(200_000), (document, at) => {
        const { known, again } = replayed(document, { at })
        expect(again).toEqual(known)
      }),
      cases({ daily: 100, soak: 2_500 }),
    )
  })

  it('says the same of a payment whatever the order of the entries', () => {
    fc.assert(
      fc.property(
        documents.chain(document => {
          const { timeline } = paymentOf(document, view)
          return fc.tuple(fc.constant(document), fc.shuffledSubarray([...timeline], { minLength: timeline.length }))
        }),
        ([document, shuffled]) => {
          expect(replay(shuffled, view)).toMatchObject({ ...paymentOf(document, view), timeline: expect.anything() })
        },
      ),
      cases({ daily: 50, soak: 1_000 }),
    )
  })

  it('decides anew what a word means', () => {
    const { timeline } = paymentOf(payment(order({ attempts: [sold], stages: [declined] })), view)
    const { finalStatuses } = defaultProfile
    const value: typeof finalStatuses.value = { ...finalStatuses.value, declined: 'approved' }
    const today = { ...defaultProfile, finalStatuses: { ...finalStatuses, value } }
    expect([replay(timeline, view).state, replay(timeline, { ...view, profile: today }).state]).toEqual([
      'declined',
      'paid',
    ])
  })

  it('knows what is left of a payment that was deleted', () => {
    const over = tombstoneOf(payment(order({ orderId: '77', attempts: [sold], stages: [declined] })), 9_000)
    const { known, again } = replayed(over, { at: 10_000 })
    expect(again).toEqual(known)
    expect([again.state, again.timeline.map(({ kind }) => kind)]).toEqual(['purged', ['opened', 'purged']])
  })

  it('needs no address and no fingerprint', () => {
    const { timeline } = paymentOf(payment(order({ attempts: [sold], stages: [declined] })), view)
    expect(timeline).toContainEqual(expect.objectContaining({ kind: 'answer', form: true }))
    expect(JSON.stringify(timeline)).not.toMatch(/secret|gate\.example|fingerprint|reservation/)
  })

  it('is of nothing where nothing happened', () => {
    expect(replay([], view)).toEqual(paymentOf(undefined, view))
  })

  it.each([
    ['no list', {}, 'a timeline is a list'],
    ['an entry of a later release', [{ kind: 'teleported', order: 1 }], 'entry 1 is of kind "teleported"'],
    ['text', ['paid'], 'entry 1 is no entry'],
    ['an entry of no order', [{ kind: 'status' }], 'entry 1 is no entry'],
  ])('refuses %s', (_, timeline, message) => {
    expect(() => replay(timeline as never, view)).toThrow(message)
  })
})
