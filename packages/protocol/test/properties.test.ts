import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyOrder, type Order, reduceOrder, type StatusObservation } from '../src/order.js'
import { orderTotals } from '../src/order-totals.js'
import { statusReply } from './status-reply.js'

const words = ['approved', 'declined', 'filtered', 'error', 'processing', 'unknown', 'chain_declined', 'novel']
const types = ['sale', 'preauth', 'capture', 'cancel', 'reversal', 'void', 'chargeback', 'novel']

const observation: fc.Arbitrary<StatusObservation> = fc
  .record({
    status: fc.constantFrom(...words),
    transactionType: fc.constantFrom(...types),
    amount: fc.constantFrom('10.00', '3.00', '3'),
    orderId: fc.constantFrom('77', '77', '77', '78'),
    askedAt: fc.integer({ min: 0, max: 20 }),
    bySerialNumber: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
  })
  .map(({ askedAt, bySerialNumber, ...reply }) => ({
    reply: statusReply(reply),
    askedAt,
    ...(bySerialNumber === undefined ? {} : { bySerialNumber }),
  }))

const start = emptyOrder({ clientOrderId: 'o-1', orderId: '77' })

/** The order before the first observation and after each. */
function history(observations: readonly StatusObservation[]): readonly Order[] {
  const orders = [start]
  for (const each of observations) orders.push(reduceOrder(orders.at(-1) ?? start, each))
  return orders
}

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
    )
  })

  it('changes nothing when the same reply is applied twice', () => {
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 10 }), observation, (observations, last) => {
        const once = reduceOrder(history(observations).at(-1) ?? start, last)
        expect(reduceOrder(once, last)).toEqual(once)
      }),
    )
  })

  it('changes nothing on a reply about another order', () => {
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 10 }), observation, (observations, stray) => {
        const order = history(observations).at(-1) ?? start
        const reply = { ...stray.reply, orderId: '78' }
        expect(reduceOrder(order, { ...stray, reply })).toBe(order)
      }),
    )
  })

  it('never counts a negative total', () => {
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 20 }), observations => {
        const totals = orderTotals(history(observations).at(-1) ?? start)
        for (const amount of Object.values(totals ?? {})) expect(amount).not.toMatch(/^-/)
      }),
    )
  })
})
