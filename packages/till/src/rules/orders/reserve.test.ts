import { type AttemptEnd, defaultProfile } from '@tillkit/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cases } from '../../../../protocol/test/soak.js'
import { order, part, payment, sale, stage, upload, whole } from '../../../test/state/payment-samples.js'
import type { PaymentDocument } from '../../state/document.js'
import type { KnownAttempt, KnownOrder, KnownStage } from '../../state/known.js'
import { orderIdFor } from '../../store/keys.js'
import { attemptEnded, statusSeen } from './happened.js'
import { hasFailed, isReleased, permissionToSend, type SendPermission } from './reserve.js'

type Ending = AttemptEnd['kind'] | 'open'
const ended = <Attempt extends KnownAttempt>(attempt: Attempt, kind: Ending): KnownAttempt =>
  kind === 'open' ? attempt : { ...attempt, end: { kind, at: 2_000 } }

/** Another call with the same request, or with another one. */
const again = (attempt: KnownAttempt, own: Partial<KnownAttempt> = {}): KnownAttempt => ({
  ...attempt,
  attemptId: `${attempt.attemptId}-again`,
  reservation: `${attempt.reservation}-again`,
  ...own,
})
const second = again(sale, { clientOrderId: 'basket-7.2r', fingerprint: 'g' })
const third = again(sale, { clientOrderId: 'basket-7.3r', fingerprint: 'h' })
const over = (outcome: 'approved' | 'declined' | 'filtered' | 'error', own: Partial<KnownStage> = {}) =>
  stage({ status: outcome, outcome, ...own })

/** The document in which the first order has one attempt, ended so, and stages that status showed. */
const known = (ending: Ending, stages: readonly KnownStage[] = [], attempt: KnownAttempt = sale) =>
  payment(order({ attempts: [ended(attempt, ending)], stages }))

describe('permissionToSend, of a new payment', () => {
  it('begins its document', () => {
    const decision = permissionToSend(undefined, sale)
    expect(decision).toEqual({ kind: 'reserved', document: payment(order({ attempts: [sale] })) })
  })

  it.each([
    ['the second order', second],
    ['the third', third],
  ])('does not begin with %s', (_, attempt) => {
    expect(permissionToSend(undefined, attempt).kind).not.toBe('reserved')
  })

  it('knows its own reservation again, whatever others wrote on top, and writes nothing', () => {
    const document = payment(order({ attempts: [sale], callbackAt: 9, orderId: '77' }))
    expect(permissionToSend(document, { ...sale, reservedAt: 5_000, sendBy: 35_000 })).toEqual({ kind: 'reserved' })
  })

  it.each<[string, PaymentDocument, SendPermission]>([
    ['is a tombstone', { ...payment(order()), over: 9 }, { kind: 'over' }],
    [
      'is of a reference in other letters',
      { ...payment(), reference: 'Basket-7' },
      { kind: 'other-case', reference: 'Basket-7' },
    ],
    [
      'has no room for another attempt',
      payment(
        order({ attempts: [], stages: [] }),
        // 150 attempts are the most.
        ...Array.from({ length: 150 }, (_, at) =>
          order({ clientOrderId: `x-${at}`, attempts: [ended(sale, 'refused')] }),
        ),
      ),
      { kind: 'full' },
    ],
  ])('is refused where its document %s', (_, document, decision) => {
    expect(permissionToSend(document, sale)).toEqual(decision)
  })
})

