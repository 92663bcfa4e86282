import { describe, expect, it } from 'vitest'
import { order, part, sale, stage, upload, whole } from '../../test/payment-samples.js'
import type { AttemptEnd } from './attempt.js'
import type { KnownAttempt, KnownOrder } from './document.js'
import { awaitedAttempt } from './expected.js'

const ended = (attempt: KnownAttempt, kind: AttemptEnd['kind'], own: Partial<AttemptEnd> = {}): KnownAttempt => ({
  ...attempt,
  end: { kind, at: 2_000, ...own },
})
const approved = { status: 'approved', outcome: 'approved' } as const
const sold = ended(sale, 'accepted')
const again = { ...part, attemptId: 'parcel-3', reservation: 'r-4' }
const first = ended(part, 'accepted', { serialNumber: 'sn-1' })
const second = ended(again, 'accepted', { serialNumber: 'sn-2' })
const reversed = stage({ stage: 'reversal', serialNumber: 'sn-1', ...approved })

describe('awaitedAttempt', () => {
  it.each<[string, KnownOrder, string | undefined, boolean]>([
    ['a sale that has not ended', order({ attempts: [sold], stages: [stage()] }), 'a-1', true],
    [
      'a sale that has ended, where nothing came after',
      order({ attempts: [sold], stages: [stage(approved)] }),
      'a-1',
      true,
    ],
    ['a sale of which nothing is known', order({ attempts: [sale] }), 'a-1', true],
    ['the sale, and not an upload for it', order({ attempts: [sold, ended(upload, 'accepted')] }), 'a-1', true],
    ['a change that has not ended', order({ attempts: [sold, first], stages: [stage(approved)] }), 'parcel-2', true],
    [
      'the change that has not ended, of two',
      order({ attempts: [sold, first, second], stages: [stage(approved), reversed] }),
      'parcel-3',
      false,
    ],
    [
      'the last change, where all have ended',
      order({
        attempts: [sold, first, second],
        stages: [stage(approved), { ...reversed, serialNumber: 'sn-2' }, reversed],
      }),
      'parcel-3',
      false,
    ],
    [
      'the sale, where the change did nothing',
      order({ attempts: [sold, ended(part, 'refused')], stages: [stage(approved)] }),
      'a-1',
      true,
    ],
    [
      'a change before which status showed one like it',
      order({ attempts: [sold, { ...part, baseline: { askedAt: 1, status: 'approved', stage: 'reversal' } }] }),
      'parcel-2',
      false,
    ],
    [
      'a change beside one that nobody here sent',
      order({
        attempts: [sold, first],
        stages: [stage(approved), { ...reversed, serialNumber: 'sn-9', amount: '9.00' }],
      }),
      'parcel-2',
      false,
    ],
    [
      'a void operation beside a return',
      order({ attempts: [sold, first, ended(whole, 'unknown')], stages: [stage(approved), reversed] }),
      'v-1',
      true,
    ],
    ['nothing of an order that was refused', order({ attempts: [ended(sale, 'refused')] }), undefined, false],
    ['nothing of one that nobody asked for', order({ stages: [stage()] }), undefined, false],
  ])('is %s', (_, known, attemptId, isOnlyOneOfItsKind) => {
    const awaited = awaitedAttempt(known)
    expect(awaited?.attempt.attemptId).toBe(attemptId)
    expect(awaited?.isOnlyOneOfItsKind ?? false).toBe(isOnlyOneOfItsKind)
  })
})
