import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { equalReturns, history, observation, reduceAll, start } from '../../../../protocol/test/observations.js'
import { cases } from '../../../../protocol/test/soak.js'
import { orderTotals } from './totals.js'

describe('orderTotals, whatever arrives in whatever order', () => {
  it('counts as many equal returns as there are serial numbers', () => {
    fc.assert(
      fc.property(equalReturns, ({ count, status, observations }) => {
        const returned = status === 'approved' ? `${count}.00` : '0.00'
        expect(orderTotals(reduceAll(observations))).toMatchObject({ captured: '10.00', returned })
      }),
      cases({ daily: 50, soak: 2_000 }),
    )
  })

  it('counts nothing where approved was taken back', () => {
    const final = fc
      .record({
        each: observation,
        status: fc.constantFrom('approved', 'declined'),
        type: fc.constantFrom('sale', 'void'),
      })
      .map(({ each, status, type }) => ({ ...each, reply: { ...each.reply, status, transactionType: type } }))
    fc.assert(
      fc.property(fc.array(final, { minLength: 4, maxLength: 20 }), observations => {
        const order = reduceAll(observations)
        const isTakenBack = order.stages.some(({ status, corrections }) =>
          [status, ...corrections.map(({ to }) => to)].slice(0, -1).includes('approved'),
        )
        fc.pre(isTakenBack)
        expect(orderTotals(order)).toBeUndefined()
      }),
      cases({ daily: 50, soak: 2_000 }),
    )
  })

  it('never counts a negative total', () => {
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 20 }), observations => {
        const totals = orderTotals(history(observations).at(-1) ?? start)
        for (const amount of Object.values(totals ?? {})) expect(amount).not.toMatch(/^-/)
      }),
      cases({ daily: 50, soak: 2_000 }),
    )
  })
})