describe('permissionToSend, of the same order', () => {
  it.each<[Ending, SendPermission['kind']]>([
    ['open', 'already-sent'],
    ['unknown', 'already-sent'],
    ['accepted', 'already-sent'],
    ['refused', 'reserved'],
    ['not-sent', 'reserved'],
    ['no-trace', 'reserved'],
  ])('after an attempt that is %s: %s', (ending, kind) => {
    expect(permissionToSend(known(ending), again(sale)).kind).toBe(kind)
  })

  it.each<Ending>(['open', 'unknown', 'accepted', 'refused', 'not-sent', 'no-trace'])(
    'says no where the content is another, also after one that is %s',
    ending => {
      const decision = permissionToSend(known(ending), again(sale, { fingerprint: 'g' }))
      expect(decision).toMatchObject({ kind: 'other-content', earlier: { attemptId: 'a-1' } })
    },
  )

  it.each<[string, KnownStage]>([
    ['approved', over('approved')],
    ['under way', stage()],
    ['declined', over('declined')],
  ])('says no where status shows it %s, whatever was said of the request', (_, shown) => {
    for (const ending of ['refused', 'not-sent', 'no-trace'] as const)
      expect(permissionToSend(known(ending, [shown]), again(sale))).toMatchObject({ kind: 'open-order' })
  })

  it('puts the next attempt in the place of one that was not sent', () => {
    const decision = permissionToSend(known('not-sent'), again(sale))
    expect(decision).toMatchObject({ document: { orders: [{ attempts: [{ attemptId: 'a-1-again' }] }] } })
  })

  it('is another merchant’s under another login, and that one’s is then open', () => {
    expect(permissionToSend(known('accepted'), again(sale, { login: 'other' }))).toMatchObject({ kind: 'open-order' })
  })
})

describe('permissionToSend, of the next order', () => {
  it.each<[string, Ending, KnownStage[], SendPermission['kind']]>([
    ['has not ended', 'open', [], 'open-order'],
    ['is unknown', 'unknown', [], 'open-order'],
    ['was accepted', 'accepted', [], 'open-order'],
    ['was accepted and is under way', 'accepted', [stage()], 'open-order'],
    ['was accepted and approved', 'accepted', [over('approved')], 'open-order'],
    ['was accepted and declined', 'accepted', [over('declined')], 'reserved'],
    ['was accepted and filtered', 'accepted', [over('filtered')], 'reserved'],
    ['was accepted and failed', 'accepted', [over('error')], 'reserved'],
    ['is unknown and was declined', 'unknown', [over('declined')], 'reserved'],
    ['was refused', 'refused', [], 'reserved'],
    ['was not sent', 'not-sent', [], 'reserved'],
    ['left no trace', 'no-trace', [], 'reserved'],
    ['was refused and is approved all the same', 'refused', [over('approved')], 'open-order'],
    ['left no trace and is under way all the same', 'no-trace', [stage()], 'open-order'],
    [
      'was declined and then approved',
      'accepted',
      [over('declined', { corrections: [{ from: 'declined', to: 'approved', askedAt: 9 }] })],
      'open-order',
    ],
    [
      'was approved and then declined',
      'accepted',
      [over('approved', { corrections: [{ from: 'approved', to: 'declined', askedAt: 9 }] })],
      'open-order',
    ],
    [
      'was approved and returned',
      'accepted',
      [over('approved'), over('approved', { stage: 'reversal' })],
      'open-order',
    ],
    [
      'was declined, and another stage of it was approved',
      'accepted',
      [over('declined'), over('approved', { stage: 'reversal' })],
      'open-order',
    ],
  ])('where the first one %s', (_, ending, stages, kind) => {
    expect(permissionToSend(known(ending, stages), second).kind).toBe(kind)
  })

  it('names the order that is open', () => {
    expect(permissionToSend(known('accepted'), second)).toMatchObject({
      earlier: { clientOrderId: 'basket-7', attempts: [{ attemptId: 'a-1' }] },
    })
  })

  it('takes a change that failed for no failure of the order, whatever status showed first', () => {
    const hold = { ...sale, operation: 'preauth', stages: ['preauth'] } as const
    for (const failed of ['capture', 'reversal', 'void'] as const) {
      const shown = [over('declined', { stage: failed })]
      expect(permissionToSend(known('accepted', shown, hold), second).kind, failed).toBe('open-order')
    }
    const both = [over('declined', { stage: 'preauth' }), over('declined', { stage: 'capture' })]
    expect(permissionToSend(known('accepted', both, hold), second).kind).toBe('reserved')
  })

  it('waits for the second request of an order whose first one came late, and was declined', () => {
    const attempts = [ended(sale, 'no-trace'), again(sale)]
    const shown = [over('declined')]
    expect(permissionToSend(payment(order({ attempts, stages: shown })), second).kind).toBe('open-order')
    const both = [ended(sale, 'no-trace'), ended(again(sale), 'accepted')]
    expect(permissionToSend(payment(order({ attempts: both, stages: shown })), second).kind).toBe('reserved')
  })

  it('is not reserved by its own reservation where somebody ended that meanwhile', () => {
    expect(permissionToSend(known('no-trace'), sale)).toMatchObject({
      kind: 'already-sent',
      earlier: { attemptId: 'a-1' },
    })
  })

  it('keeps of many refused requests the last one, so that a wrong key fills no document', () => {
    let document = payment()
    for (let tries = 0; tries < 400; tries += 1) {
      const decision = permissionToSend(document, again(sale, { reservation: `r-${tries}` }))
      if (decision.kind !== 'reserved' || decision.document === undefined) throw new Error(decision.kind)
      const [{ attempts = [] } = {}] = decision.document.orders
      expect(attempts.length).toBeLessThanOrEqual(2)
      document = payment(order({ attempts: attempts.map(each => ended(each, 'refused')) }))
    }
  })

  it('skips none', () => {
    expect(permissionToSend(known('refused'), third)).toEqual({ kind: 'skipped', next: 'basket-7.2r' })
    const two = payment(
      order({ attempts: [ended(sale, 'refused')] }),
      order({ clientOrderId: 'basket-7.2r', attempts: [ended(second, 'refused')] }),
    )
    expect(permissionToSend(two, third).kind).toBe('reserved')
  })

  it('goes back to none while a later one is open', () => {
    const two = payment(
      order({ attempts: [ended(sale, 'refused')] }),
      order({ clientOrderId: 'basket-7.2r', attempts: [second] }),
    )
    expect(permissionToSend(two, again(sale))).toMatchObject({
      kind: 'open-order',
      earlier: { clientOrderId: 'basket-7.2r' },
    })
  })
})

