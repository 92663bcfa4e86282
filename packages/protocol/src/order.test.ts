import { describe, expect, it } from 'vitest'
import { statusReply } from '../test/status-reply.js'
import { emptyOrder, reduceOrder, type StatusObservation } from './order.js'

const order = emptyOrder({ clientOrderId: 'o-1', orderId: '77' })
const reduce = (...observations: readonly StatusObservation[]) =>
  observations.reduce((state, observation) => reduceOrder(state, observation), order)
const seen = (status: string, askedAt = 1, fields: Parameters<typeof statusReply>[0] | object = {}) => ({
  reply: statusReply({ status, ...fields }),
  askedAt,
})

describe('reduceOrder', () => {
  it('starts a stage when its first word arrives', () => {
    expect(reduce(seen('processing')).stages).toEqual([
      { stage: 'sale', status: 'processing', amount: '10.00', currency: 'EUR', askedAt: 1, corrections: [] },
    ])
  })

  it('learns the gateway order id', () => {
    const unknown = emptyOrder({ clientOrderId: 'o-1' })
    expect(reduceOrder(unknown, seen('processing')).orderId).toBe('77')
  })

  it('moves forward to a final word', () => {
    expect(reduce(seen('processing', 1), seen('approved', 2)).stages[0]).toMatchObject({
      status: 'approved',
      outcome: 'approved',
    })
  })

  it('keeps a final word when a later reply is not final', () => {
    const settled = reduce(seen('approved', 1))
    expect(reduceOrder(settled, seen('processing', 2))).toBe(settled)
    expect(reduceOrder(settled, seen('unknown', 3))).toBe(settled)
  })

  it('ignores a reply that was asked for earlier, however late it arrives', () => {
    const settled = reduce(seen('processing', 5))
    expect(reduceOrder(settled, seen('declined', 4))).toBe(settled)
  })

  it('appends a contradiction of a final word as a correction, once', () => {
    const corrected = reduce(seen('approved', 1), seen('declined', 2), seen('declined', 3))
    expect(corrected.stages[0]).toMatchObject({
      status: 'approved',
      outcome: 'approved',
      corrections: [{ from: 'approved', to: 'declined', askedAt: 2 }],
    })
    expect(corrected.stages[0]?.corrections).toHaveLength(1)
  })

  it('changes nothing on a reply about another order', () => {
    expect(reduce(seen('approved', 1, { orderId: '78' }))).toBe(order)
    expect(reduce(seen('approved', 1, { clientOrderId: 'o-2' }))).toBe(order)
  })

  it('changes nothing on a reply that names no stage', () => {
    const { transactionType: _, ...reply } = statusReply({ status: 'approved' })
    expect(reduceOrder(order, { reply, askedAt: 1 })).toBe(order)
  })

  it('keeps two equal partial returns apart by their serial numbers', () => {
    const reversal = { transactionType: 'reversal', amount: '3.00' }
    const twice = reduce(
      seen('approved', 1),
      { ...seen('approved', 2, reversal), bySerialNumber: 'a' },
      { ...seen('approved', 3, reversal), bySerialNumber: 'b' },
    )
    expect(twice.stages.map(each => [each.stage, each.serialNumber])).toEqual([
      ['sale', undefined],
      ['reversal', 'a'],
      ['reversal', 'b'],
    ])
  })

  it('does not guess which of two equal returns a reply speaks of', () => {
    const reversal = { transactionType: 'reversal' }
    const twice = reduce(
      { ...seen('processing', 1, reversal), bySerialNumber: 'a' },
      { ...seen('processing', 2, reversal), bySerialNumber: 'b' },
    )
    expect(reduceOrder(twice, seen('approved', 3, reversal))).toBe(twice)
  })

  it('gives a stage that was seen without one its serial number when it becomes known', () => {
    const known = reduce(seen('approved', 1), { ...seen('approved', 2), bySerialNumber: 'a' })
    expect(known.stages).toHaveLength(1)
    expect(known.stages[0]).toMatchObject({ serialNumber: 'a', outcome: 'approved', corrections: [] })
  })

  it('adds a chargeback that arrives later as a stage of its own', () => {
    const stages = reduce(seen('approved', 1), seen('approved', 2, { transactionType: 'chargeback' })).stages
    expect(stages.map(each => each.stage)).toEqual(['sale', 'chargeback'])
  })
})
