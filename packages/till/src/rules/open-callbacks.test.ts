import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { knownSale, knownOrder as order } from '../../test/engine/known-sale.js'
import type { KnownDecision } from '../state/decision.js'
import type { KnownAttempt, KnownOrder, KnownStage, OpenCallback } from '../state/known.js'
import { areAnswered, toLookUp, undecidedOf, unshownOf } from './open-callbacks.js'

/** A part that was given back, as the store has it. */
const returned: KnownStage = {
  stage: 'reversal',
  status: 'approved',
  outcome: 'approved',
  askedAt: 1,
  corrections: [],
  amount: '4.00',
  processorRrn: '11',
}
const now = { order: { ...order, stages: [returned] }, replies: [] }
const said = (status: string) => ({ signed: { status, orderId: '77', clientOrderId: 'basket-7' }, unsigned: {} })
const [minute, hour] = [60_000, 3_600_000]

describe('areAnswered', () => {
  const open = { ...now, order: { ...now.order, callbackAt: 0 } }
  const news = [
    { type: 'status-response', status: 'approved', transactionType: 'chargeback', clientOrderId: 'basket-7' },
  ] as never

  const declined = { status: 'declined' }
  const asked = { now: { ...open.order, unshown: [{ ...declined, at: 1, since: 2 }] } }
  const kept = { now: { ...open.order, called: [{ ...declined, at: 1 }] } }

  it.each([
    ['none at hand, and no news', [], { replies: [], at: minute }, false],
    ['none at hand, and news', [], { replies: news, at: minute }, true],
    ['none at hand, an hour later', [], { replies: [], at: hour }, true],
    ['one that was shown before, and no news', [said('approved')], { replies: [], at: minute }, false],
    ['one that is shown now', [said('approved')], { replies: news, at: minute }, true],
    ['one that is not shown, and news', [said('declined')], { replies: news, at: hour }, false],
    ['one that a person is asked about', [said('declined')], { replies: [], at: hour, ...asked }, true],
    ['none at hand, news, and one that is kept and not shown', [], { replies: news, at: minute, ...kept }, false],
    ['the same, an hour later', [], { replies: [], at: hour, ...kept }, true],
  ])('closes the open callback by what status says: %s', (_, callbacks, more, isIt) => {
    expect(areAnswered(callbacks, { ...open, now: open.order, ...more }, defaultProfile)).toBe(isIt)
  })
})

describe('toLookUp', () => {
  const at = 10 * hour
  const came = at - hour
  const reply = (status: string, transactionType: string) =>
    ({ type: 'status-response', status, transactionType, clientOrderId: 'basket-7', amount: '4.00' }) as never
  const sold = { ...returned, stage: 'sale', amount: '10.00' } as const
  const open = (fields: Partial<OpenCallback> = {}): OpenCallback => ({
    status: 'approved',
    stage: 'chargeback',
    amount: '5.00',
    at: came,
    ...fields,
  })
  const back = open({ stage: 'reversal', amount: '4.00' })
  const failed = open({ ...back, status: 'declined' })
  const { amount: _amount, ...sale } = open({ stage: 'sale' })
  /** Our own return over as much, asked for at that moment. */
  const ours = (reservedAt: number): Partial<KnownOrder> => ({
    attempts: [
      ...order.attempts,
      {
        ...knownSale,
        operation: 'return',
        effect: 'changes',
        stages: ['reversal'],
        reservation: 'r',
        amount: '4.00',
        reservedAt,
      } as KnownAttempt,
    ],
    stages: [sold, returned],
  })

  it.each<[string, OpenCallback, Partial<KnownOrder>, readonly never[], boolean]>([
    ['one of an hour ago that status does not show', open(), {}, [], true],
    ['one of less', open({ at: came + 1 }), {}, [], false],
    ['one that status shows', back, {}, [], false],
    ['one that a request of our own has made since', back, ours(came + 1), [], true],
    ['one that a request of our own had made before', back, ours(came), [], false],
    ['a failure of what was approved: it may be taken back', failed, {}, [], true],
    ['a failure of what nothing was approved of: no money moved', failed, { stages: [sold] }, [], false],
    ['a failure that status says, and of which nothing is kept', failed, {}, [reply('declined', 'reversal')], false],
    [
      'a failure of the sale, which status says is approved',
      { ...sale, status: 'declined' },
      { stages: [sold] },
      [reply('approved', 'sale')],
      false,
    ],
    [
      'the same where status speaks of something else',
      { ...sale, status: 'declined' },
      { stages: [sold] },
      [reply('approved', 'reversal')],
      true,
    ],
    [
      'an approval of the sale, which status says was declined',
      sale,
      { stages: [{ ...sold, status: 'declined', outcome: 'declined' }] },
      [reply('declined', 'sale')],
      true,
    ],
  ])('gives what a person must look up: %s', (_, callback, more, replies, isIt) => {
    const known = { order: { ...now.order, ...more, called: [callback] }, replies, at }
    expect(toLookUp(known, defaultProfile)).toEqual(isIt ? [callback] : [])
  })
})

describe('what status never showed', () => {
  const first = { status: 'approved', stage: 'chargeback', amount: '1.00', at: 1, since: 2 } as const
  const second = { ...first, amount: '2.00' }
  const known = { ...now.order, unshown: [first, second] }
  const decision = (
    kind: 'noted' | 'dismissed',
    callbacks: number,
    more: Partial<KnownDecision> = {},
  ): KnownDecision => ({
    matter: { kind, clientOrderId: 'basket-7', callbacks },
    who: 'ada',
    why: 'ticket 4711',
    at: 9,
    ...more,
  })

  it.each([
    ['nobody', [], [first, second], [first, second]],
    ['a person who knows no more of the first', [decision('noted', 1)], [first, second], [second]],
    ['a person who dismisses the first', [decision('dismissed', 1)], [second], [second]],
    ['one after the other', [decision('noted', 1), decision('dismissed', 2)], [first], []],
    [
      'a person whose word is a proposal',
      [decision('dismissed', 2, { proposal: 'open' })],
      [first, second],
      [first, second],
    ],
    [
      'a person who looked at another order',
      [decision('dismissed', 2, { matter: { kind: 'dismissed', clientOrderId: 'b', callbacks: 2 } })],
      [first, second],
      [first, second],
    ],
  ])('counts by what was decided: %s', (_, decisions, counted, asked) => {
    expect(unshownOf(known, { decisions }, defaultProfile)).toEqual(counted)
    expect(undecidedOf(known, { decisions }, defaultProfile)).toEqual(asked)
  })
})
