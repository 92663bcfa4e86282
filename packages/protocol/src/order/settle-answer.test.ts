import { describe, expect, it } from 'vitest'
import { statusReply } from '../../test/status-reply.js'
import { emptyOrder, reduceOrder } from './order.js'
import type { SettleInput } from './settle.js'
import { needsPerson, settleAnswer } from './settle.js'

const order = emptyOrder({ clientOrderId: 'o-1', orderId: '77' })
const sale: SettleInput['expected'] = { stages: ['sale'], amount: '10.00', currency: 'EUR' }
const part: SettleInput['expected'] = { stages: ['reversal'], serialNumber: 'a', amount: '3.00', currency: 'EUR' }
const returned = statusReply({ status: 'approved', transactionType: 'reversal', amount: '3.00' })

describe('settleAnswer', () => {
  it('settles on a reply that echoes the serial number that is waited for', () => {
    const answer = { askedAt: 5, reply: { ...returned, byRequestSn: 'a' } }
    expect(settleAnswer({ order, expected: part }, answer)).toMatchObject({
      kind: 'approved',
      stage: { serialNumber: 'a', askedAt: 5 },
    })
  })

  it.each([
    ['request "b"', { byRequestSn: 'b' }],
    ['echoes no serial number', {}],
  ])('does not settle on a reply about another request or none, and says so: %s', (text, echo) => {
    const settlement = settleAnswer({ order, expected: part }, { askedAt: 5, reply: { ...returned, ...echo } })
    expect(settlement).toMatchObject({ kind: 'other-stage', explanation: expect.stringContaining(text) })
  })

  it('takes what it learns for later than what is known, whatever the clock says', () => {
    const known = reduceOrder(order, { reply: statusReply({ status: 'approved' }), askedAt: 9 })
    const answer = { askedAt: 5, reply: statusReply({ status: 'declined' }) }
    const settlement = settleAnswer({ order: known, expected: sale }, answer)
    expect(settlement).toMatchObject({ kind: 'corrected', observation: { askedAt: 9 } })
    expect(needsPerson(settlement)).toBe(true)
  })

  it('concludes nothing from a question that failed', () => {
    const cause = new Error('socket hang up')
    const settlement = settleAnswer({ order, expected: sale }, { askedAt: 5, cause })
    expect(settlement).toMatchObject({ kind: 'no-answer', cause })
    expect(settlement.order).toBe(order)
    expect(needsPerson(settlement)).toBe(false)
  })
})
