import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reduceOrder } from '../src/order/order.js'
import { settle } from '../src/order/settle.js'
import type { Stage } from '../src/order/types.js'
import { equalReturns, history, observation, reduceAll, start } from './observations.js'
import { cases } from './soak.js'
import { statusReply } from './status-reply.js'

/** Observations, no two of them asked for at the same time; they arrive in any order. */
const askedApart = fc
  .array(observation, { minLength: 1, maxLength: 12 })
  .chain(list => fc.tuple(fc.constant(list), fc.shuffledSubarray([...list.keys()], { minLength: list.length })))
  .map(([list, times]) => list.map((each, index) => ({ ...each, askedAt: times[index] ?? 0 })))

describe('reduceOrder, whatever arrives in whatever order', () => {
  it('never takes back a stage, its first final word, or a correction', () => {
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 20 }), observations => {
        const orders = history(observations)
        orders.slice(1).forEach((after, index) => {
          for (const [position, stage] of (orders[index]?.stages ?? []).entries()) {
            const next = after.stages[position]
            expect(next?.stage).toBe(stage.stage)
            expect(next?.askedAt).toBeGreaterThanOrEqual(stage.askedAt)
            if (stage.outcome !== undefined)
              expect(next).toMatchObject({ status: stage.status, outcome: stage.outcome })
            expect(next?.corrections.slice(0, stage.corrections.length)).toEqual(stage.corrections)
          }
        })
      }),
      cases({ daily: 50, soak: 2_000 }),
    )
  })

  it('changes nothing when the same reply is applied twice', () => {
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 10 }), observation, (observations, last) => {
        const once = reduceOrder(history(observations).at(-1) ?? start, last)
        expect(reduceOrder(once, last)).toEqual(once)
      }),
      cases({ daily: 50, soak: 2_000 }),
    )
  })

  it.each([
    ['at different times', askedApart],
    ['at the same time, some of them', fc.array(observation, { minLength: 1, maxLength: 12 })],
  ])('changes nothing when everything that was asked for %s arrives once more, in any order', (_, arrivals) => {
    const twice = arrivals.chain(list =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray([...list], { minLength: list.length })),
    )
    fc.assert(
      fc.property(twice, ([observations, again]) => {
        const order = reduceAll(observations)
        for (const each of again) expect(reduceOrder(order, each)).toEqual(order)
        expect(reduceAll([...observations, ...again])).toEqual(order)
      }),
      cases({ daily: 50, soak: 2_000 }),
    )
  })

  it('changes nothing on a non-answer', () => {
    fc.assert(
      fc.property(askedApart, observation, (observations, last) => {
        const order = reduceAll(observations)
        const { transactionType: _, ...stageless } = last.reply
        expect(reduceOrder(order, { ...last, reply: stageless })).toBe(order)
        const ended = { ...order, stages: order.stages.filter(stage => stage.outcome !== undefined) }
        const asked = { ...last, askedAt: 100, reply: { ...last.reply, status: 'processing' } }
        const after = reduceOrder(ended, asked).stages
        const told = ({ status, outcome, amount, corrections }: Stage) => ({ status, outcome, amount, corrections })
        expect(after.slice(0, ended.stages.length).map(told)).toEqual(ended.stages.map(told))
      }),
      cases({ daily: 50, soak: 2_000 }),
    )
  })

  it('appends every contradiction of a final word exactly once', () => {
    const finals = fc.array(fc.constantFrom('approved', 'declined', 'filtered', 'processing'), { maxLength: 12 })
    fc.assert(
      fc.property(finals, said => {
        const replies = said.map((status, askedAt) => ({ reply: statusReply({ status }), askedAt }))
        const final = said.filter(word => word !== 'processing')
        const changes = final.slice(1).filter((word, index) => word !== final[index])
        const corrections = reduceAll(replies.flatMap(each => [each, each])).stages[0]?.corrections ?? []
        expect(corrections.map(({ to }) => to)).toEqual(changes)
      }),
      cases({ daily: 50, soak: 2_000 }),
    )
  })

  it('keeps as many equal returns as there are serial numbers', () => {
    fc.assert(
      fc.property(equalReturns, ({ count, observations }) => {
        expect(reduceAll(observations).stages).toHaveLength(1 + count)
      }),
      cases({ daily: 50, soak: 2_000 }),
    )
  })

  it('never makes two of what cannot happen twice', () => {
    fc.assert(
      fc.property(askedApart, observations => {
        const { stages } = reduceAll(observations)
        for (const once of ['sale', 'preauth']) {
          expect(stages.filter(({ stage }) => stage === once).length).toBeLessThanOrEqual(1)
        }
      }),
      cases({ daily: 50, soak: 2_000 }),
    )
  })

  it('changes nothing on a reply about another order', () => {
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 10 }), observation, (observations, stray) => {
        const order = history(observations).at(-1) ?? start
        const reply = { ...stray.reply, orderId: '78' }
        expect(reduceOrder(order, { ...stray, reply })).toBe(order)
      }),
      cases({ daily: 50, soak: 2_000 }),
    )
  })
})

describe('settle, whatever arrives in whatever order', () => {
  const expected = { stages: ['capture'], serialNumber: 'a', amount: '3.00', currency: 'EUR' } as const

  it('settles a capture on nothing but a final, fitting reply about that capture', () => {
    fc.assert(
      fc.property(askedApart, observations => {
        let order = start
        for (const observation of observations) {
          const settlement = settle({ order, expected, observation })
          order = settlement.order
          if (settlement.kind !== 'approved') continue
          // One that was asked for before what is known says nothing new.
          if (observation.askedAt < settlement.stage.askedAt) continue
          const { orderId, transactionType, status, amount } = observation.reply
          expect([orderId, transactionType]).toEqual(['77', 'capture'])
          // A later reply that is not final leaves the final word standing.
          expect(['approved', 'processing', 'unknown', 'chain_declined', 'novel']).toContain(status)
          if (status === 'approved') expect(['3', '3.00']).toContain(amount)
          expect(settlement.stage).toMatchObject({ stage: 'capture', serialNumber: 'a', status: 'approved' })
        }
      }),
      cases({ daily: 150, soak: 2_000 }),
    )
  })
})