describe('permissionToSend, of a change', () => {
  const sold = (...attempts: readonly KnownAttempt[]) =>
    payment(order({ orderId: '77', attempts: [ended(sale, 'accepted'), ...attempts], stages: [over('approved')] }))

  it('opens no order, and is refused by none that is open', () => {
    expect(permissionToSend(sold(), part).kind).toBe('reserved')
  })

  it.each<[string, KnownAttempt, KnownAttempt, SendPermission['kind']]>([
    ['a part after an equal one that is open', ended(part, 'open'), again(part), 'open-change'],
    ['a part after an equal one that is unknown', ended(part, 'unknown'), again(part), 'open-change'],
    ['a part after an equal one that was accepted', ended(part, 'accepted'), again(part), 'reserved'],
    ['a part after an equal one that was refused', ended(part, 'refused'), again(part), 'reserved'],
    ['a part after one that left no trace', ended(part, 'no-trace'), again(part), 'reserved'],
    [
      'a part under the id of one that was accepted',
      ended(part, 'accepted'),
      again(part, { attemptId: 'parcel-2' }),
      'already-sent',
    ],
    [
      'a part under the id of one that is open',
      ended(part, 'open'),
      again(part, { attemptId: 'parcel-2' }),
      'already-sent',
    ],
    [
      'a part under the id of one that was refused',
      ended(part, 'refused'),
      again(part, { attemptId: 'parcel-2' }),
      'reserved',
    ],
    [
      'another part under the id of one',
      ended(part, 'refused'),
      again(part, { attemptId: 'parcel-2', fingerprint: 'g' }),
      'other-content',
    ],
    ['the whole after a part that is open', ended(part, 'open'), whole, 'open-change'],
    ['a part after the whole that is open', ended(whole, 'open'), part, 'open-change'],
    ['the whole a second time', ended(whole, 'accepted'), again(whole, { fingerprint: 'g' }), 'already-sent'],
    ['the whole after one that was not sent', ended(whole, 'not-sent'), again(whole), 'reserved'],
    [
      'the whole after one that was refused, while status does not say so',
      ended(whole, 'refused'),
      again(whole),
      'already-sent',
    ],
    ['an upload after a part that is open', ended(part, 'open'), upload, 'reserved'],
    ['a part after an upload that is open', ended(upload, 'open'), part, 'reserved'],
  ])('%s', (_, earlier, attempt, kind) => {
    expect(permissionToSend(sold(earlier), { ...attempt, reservation: 'r-9' }).kind).toBe(kind)
  })
})

