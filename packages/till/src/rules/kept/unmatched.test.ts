import { describe, expect, it } from 'vitest'
import { purgedAt } from '../../../test/state/facts-of.js'
import type { PaymentDocument } from '../../state/document.js'
import { entryOf } from './entry.js'
import { claimOffer, offerFailed, offerOver, unmatchedCame } from './unmatched.js'

const about = { login: 'merchant', clientOrderId: 'basket-7', orderId: '77' }
const came = (known: PaymentDocument | undefined, status: string, at: number, isOffered = true) =>
  unmatchedCame(known, about, { status, at, isOffered })
const lease = 30_000

describe('unmatchedCame', () => {
  it('keeps each word once, whoever sends it how often', () => {
    const first = came(undefined, 'approved', 1_000)
    expect(entryOf(first)).toMatchObject({ list: 'unmatched', due: 1_000 })
    expect(came(first, 'approved', 2_000)).toBe(first)
    const second = came(first, 'reversed', 3_000)
    expect(came(second, 'approved', 4_000)).toBe(second)
    expect(second.orders[0]?.unmatched?.words).toEqual(['approved', 'reversed'])
  })

  it('keeps twenty short words of one order at most', () => {
    let document = came(undefined, 'x'.repeat(5_000), 1)
    for (let word = 0; word < 100; word += 1) document = came(document, `word ${word}`, 2 + word)
    const { words = [] } = document.orders[0]?.unmatched ?? {}
    expect([words.length, words[0]?.length]).toEqual([20, 100])
  })

  it('is on a list and never due where nobody is to be offered it, and brings nothing old up later', () => {
    const quiet = came(undefined, 'approved', 1_000, false)
    expect(entryOf(quiet)).toMatchObject({ list: 'unmatched', due: null })
    expect(claimOffer(came(quiet, 'reversed', 2_000), { at: 3_000, lease })?.offer.status).toBe('reversed')
  })

  it('changes nothing about what a person took over', () => {
    const over = purgedAt(came(undefined, 'approved', 1_000), 2_000)
    expect(came(over, 'reversed', 3_000)).toBe(over)
    expect(entryOf(over)).toMatchObject({ list: null, due: null })
  })
})

describe('what a person took up', () => {
  it('is on no list, and offered no more', () => {
    const document = came(undefined, 'approved', 1_000)
    const calm = { ...document, orders: document.orders.map(({ callbackAt: _answered, ...order }) => order) }
    expect(entryOf(calm)).toMatchObject({ list: null, due: null })
    expect(claimOffer(calm, { at: 9_000, lease })).toBeUndefined()
  })
})

describe('an offer', () => {
  it('is claimed by one at a time, each word once, in their order', () => {
    const document = came(came(undefined, 'approved', 1_000), 'reversed', 2_000)
    const first = claimOffer(document, { at: 3_000, lease })
    expect(first?.offer).toEqual({ ...about, status: 'approved', nth: 0, tries: 0 })
    const claimed = first?.document as PaymentDocument
    expect(claimOffer(claimed, { at: 3_001, lease })).toBeUndefined()
    const over = offerOver(claimed, 0, 4_000)
    const second = claimOffer(over, { at: 4_000, lease })
    expect(second?.offer.status).toBe('reversed')
    const done = offerOver(second?.document as PaymentDocument, 1, 5_000)
    expect([claimOffer(done, { at: 9e12, lease }), entryOf(done).due]).toEqual([undefined, null])
    expect(entryOf(done).list).toBe('unmatched')
    expect(offerFailed(done, 0, 6_000)).toBe(done)
  })

  it('is made again after a lease that nobody ended', () => {
    const { document } = claimOffer(came(undefined, 'approved', 1_000), { at: 1_000, lease }) ?? {}
    expect(entryOf(document as PaymentDocument).due).toBe(31_000)
    expect(claimOffer(document, { at: 31_000, lease })?.offer.status).toBe('approved')
  })

  it('is made ten times at most, with growing pauses', () => {
    let document = came(undefined, 'approved', 0)
    const at: number[] = []
    for (let now = 0; ; ) {
      const claimed = claimOffer(document, { at: now, lease })
      if (claimed === undefined) break
      at.push(now)
      document = offerFailed(claimed.document, claimed.offer.nth, now)
      now = entryOf(document).due ?? Number.POSITIVE_INFINITY
    }
    expect(at).toHaveLength(10)
    expect(at.slice(0, 4)).toEqual([0, 60_000, 180_000, 420_000])
    expect(entryOf(document)).toMatchObject({ due: null, list: 'unmatched' })
  })
})
