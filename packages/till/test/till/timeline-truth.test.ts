/** Sentences of a timeline that must not say more than what was so: compared with the gateway's books, and with what the handler heard. */

import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import type { TimelineEntry } from '../../src/history/timeline/entry.js'
import { timelineOf } from '../../src/history/timeline/timeline.js'
import { saidOf } from '../../src/rules/orders/status-facts.js'
import { settledStage } from '../../src/rules/people/answers.js'
import { evolve, toDocument } from '../../src/state/evolve.js'
import { wordsOf } from '../../src/state/known.js'
import { answered, first, type Happening, historyOf, replied, sent, told } from '../state/happenings.js'
import { sale } from '../state/payment-samples.js'
import { ada, bob, minute, passes, quiet } from './acts.js'
import { basket, byCard, openShop, type Shop, type ShopOptions } from './shop.js'
import { openForms } from './surplus-shop.js'

/** The entries of one kind, without `about`. */
async function read({ till }: Pick<Shop, 'till'>, kind: string): Promise<readonly string[]> {
  const { timeline } = await till.payment('basket-7')
  return timeline.flatMap(each => (each.kind === kind ? [each.text] : []))
}

const correct = ({ gateway }: Shop, status: 'approved' | 'declined', clientOrderId = 'basket-7') =>
  gateway.act({ action: 'correct', status, orderId: gateway.orders.find(clientOrderId)?.orderId ?? '' })

describe('a timeline says why the next order was opened', () => {
  it('after a hold that was approved late and released: it had not failed', async () => {
    const shop = await openShop()
    await shop.customerPays((await shop.till.pay({ ...basket, hold: true })).address, '101')
    await shop.gateway.callbacks.idle()
    correct(shop, 'approved')
    await passes(shop, 60 * minute)
    await shop.till.void('basket-7')
    await passes(shop)
    await shop.till.pay({ ...basket, hold: true })
    expect(shop.books()).toEqual(['basket-7 preauth approved, void approved', 'basket-7.2r preauth processing'])
    expect((await read(shop, 'opened')).at(-1)).toBe(
      'The till opened order basket-7.2r with account merchant, since the hold of order basket-7 had been released.',
    )
  })
})

describe('a timeline says what the handler was told', () => {
  it('where the gateway contradicted itself: neither that it is approved, nor that it was declined', async () => {
    const shop = await openShop()
    await shop.till.pay(byCard)
    await passes(shop)
    for (const word of ['declined', 'approved'] as const) {
      correct(shop, word)
      await passes(shop)
    }
    expect(shop.told).toEqual(['basket-7 paid 10.00', 'basket-7 disputed 10.00', 'basket-7 disputed 10.00'])
    expect(await read(shop, 'delivered')).toEqual([
      'The handler was told that the sale over 10.00 EUR is approved.',
      'The handler was told that the sale over 10.00 EUR is disputed.',
      'The handler was told that the sale over 10.00 EUR is disputed.',
    ])
    // Once a person has settled it, it is not told again: the merchant knows that it is paid.
    await shop.till.decide('basket-7', { kind: 'settled', outcome: 'approved', ...ada })
    expect(await read(shop, 'delivered')).toHaveLength(3)
    correct(shop, 'declined')
    await passes(shop)
    await shop.till.decide('basket-7', { kind: 'settled', outcome: 'declined', ...bob })
    expect(shop.told.slice(3)).toEqual(['basket-7 disputed 10.00', 'basket-7 declined 10.00'])
    expect((await read(shop, 'delivered')).at(-1)).toBe(
      'The handler was told that the sale over 10.00 EUR was declined.',
    )
  })

  it('where the gateway named no amount for what it approved', async () => {
    const shop = await openShop()
    shop.gateway.faults.arm({ fault: 'amount-later', delay: 10 * minute })
    await shop.till.pay(byCard)
    await passes(shop, minute)
    expect(shop.told).toEqual(['basket-7 disputed'])
    expect(await read(shop, 'delivered')).toEqual(['The handler was told that the sale is disputed.'])
  })

  const failing = (options: ShopOptions<never> = {}) => {
    const handler = { fails: true }
    const onOutcome = () => {
      if (handler.fails) throw new Error('no such order in the shop')
    }
    return openShop({ ...options, onOutcome }).then(shop => ({ shop, handler }))
  }

  it('though one of two persons had said that it need not be told', async () => {
    const { shop, handler } = await failing({ secondPersonAbove: { EUR: '1.00' } })
    await shop.till.pay(byCard)
    await passes(shop)
    const [question] = await shop.till.questions('basket-7')
    const outcome = question?.kind === 'failing' ? question.outcome : ''
    const skip = (person: typeof ada) => shop.till.decide('basket-7', { kind: 'skip', outcome, ...person })
    expect((await skip(ada)).kind).toBe('needs-second-person')
    handler.fails = false
    await passes(shop, 60 * minute)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
    expect(await read(shop, 'delivered')).toEqual(['The handler was told that the sale over 10.00 EUR is approved.'])
  })

  it('and not what two persons decided that it need not be told', async () => {
    const { shop } = await failing({ secondPersonAbove: { EUR: '1.00' } })
    await shop.till.pay(byCard)
    await passes(shop)
    const [question] = await shop.till.questions('basket-7')
    const outcome = question?.kind === 'failing' ? question.outcome : ''
    for (const person of [ada, bob]) await shop.till.decide('basket-7', { kind: 'skip', outcome, ...person })
    await passes(shop, 60 * minute)
    expect([shop.told, await read(shop, 'delivered')]).toEqual([[], []])
    expect(await read(shop, 'decided')).toHaveLength(1)
  })

  it('and when it wanted more of that order', async () => {
    const shop = await openShop({
      onOutcome: ({ kind }, { afterwards }) => {
        if (kind !== 'held') return
        afterwards.capture({ amount: '3.00', key: 'parcel-1' })
        afterwards.void()
      },
    })
    shop.gateway.faults.arm({ fault: 'refuse-connection', operation: 'capture', times: 9 })
    await shop.till.pay({ ...byCard, hold: true })
    await shop.gateway.callbacks.idle()
    const { timeline } = await shop.till.payment('basket-7')
    const told = timeline.find(({ kind }) => kind === 'delivered')?.at
    expect(told).toEqual(expect.any(Number))
    expect(timeline.flatMap(each => (each.kind === 'follow-up' ? [[each.name, each.at]] : []))).toEqual([
      ['capture', told],
      ['void', told],
    ])
  })
})