describe('hasFailed', () => {
  it.each<[string, KnownOrder, boolean]>([
    ['an order of which only a callback came', order({ callbackAt: 1 }), false],
    ['one that only a change is known of', order({ attempts: [ended(part, 'refused')] }), false],
    ['one that a request may have made', order({ attempts: [ended(sale, 'refused'), again(sale)] }), false],
    [
      'one that no request can have made',
      order({ attempts: [ended(sale, 'refused'), ended(again(sale), 'no-trace')] }),
      true,
    ],
    ['one of which a word is not known', order({ stages: [stage({ status: 'novel' })] }), false],
  ])('of %s', (_, tried, expected) => {
    expect(hasFailed(tried)).toBe(expected)
  })
})

describe('a payout in two steps', () => {
  const check: KnownAttempt = { ...sale, operation: 'payoutCheck', stages: ['payout-check'] }
  const pay: KnownAttempt = { ...whole, reservation: 'r-4', operation: 'payoutPay', stages: ['payout'], orderId: '77' }
  const numbered = (attempt: KnownAttempt): KnownAttempt => ({
    ...attempt,
    end: { kind: 'accepted', at: 2_000, orderId: '77', serialNumber: 's-2' },
  })
  const checked = over('approved', { stage: 'payout-check' })
  const paidOut = (outcome: 'approved' | 'declined', own: Partial<KnownStage> = {}) =>
    over(outcome, { stage: 'payout', serialNumber: 's-2', ...own })
  const desk = (attempts: readonly KnownAttempt[], stages: readonly KnownStage[]) =>
    order({ orderId: '77', attempts: [ended(check, 'accepted'), ...attempts], stages: [checked, ...stages] })
  const late = { corrections: [{ from: 'declined', to: 'approved', askedAt: 9_000 }] }

  it.each<[string, KnownOrder, boolean]>([
    ['was checked', desk([], []), false],
    ['was asked to send its money', desk([pay], []), false],
    ['sent its money', desk([numbered(pay)], [paidOut('approved')]), false],
    ['was declined in its second step', desk([numbered(pay)], [paidOut('declined')]), true],
    ['was approved late', desk([numbered(pay)], [paidOut('declined', late)]), false],
    ['is asked once more', desk([numbered(pay), again(pay)], [paidOut('declined')]), false],
  ])('that %s has failed: %#', (_, value, failed) => {
    expect(hasFailed(value)).toBe(failed)
    const next = permissionToSend(payment(value), { ...second, operation: 'payoutCheck', stages: ['payout-check'] })
    expect(next.kind).toBe(failed ? 'reserved' : 'open-order')
  })

  it('does not have its money sent a second time on one order, whatever became of the first', () => {
    for (const outcome of ['approved', 'declined'] as const) {
      const known = payment(desk([numbered(pay)], [paidOut(outcome)]))
      const baseline = { askedAt: 3_000, status: outcome, outcome, stage: 'payout' } as const
      expect(permissionToSend(known, { ...again(pay), baseline }).kind).toBe('already-sent')
    }
    const refused = payment(desk([ended(pay, 'refused')], []))
    const baseline = { askedAt: 3_000, status: 'approved', outcome: 'approved', stage: 'payout-check' } as const
    expect(permissionToSend(refused, { ...again(pay), baseline }).kind).toBe('reserved')
  })

  it('does not have its money sent while another of its orders may have sent it', () => {
    const next = { ...desk([], []), clientOrderId: 'basket-7.2r', orderId: '78' }
    const send = again(pay, { clientOrderId: 'basket-7.2r', orderId: '78' })
    const before = (stages: readonly KnownStage[]) => payment(desk([numbered(pay)], stages), next)
    expect(permissionToSend(before([paidOut('declined')]), send).kind).toBe('reserved')
    expect(permissionToSend(before([paidOut('declined', late)]), send).kind).toBe('open-order')
  })
})

