import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { knownOrder as order } from '../../../test/engine/known-sale.js'
import { stage } from '../../../test/state/payment-samples.js'
import { isOverruled, isSaidShown, saidBy } from './callback-shown.js'

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
const said = (status: string, unsigned: Readonly<Record<string, string>> = {}) => ({
  signed: { status, orderId: '77', clientOrderId: 'basket-7' },
  unsigned,
})

describe('isSaidShown', () => {
  it.each([
    ['its word, of whatever stage', said('approved'), true],
    ['another word', said('declined'), false],
    ['a word that ends nothing', said('processing'), true],
    ['its stage', said('approved', { type: 'reversal' }), true],
    ['another stage', said('approved', { type: 'sale' }), false],
    ['its amount, written otherwise', said('approved', { type: 'reversal', amount: '4.0' }), true],
    ['another amount', said('approved', { type: 'reversal', amount: '5.00' }), false],
    ['what is no amount', said('approved', { type: 'reversal', amount: 'x' }), true],
    ['another number of the bank', said('approved', { type: 'reversal', 'processor-rrn': '12' }), false],
  ])('goes by everything that a callback says: %s', (_, callback, isIt) => {
    expect(isSaidShown(saidBy(callback, defaultProfile), now, defaultProfile)).toBe(isIt)
  })
})

it('goes by no number of the bank where a later word may be about another change', () => {
  const taken = { ...returned, corrections: [{ from: 'approved', to: 'declined', askedAt: 2 }] }
  const callback = said('declined', { type: 'reversal', amount: '4.00', 'processor-rrn': '12' })
  expect(
    isSaidShown(saidBy(callback, defaultProfile), { ...now, order: { ...order, stages: [taken] } }, defaultProfile),
  ).toBe(true)
})

describe('isOverruled', () => {
  const [first, minute] = [2, 60_000]
  const taken = { ...returned, corrections: [{ from: 'approved', to: 'declined', askedAt: first }] }

  it.each([
    ['an earlier word, a minute after the last one', taken, 'approved', minute, true],
    ['an earlier word that comes a little late', taken, 'approved', minute - 1, false],
    ['the last word', taken, 'declined', minute, false],
    ['a word that it never had', returned, 'declined', minute, false],
    ['another word than a person has settled on', { ...returned, wordsBefore: 2 }, 'declined', minute, true],
    [
      'another word than a person has settled on, just after status was asked',
      { ...returned, wordsBefore: 2 },
      'declined',
      minute - 2,
      false,
    ],
    ['the word that a person has settled on', { ...returned, wordsBefore: 2 }, 'approved', minute, false],
    [
      'an earlier word, where the gateway has said another one since',
      { ...taken, wordsBefore: 2 },
      'approved',
      minute,
      true,
    ],
  ])('is so of %s', (_, stage, word, after, isIt) => {
    const now = { order: { ...order, stages: [stage] }, at: first + after }
    expect(isOverruled(said(word), now, defaultProfile)).toBe(isIt)
  })
})
