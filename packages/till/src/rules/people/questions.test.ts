import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { order, part, payment, sale, stage } from '../../../test/state/payment-samples.js'
import type { KnownAttempt, KnownOrder } from '../../state/known.js'
import { questionsOf } from './questions.js'

const facts = { at: 200_000, profile: defaultProfile }
const accepted = { kind: 'accepted', at: 2_000 } as const
const made: KnownAttempt = { ...sale, end: { ...accepted, orderId: '77' } }
const approved = stage({ status: 'approved', outcome: 'approved', amount: '10.00', currency: 'EUR', told: 1 })
const back = { ...approved, stage: 'reversal', amount: '3.00' } as const

const declined = { stage: 'reversal', status: 'declined', amount: '3.00' } as const

const kindsOf = (known: Partial<KnownOrder>) =>
  questionsOf(payment(order(known)), facts).map(each =>
    'operation' in each ? [each.kind, each.operation] : [each.kind],
  )

describe('an order that is incomplete', () => {
  const first: KnownAttempt = { ...part, end: accepted }
  const { amount: _amount, currency: _currency, ...all } = first
  const second: KnownAttempt = { ...part, attemptId: 'again', reservation: 'r-again', end: accepted }

  it.each<[string, Partial<KnownOrder>, readonly (readonly string[])[]]>([
    ['the sale has not ended, and a return has', { attempts: [made], stages: [{ ...back }] }, [['incomplete', 'sale']]],
    [
      'of two equal returns without numbers one is shown',
      { attempts: [made, first, second], stages: [approved, back] },
      [['incomplete', 'return']],
    ],
    [
      'the second of them has a number, and is asked for by it',
      {
        attempts: [made, first, { ...second, end: { ...accepted, serialNumber: 's-9' } }],
        stages: [approved, back],
      },
      [],
    ],
    [
      'the second is over another amount, and was asked for once the first was shown',
      {
        attempts: [made, first, { ...second, amount: '4.00', reservedAt: back.askedAt + 1 }],
        stages: [approved, back],
      },
      [],
    ],
    [
      'the second is over another amount, and the first was shown since it was asked for',
      {
        attempts: [made, first, { ...second, amount: '4.00', reservedAt: back.askedAt - 1 }],
        stages: [approved, back],
      },
      [['incomplete', 'return']],
    ],
    [
      'the whole was asked back, and status shows nothing but an equal return that had failed before',
      {
        attempts: [made, { ...all, baseline: { ...declined, askedAt: 1_500 } }],
        stages: [approved, { ...back, ...declined, outcome: 'declined' }],
      },
      [['incomplete', 'return']],
    ],
    [
      'a chargeback came after a return without a number, and is all that status shows',
      { attempts: [made, first], stages: [approved, { ...back, stage: 'chargeback', askedAt: 3_000 }] },
      [['incomplete', 'return']],
    ],
    [
      'a chargeback had come before the return',
      { attempts: [made, first], stages: [approved, { ...back, stage: 'chargeback', askedAt: 1_000 }] },
      [],
    ],
    ['both are shown', { attempts: [made, first, second], stages: [approved, back, { ...back }] }, []],
  ])('is asked about only where it is: %s', (_, known, expected) => {
    expect(kindsOf(known)).toEqual(expected)
  })
})