describe('isReleased', () => {
  const asked: KnownAttempt = { ...sale, operation: 'preauth', stages: ['preauth'] }
  const preauth = ended(asked, 'accepted')
  const money = { amount: '10.00', currency: 'EUR' }
  const held = over('approved', { stage: 'preauth', ...money })
  const voided = over('approved', { stage: 'void' })
  const voiding = ended({ ...whole, attemptId: 'v-1' }, 'accepted')
  const capturing = {
    ...whole,
    attemptId: 'c-1',
    reservation: 'r-9',
    operation: 'capture',
    stages: ['capture'],
  } as const
  const correction = { from: 'approved', to: 'declined', askedAt: 6_000 }
  const released = (stages: readonly KnownStage[], attempts: readonly KnownAttempt[] = [voiding]) =>
    order({ orderId: '77', attempts: [preauth, ...attempts], stages })

  it.each<[string, KnownOrder, boolean]>([
    ['a hold that was voided', released([held, voided]), true],
    ['one that somebody else voided', released([held, voided], []), true],
    ['one that is voided', released([held, stage({ stage: 'void' })]), false],
    ['one whose void operation was declined', released([held, over('declined', { stage: 'void' })]), false],
    ['one whose void operation status does not show', released([held]), false],
    ['one that stands', released([held], []), false],
    ['one that is under way', released([stage({ stage: 'preauth' }), voided]), false],
    ['one that was declined and voided', released([over('declined', { stage: 'preauth' }), voided]), false],
    ['one of which a void operation is not resolved', released([held, voided], [whole]), false],
    ['one that was cancelled as a whole', released([held, over('approved', { stage: 'cancel', ...money })], []), true],
    ['one that was reversed as a whole', released([held, over('approved', { stage: 'reversal', ...money })], []), true],
    [
      'one that was cancelled in part',
      released([held, over('approved', { stage: 'cancel', ...money, amount: '3.00' })], []),
      false,
    ],
    ['one whose cancel names no amount', released([held, over('approved', { stage: 'cancel' })], []), false],
    [
      'one whose cancel is in another currency',
      released([held, over('approved', { stage: 'cancel', amount: '10.00', currency: 'USD' })], []),
      false,
    ],
    [
      'one whose amounts cannot be read',
      released([
        { ...held, amount: 'all' },
        { ...voided, amount: 'all' },
      ]),
      false,
    ],
    ['one that was captured in part', released([held, over('approved', { stage: 'capture' }), voided]), false],
    ['one whose capture was declined', released([held, over('declined', { stage: 'capture' }), voided]), true],
    ['one whose capture is under way', released([held, stage({ stage: 'capture' }), voided]), false],
    ['one whose capture is not resolved', released([held, voided], [capturing, voiding]), false],
    [
      'one whose capture was accepted and is not shown',
      released([held, voided], [ended(capturing, 'accepted'), voiding]),
      false,
    ],
    ['one whose capture was refused', released([held, voided], [ended(capturing, 'refused'), voiding]), true],
    ['one whose release is disputed', released([held, { ...voided, corrections: [correction] }]), false],
    ['one that is disputed itself', released([{ ...held, corrections: [correction] }, voided]), false],
    ['one that was restated', released([{ ...held, restated: { amount: '9.00', askedAt: 1 } }, voided]), false],
    ['one that was charged back', released([held, voided, over('approved', { stage: 'chargeback' })]), false],
    [
      'one of which the gateway approved something unknown',
      released([held, voided, over('approved', { stage: 'unrecognized' })]),
      false,
    ],
    [
      'one of two requests for it, of which one may still arrive',
      released([held, voided], [voiding, again(asked)]),
      false,
    ],
    [
      'a sale that was voided',
      order({ attempts: [ended(sale, 'accepted'), voiding], stages: [over('approved'), voided] }),
      false,
    ],
  ])('of %s', (_, tried, expected) => {
    expect(isReleased(tried)).toBe(expected)
    const next = permissionToSend(payment(tried), second).kind
    expect(next).toBe(expected || hasFailed(tried) ? 'reserved' : 'open-order')
  })
})

