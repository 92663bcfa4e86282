import { describe, expect, it } from 'vitest'
import { order, payment, sale, stage } from '../../../test/state/payment-samples.js'
import type { KnownOrder } from '../../state/known.js'
import { entryOf, lookAgainAt } from './entry.js'
import { isWatched } from './watch.js'

const minute = 60_000
const day = 86_400_000

/** When status said that it was declined, in milliseconds. */
const news = 6_000
const end = { kind: 'accepted', at: 2_000 } as const
const attempts = [{ ...sale, end }]
const declined = order({
  orderId: '77',
  attempts,
  stages: [{ ...stage({ status: 'declined', outcome: 'declined', askedAt: news }), told: 1 }],
})
const approvedStage = { ...stage({ status: 'approved', outcome: 'approved', askedAt: news }), told: 1 }
const approved = order({ orderId: '77', attempts, stages: [{ ...approvedStage, amount: '10.00' }] })

/** How long after the news somebody looks, until a year has passed, where nothing new is ever learnt. */
function looksAt(known: KnownOrder): readonly number[] {
  const document = payment(known)
  const looks: number[] = []
  let at = entryOf(document).due ?? Number.POSITIVE_INFINITY
  while (at < news + 360 * day) {
    if (isWatched(known, at)) looks.push(at - news)
    at = lookAgainAt(document, at)
  }
  return looks
}

describe('an order that brought no money', () => {
  it('is looked at after 1, 5 and 30 minutes, 6 hours, and daily for 30 days, and then no more', () => {
    const daily = Array.from({ length: 30 }, (_, index) => (index + 1) * day)
    expect(looksAt(declined)).toEqual([minute, 5 * minute, 30 * minute, 360 * minute, ...daily])
  })

  it('is looked at anew after news of it', () => {
    const restated = { ...declined, stages: declined.stages.map(each => ({ ...each, askedAt: news + 20 * day })) }
    expect(lookAgainAt(payment(restated), news + 20 * day + minute)).toBe(news + 20 * day + 5 * minute)
    expect(isWatched(restated, news + 45 * day)).toBe(true)
    expect(isWatched(declined, news + 45 * day)).toBe(false)
  })

  it('is looked at once for all that was missed', () => {
    expect(lookAgainAt(payment(declined), news + 3.5 * day)).toBe(news + 4 * day)
  })

  it('is looked at within a day where the clock was set back', () => {
    expect(lookAgainAt(payment(declined), news - 20 * day)).toBe(news - 19 * day)
  })

  it('does not hold up what has not ended', () => {
    const open = order({
      clientOrderId: 'basket-7.2r',
      attempts: [{ ...sale, clientOrderId: 'basket-7.2r', reservedAt: 4 * day }],
    })
    expect(lookAgainAt(payment(declined, open), 4 * day + 2 * minute)).toBe(4 * day + 3 * minute)
  })
})

it('leaves an order that brought money to callbacks', () => {
  expect(looksAt(approved)).toEqual([])
  expect(entryOf(payment(approved)).due).toBeNull()
})

describe('an order that ended without an amount', () => {
  const without = order({ orderId: '77', attempts, stages: [approvedStage] })

  it('is looked at as long as a decline: the amount may come', () => {
    expect(looksAt(without)).toEqual(looksAt(declined))
  })

  it('is left to callbacks once a person has settled it', () => {
    expect(looksAt(order({ orderId: '77', attempts, stages: [{ ...approvedStage, wordsBefore: 1 }] }))).toEqual([])
  })
})
