import { describe, expect, it } from 'vitest'
import { purgedAt } from '../../test/state/facts-of.js'
import { order, payment, sale, stage } from '../../test/state/payment-samples.js'
import { entryOf, readDocument } from '../rules/kept/entry.js'
import { findOrder } from './document.js'
import { isDisputed, isUntold, type KnownAttempt, type KnownStage, quietFrom, wordsOf } from './known.js'

const stored = (body: string) => ({ key: 'payment/test/shop/basket-7', version: 1, writeId: 'w', body })
const approved = stage({ status: 'approved', outcome: 'approved', askedAt: 6_000 })
const correction = { from: 'declined', to: 'approved', askedAt: 7_000 }
const ended = (attempt: KnownAttempt, kind: 'accepted') => ({ ...attempt, end: { kind, at: 2_000 } })

describe('quietFrom', () => {
  it('is as long after the last byte as the call was allowed to take', () => {
    expect(quietFrom({ reservedAt: 1_000, sendBy: 31_000 })).toBe(61_000)
  })

  it('is never before the last byte', () => {
    expect(quietFrom({ reservedAt: 50_000, sendBy: 31_000 })).toBe(31_000)
  })
})

describe('a payment that was purged', () => {
  it('keeps the ids and nothing else of a person, an amount or an attempt', () => {
    const document = {
      ...payment(
        order({ orderId: '77', attempts: [ended(sale, 'accepted')], stages: [approved], callbackAt: 1 }),
        order({ clientOrderId: 'basket-7.2r' }),
      ),
      telling: { token: 't', order: 0, stage: 0, words: 1, until: 1 },
    }
    const tombstone = readDocument(stored(entryOf(purgedAt(document, 9_000)).body))
    expect(tombstone).toEqual({
      v: 1,
      reference: 'basket-7',
      facts: [expect.objectContaining({ kind: 'purged' })],
      orders: [order({ orderId: '77' }), order({ clientOrderId: 'basket-7.2r' })],
      over: 9_000,
    })
  })
})

describe('findOrder', () => {
  const first = order({ orderId: '77' })
  const foreign = order({ login: 'other', orderId: '77' })
  const nameless = { login: 'merchant', orderId: '78', attempts: [], stages: [] }
  const document = payment(first, foreign, nameless)

  it.each([
    ['the merchant’s id', { clientOrderId: 'basket-7', login: 'merchant' }, first],
    [
      'the merchant’s id, whatever the gateway’s is',
      { clientOrderId: 'basket-7', orderId: '5', login: 'merchant' },
      first,
    ],
    ['the gateway’s id where the merchant’s is not given', { orderId: '78', login: 'merchant' }, nameless],
    ['the merchant', { clientOrderId: 'basket-7', login: 'other' }, foreign],
    ['an id that it does not have', { clientOrderId: 'basket-8', login: 'merchant' }, undefined],
    ['a merchant that it does not have', { clientOrderId: 'basket-7', login: 'third' }, undefined],
  ])('goes by %s', (_, about, expected) => {
    expect(findOrder(document, about)).toBe(expected)
  })
})

describe('a stage', () => {
  it.each<[string, KnownStage, { words: number; untold: boolean; disputed: boolean }]>([
    ['under way', stage(), { words: 0, untold: false, disputed: false }],
    ['over', approved, { words: 1, untold: true, disputed: false }],
    ['over and told', { ...approved, told: 1 }, { words: 1, untold: false, disputed: false }],
    [
      'corrected, of which the first word was told',
      { ...approved, told: 1, corrections: [correction] },
      { words: 2, untold: true, disputed: true },
    ],
    [
      'corrected and told twice',
      { ...approved, told: 2, corrections: [correction] },
      { words: 2, untold: false, disputed: true },
    ],
    [
      'over other money than was told',
      { ...approved, told: 1, restated: { amount: '9.00', askedAt: 7 } },
      { words: 2, untold: true, disputed: true },
    ],
    [
      'corrected, and over other money',
      { ...approved, told: 2, corrections: [correction], restated: { amount: '9.00', askedAt: 7 } },
      { words: 3, untold: true, disputed: true },
    ],
  ])('that is %s', (_, known, expected) => {
    expect({ words: wordsOf(known), untold: isUntold(known), disputed: isDisputed(known) }).toEqual(expected)
  })
})