/** The truth about a request that was reserved. */
interface Truth {
  readonly attempt: KnownAttempt
  readonly hasArrived: boolean
  state: 'processing' | 'approved' | 'declined'
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('reserve' as const),
      order: fc.integer({ min: 1, max: 4 }),
      hasArrived: fc.boolean(),
      fingerprint: fc.constantFrom('f', 'f', 'g'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('end' as const), which: fc.nat(9), word: fc.nat(2) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('settle' as const), which: fc.nat(9), isApproved: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('status' as const), which: fc.nat(9) }) },
)

/** The ends that a client may truthfully report of a request that arrived, and of one that did not. */
const ends = { true: ['accepted', 'unknown', 'unknown'], false: ['refused', 'no-trace', 'not-sent'] } as const

describe('one payment', () => {
  it('never has two requests at the gateway of which none has failed, whatever happens in whatever order', () => {
    let tried = 0
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), steps => {
        let document: PaymentDocument | undefined
        const made: Truth[] = []
        for (const [at, each] of steps.entries()) {
          if (each.kind === 'reserve') {
            const clientOrderId = orderIdFor({ reference: 'basket-7', attempt: each.order })
            const { fingerprint } = each
            const attempt = { ...sale, attemptId: `a-${at}`, reservation: `r-${at}`, clientOrderId, fingerprint }
            const decision = permissionToSend(document, attempt)
            if (decision.kind !== 'reserved') continue
            document = decision.document ?? document
            made.push({ attempt, hasArrived: each.hasArrived, state: 'processing' })
          } else {
            const truth = made[each.which % Math.max(1, made.length)]
            if (truth === undefined) continue
            if (each.kind === 'end') {
              const kind = ends[`${truth.hasArrived}`][each.word] ?? 'unknown'
              document = attemptEnded(document, truth.attempt, { kind, at })
            } else if (each.kind === 'settle') {
              if (truth.state === 'processing') truth.state = each.isApproved ? 'approved' : 'declined'
            } else if (truth.hasArrived) {
              const clientOrderId = truth.attempt.clientOrderId ?? ''
              const reply = {
                status: truth.state,
                transactionType: 'sale',
                clientOrderId,
                orderId: `of-${clientOrderId}`,
                raw: {},
              }
              const fact = { observation: { reply, askedAt: at }, profile: defaultProfile }
              document = statusSeen(document, { clientOrderId, login: 'merchant' }, fact)
            }
          }
          const alive = made.filter(({ hasArrived, state }) => hasArrived && state !== 'declined')
          expect(alive.length).toBeLessThanOrEqual(1)
        }
        if (made.filter(({ hasArrived }) => hasArrived).length > 1) tried += 1
      }),
      cases({ daily: 100, soak: 3_000 }),
    )
    // Second orders were opened after first ones that failed: it did not just refuse everything.
    expect(tried).toBeGreaterThan(0)
  })
})
