import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { order, part, payment, sale, stage, whole } from '../../../test/state/payment-samples.js'
import type { KnownDecision } from '../../state/decision.js'
import type { KnownAttempt, KnownOrder, KnownStage } from '../../state/known.js'
import { type GiveBackStep, giveBackStep } from './give-back.js'

const end = { kind: 'accepted', at: 2_000 } as const
const approved: KnownStage = { ...stage({ status: 'approved', outcome: 'approved' }), amount: '10.00', currency: 'EUR' }
const reversal: KnownStage = { ...approved, stage: 'reversal', serialNumber: 's-1' }
const first = order({ orderId: '77', attempts: [{ ...sale, end }], stages: [{ ...approved, told: 1 }] })
const ofSecond: KnownAttempt = { ...sale, clientOrderId: 'basket-7.2r' }
const second: KnownOrder = { ...first, clientOrderId: 'basket-7.2r', orderId: '78', attempts: [{ ...ofSecond, end }] }
const third: KnownOrder = { ...second, clientOrderId: 'basket-7.3r', orderId: '79' }
const wholeReturn: KnownAttempt = { ...whole, operation: 'return', stages: ['cancel', 'reversal'] }

describe('giveBackStep', () => {
  it.each<[string, GiveBackStep, readonly KnownOrder[]]>([
    ['where another order keeps its money', 'give-back', [first, second]],
    [
      'where only a part of it was given back',
      'give-back',
      [
        {
          ...first,
          attempts: [...first.attempts, { ...part, end: { ...end, serialNumber: 's-1' } }],
          stages: [...first.stages, { ...reversal, amount: '3.00' }],
        },
        second,
      ],
    ],
    ['where the other one was returned', 'kept', [{ ...first, stages: [...first.stages, reversal] }, second]],
    [
      'where the other one was charged back',
      'kept',
      [{ ...first, stages: [...first.stages, { ...approved, stage: 'chargeback' }] }, second],
    ],
    [
      'where a return of the other one is reserved',
      'wait',
      [{ ...first, attempts: [...first.attempts, wholeReturn] }, second],
    ],
    [
      'where a return of it was not answered',
      'wait',
      [{ ...first, attempts: [...first.attempts, { ...wholeReturn, end: { kind: 'unknown', at: 3_000 } }] }, second],
    ],
    [
      'where a return of it is accepted, and not over',
      'wait',
      [{ ...first, attempts: [...first.attempts, { ...wholeReturn, end }] }, second],
    ],
    [
      'where status shows a return of it that nobody here sent, and that is not over',
      'wait',
      [{ ...first, stages: [...first.stages, stage({ stage: 'reversal' })] }, second],
    ],
    [
      'where one is returned and a third keeps its money',
      'give-back',
      [{ ...first, stages: [...first.stages, reversal] }, second, third],
    ],
    [
      'where one is returned and the third is on its way',
      'wait',
      [
        { ...first, stages: [...first.stages, reversal] },
        second,
        { ...third, attempts: [...third.attempts, wholeReturn] },
      ],
    ],
    [
      'where the other one is disputed',
      'person',
      [
        { ...first, stages: [{ ...approved, corrections: [{ from: 'approved', to: 'declined', askedAt: 9 }] }] },
        second,
      ],
    ],
    [
      'where the other one is over another amount than asked for',
      'person',
      [{ ...first, stages: [{ ...approved, amount: '1.00' }] }, second],
    ],
    [
      'where a part of the other one went back, and it is not certain how much',
      'person',
      [{ ...first, stages: [...first.stages, { ...approved, stage: 'reversal', amount: '3.00' }] }, second],
    ],
    [
      'where such a part went back, and a return of ours is on its way',
      'person',
      [
        {
          ...first,
          attempts: [...first.attempts, { ...part, end: { kind: 'unknown', at: 3_000 } }],
          stages: [...first.stages, { ...approved, stage: 'reversal', amount: '4.00' }],
        },
        second,
      ],
    ],
    [
      'where such a part was approved over two amounts, and declined at last',
      'person',
      [
        {
          ...first,
          stages: [
            ...first.stages,
            {
              ...reversal,
              amount: '3.00',
              restated: { amount: '4.00', currency: 'EUR', askedAt: 4_000 },
              corrections: [{ from: 'approved', to: 'declined', askedAt: 5_000 }],
            },
          ],
        },
        second,
      ],
    ],
    [
      'where such a part was declined at first, and approved at last',
      'person',
      [
        {
          ...first,
          stages: [
            ...first.stages,
            {
              ...stage({ stage: 'reversal', status: 'declined', outcome: 'declined' }),
              amount: '3.00',
              currency: 'EUR',
              corrections: [{ from: 'declined', to: 'approved', askedAt: 5_000 }],
            },
          ],
        },
        second,
      ],
    ],
    [
      'where all of the other one went back at the gateway',
      'kept',
      [{ ...first, stages: [...first.stages, { ...approved, stage: 'reversal' }] }, second],
    ],
    ['where nothing of it is left', 'given', [first, { ...second, stages: [...second.stages, reversal] }]],
    ['where it is not there', 'person', [first]],
  ])('%s: %s', (_, step, orders) => {
    expect(giveBackStep(payment(...orders), 'basket-7.2r', defaultProfile)).toBe(step)
  })

  it.each<[string, GiveBackStep, Partial<KnownDecision>]>([
    ['goes back where a person said so', 'give-back', {}],
    ['stays where the person spoke soon after that, or before', 'person', { at: stage().askedAt + 599_999 }],
    [
      'stays where it was tried since then',
      'person',
      { matter: { kind: 'give-back', clientOrderId: 'basket-7.2r', tries: 1 } },
    ],
    ['waits for a second person', 'person', { proposal: 'open' }],
    [
      'does not go back where a person said so of the other one',
      'person',
      { matter: { kind: 'give-back', clientOrderId: 'basket-7', tries: 0 } },
    ],
  ])('where a part of the other one went back, and it is not certain how much: %s', (_, step, more) => {
    const matter = { kind: 'give-back', clientOrderId: 'basket-7.2r', tries: 0 } as const
    const decision: KnownDecision = { matter, who: 'ann', why: 'looked', at: stage().askedAt + 600_000, ...more }
    const orders = [{ ...first, stages: [...first.stages, { ...approved, stage: 'reversal', amount: '3.00' }] }, second]
    const document = { ...payment(...(orders as KnownOrder[])), decisions: [decision] }
    expect(giveBackStep(document, 'basket-7.2r', defaultProfile)).toBe(step)
  })

  it('decides nothing about what is over', () => {
    expect(giveBackStep({ ...payment(first, second), over: 1 }, 'basket-7.2r', defaultProfile)).toBe('person')
  })
})