describe('a timeline says that another order had brought money', () => {
  /** The second form is paid, and then the first one. */
  async function bothPaid(between: (shop: Shop) => void) {
    const shop = await openShop({ replaceOpenForm: true })
    const { first, second } = await openForms(shop)
    await shop.customerPays(second)
    await shop.gateway.callbacks.idle()
    between(shop)
    await passes(shop, quiet)
    await shop.customerPays(first)
    await passes(shop, quiet)
    return { told: shop.told.at(-1), said: (await read(shop, 'status')).at(-1) }
  }

  it('where it had', async () => {
    expect(await bothPaid(() => {})).toEqual({
      told: 'basket-7 surplus 10.00',
      said: 'The gateway said that the sale of order basket-7 over 10.00 EUR is approved. Order basket-7.2r had brought money already.',
    })
  })

  it('not where the gateway had taken that back', async () => {
    expect(await bothPaid(shop => correct(shop, 'declined', 'basket-7.2r'))).toEqual({
      told: 'basket-7 paid 10.00',
      said: 'The gateway said that the sale of order basket-7 over 10.00 EUR is approved.',
    })
  })
})

/** The timeline that a life is read as. */
function timelineAfter(...life: readonly Happening[]) {
  const history = historyOf(...life)
  return history === undefined ? [] : timelineOf(toDocument(history), defaultProfile)
}

const accepted = { kind: 'accepted', orderId: '77' } as const
const paid = { transactionType: 'sale', amount: '10.00' }

describe('a timeline says that a request was accepted', () => {
  it('once, though status says so and then the answer, which comes late and knows more', () => {
    const timeline = timelineAfter(
      sent(sale),
      replied(first, 5_000, paid),
      answered(sale, { ...accepted, basis: 'status', at: 5_000 }),
      told(5_100, true),
      answered(sale, { ...accepted, serialNumber: 's-1', at: 9_000 }),
    )
    expect(timeline.map(({ kind }) => kind)).toEqual(['opened', 'requested', 'status', 'answered', 'delivered'])
    expect(timeline[3]).toMatchObject({ at: 5_000, basis: 'status', orderId: '77', serialNumber: 's-1' })
  })
})

describe('a timeline says what the gateway said of a stage', () => {
  const settled =
    (outcome: 'approved' | 'declined'): Happening =>
    document => {
      const [order] = document?.orders ?? []
      if (document === undefined || order === undefined) throw new Error('There is nothing to settle.')
      return evolve(
        document,
        ...order.stages.map((each, place) => {
          const said = saidOf(settledStage(each, { outcome }, defaultProfile))
          return { kind: 'settled', order: first, stage: place + 1, said, words: wordsOf(each) } as const
        }),
      )
    }
  const words = (timeline: readonly TimelineEntry[]) =>
    timeline.flatMap(each =>
      ['status', 'corrected', 'restated', 'settled'].includes(each.kind) ? [`${each.at} ${each.text}`] : [],
    )

  it('and not the word of the person who settled it, though a later reply knows more', () => {
    const life = [
      sent(sale),
      answered(sale, { ...accepted, at: 2_000 }),
      replied(first, 5_000, paid),
      replied(first, 10_000, { ...paid, status: 'declined' }),
      settled('declined'),
      replied(first, 20_000, paid),
      replied(first, 30_000, { ...paid, byRequestSn: 's-1' }),
    ]
    expect(words(timelineAfter(...life))).toEqual([
      '5000 The gateway said that the sale over 10.00 EUR is approved.',
      'undefined So the till goes by it that the sale over 10.00 EUR was declined.',
      '20000 The gateway corrected itself: the sale is approved; before, it said that it was declined. It counts as approved.',
    ])
    expect(timelineAfter(...life).findLast(({ kind }) => kind === 'settled')).toMatchObject({ serialNumber: 's-1' })
  })

  it('in the order in which it said so, though several replies are kept as one', () => {
    const life = [
      sent(sale),
      answered(sale, { ...accepted, at: 2_000 }),
      replied(first, 5_000, paid),
      replied(first, 10_000, { ...paid, amount: '9.00' }),
      replied(first, 20_000, { ...paid, amount: '8.00' }),
      replied(first, 30_000, { ...paid, amount: '8.00', status: 'declined' }),
    ]
    const other = (amount: string) =>
      `The gateway named other money for the sale: ${amount} EUR. A person must ask the gateway which is so.`
    expect(words(timelineAfter(...life)).slice(1)).toEqual([
      `10000 ${other('9.00')}`,
      `20000 ${other('8.00')}`,
      '30000 The gateway corrected itself: the sale was declined; before, it said that it is approved. A person must ask the gateway which is so.',
    ])
  })
})
