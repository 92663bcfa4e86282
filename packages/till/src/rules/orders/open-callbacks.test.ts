import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { knownSale, knownOrder as order } from '../../../test/engine/known-sale.js'
import { stage } from '../../../test/state/payment-samples.js'
import type { KnownDecision } from '../../state/decision.js'
import type { KnownAttempt, KnownOrder, KnownStage, OpenCallback } from '../../state/known.js'
import { areAnswered, toLookUp, undecidedOf, unshownOf } from './open-callbacks.js'

/** A part that was given back, as the store has it. */
const returned = stage({
  stage: 'reversal',
  status: 'approved',
  outcome: 'approved',
  askedAt: 1,
  amount: '4.00',
  processorRrn: '11',
})
const now = { order: { ...order, stages: [returned] }, replies: [] }
const said = (status: string) => ({ signed: { status, orderId: '77', clientOrderId: 'basket-7' }, unsigned: {} })
const [minute, hour] = [60_000, 3_600_000]

describe('areAnswered', () => {
  const open = { ...now, order: { ...now.order, callbackAt: 0 } }
  const news = [
    { type: 'status-response', status: 'approved', transactionType: 'chargeback', clientOrderId: 'basket-7' },
  ] as never

  const declined = { status: 'declined', outcome: 'declined' } as const
  const asked = { now: { ...open.order, unshown: [{ ...declined, at: 1, since: 2 }] } }
  const kept = {
    now: { ...open.order, called: [{ status: 'approved', outcome: 'approved', stage: 'capture', at: 1 } as const] },
  }

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
  const at = 100 * hour
  const came = at - hour
  const reply = (status: string, transactionType: string) =>
    ({ type: 'status-response', status, transactionType, clientOrderId: 'basket-7', amount: '4.00' }) as never
  const speaks = { ...(reply('declined', 'chargeback') as object), processorRrn: '12' } as never
  const sold = { ...returned, stage: 'sale', amount: '10.00' } as const
  const open = (fields: Partial<OpenCallback> = {}): OpenCallback => ({
    status: 'approved',
    outcome: 'approved',
    stage: 'chargeback',
    amount: '5.00',
    at: came,
    ...fields,
  })
  const back = open({ stage: 'reversal', amount: '4.00' })
  const declined = { status: 'declined', outcome: 'declined' } as const
  const failed: OpenCallback = { ...back, ...declined }
  const { amount: _amount, ...sale } = open({ stage: 'sale' })
  const { stage: _stage, ...nameless } = sale
  const soldAlone = { stages: [sold] }
  /** Our own return over as much, asked for at that moment. */
  const ours = (reservedAt: number): Partial<KnownOrder> => {
    const request = { operation: 'return', effect: 'changes', stages: ['reversal'], reservation: 'r', amount: '4.00' }
    const own = { ...knownSale, ...request, reservedAt } as unknown as KnownAttempt
    return { attempts: [...order.attempts, own], stages: [sold, returned] }
  }

  it.each<[string, OpenCallback, Partial<KnownOrder>, readonly never[], boolean]>([
    ['one of an hour ago that status does not show', open(), {}, [], true],
    ['one of less', open({ at: came + 1 }), {}, [], false],
    ['one that status shows', back, {}, [], false],
    ['one that a later request of our own has made', back, ours(came + 60_001), [], true],
    [
      'one that an earlier request of our own had made, by a clock that goes back',
      back,
      ours(came + 60_000),
      [],
      false,
    ],
    [
      'an approval of the sale, whose request a restored store has anew',
      sale,
      { stages: [sold], attempts: [{ ...knownSale, reservedAt: at }] },
      [],
      false,
    ],
    ['one of a movement that status speaks of by its number', { ...open(), processorRrn: '12' }, {}, [speaks], false],
    ['one of a movement with another number', { ...open(), processorRrn: '13' }, {}, [speaks], true],
    ['a failure of what was approved: it may be taken back', failed, {}, [], true],
    ['a failure of what nothing was approved of: no money moved', failed, soldAlone, [], false],
    ['a failure that status says, and of which nothing is kept', failed, {}, [reply('declined', 'reversal')], false],
    ['a failure of the sale', { ...sale, ...declined }, soldAlone, [], true],
    [
      'the same where status says that it is approved',
      { ...sale, ...declined },
      soldAlone,
      [reply('approved', 'sale')],
      false,
    ],
    ['the same where a return of it was approved', { ...sale, ...declined }, { stages: [sold, returned] }, [], false],
    ['a failure of nobody knows what', { ...nameless, ...declined }, soldAlone, [], true],
    [
      'the same where status says that the sale is approved',
      { ...nameless, ...declined },
      soldAlone,
      [reply('approved', 'sale')],
      false,
    ],
    [
      'an approval of the sale, which status says was declined',
      sale,
      { stages: [{ ...sold, ...declined }] },
      [reply('declined', 'sale')],
      true,
    ],
  ])('decides whether a person must look up %s', (_, callback, more, replies, isIt) => {
    const known = { order: { ...now.order, ...more, called: [callback] }, replies, at, isHeard: true }
    expect(toLookUp(known, defaultProfile)).toEqual(isIt ? [callback] : [])
  })

  it('waits a day where status does not answer', () => {
    const look = (since: number) => {
      const called = [open({ at: at - since })]
      return toLookUp({ order: { ...now.order, called }, replies: [], at, isHeard: false }, defaultProfile)
    }
    expect(look(24 * hour - 1)).toEqual([])
    expect(look(24 * hour)).toHaveLength(1)
  })
})

describe('what status never showed', () => {
  const first = {
    status: 'approved',
    outcome: 'approved',
    stage: 'chargeback',
    amount: '1.00',
    at: 1,
    since: 2,
  } as const
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

  const shown = { ...returned, stage: 'chargeback', amount: '1.00' } as const

  it.each<[string, Partial<KnownStage>, boolean]>([
    ['one that came to light before', { askedAt: 2 }, true],
    ['a later one, which may be another', { askedAt: 3 }, false],
    ['one that was corrected since', { askedAt: 3, statusAskedAt: 2 }, true],
    ['one whose number a person has named', { askedAt: 3, serialNumber: 's-1' }, true],
  ])('is ended by an equal movement of somebody else: %s', (_, fields, isIt) => {
    const order = { ...known, unshown: [first], stages: [{ ...shown, ...fields }] }
    expect(undecidedOf(order, {}, defaultProfile)).toEqual(isIt ? [] : [first])
  })

  it('counts words that the profile does not know: lists are written by the default one', () => {
    const odd = { ...first, status: 'success' }
    expect(undecidedOf({ ...known, unshown: [odd] }, {}, defaultProfile)).toEqual([odd])
    const stages = [{ ...shown, status: 'success', askedAt: 2 }]
    expect(undecidedOf({ ...known, unshown: [odd], stages }, {}, defaultProfile)).toEqual([])
  })
})
