import { describe, expect, it } from 'vitest'
import { statusReply } from '../../test/status-reply.js'
import { defaultProfile, defineProfile } from '../profile/profile.js'
import { emptyOrder, type Order, reduceOrder } from './order.js'
import { type Expectation, settle } from './settle.js'
import type { AwaitedStage, StageName } from './stage.js'

const order = emptyOrder({ clientOrderId: 'o-1', orderId: '77' })
const sale: Expectation = { stages: ['sale'], amount: '10.00', currency: 'EUR' }
const profile = defineProfile({ statusNamesStage: false })

const { transactionType: _, ...approved } = statusReply({ status: 'approved' })
const observation = { reply: approved, askedAt: 1 }

const seen = (stage: StageName): Order => ({
  ...order,
  stages: [{ stage, status: 'approved', outcome: 'approved', askedAt: 0, corrections: [] }],
})

describe('a reply that names no stage', () => {
  it('settles nothing, unless the profile says that none does', () => {
    const strict = settle({ order, expected: sale, observation, profile: defaultProfile })
    expect(strict).toMatchObject({ kind: 'other-stage', order: { stages: [] } })
    expect(strict.observation).not.toHaveProperty('createdBy')
  })

  it('speaks of the sale that made the order and is waited for', () => {
    const settled = settle({ order, expected: sale, observation, profile })
    expect(settled).toMatchObject({ kind: 'approved', stage: { stage: 'sale', amount: '10.00' } })
    // What is stored is made from the observation, in another process and perhaps after other replies.
    expect(reduceOrder(order, settled.observation, profile)).toEqual(settled.order)
  })

  it('is compared with what was ordered as any other', () => {
    const other = { reply: { ...approved, amount: '9.00' }, askedAt: 1 }
    expect(settle({ order, expected: sale, observation: other, profile })).toMatchObject({ kind: 'amount-differs' })
  })

  it.each<AwaitedStage[]>([
    ['capture'],
    ['cancel', 'reversal'],
    ['void'],
    ['chargeback'],
    ['payout'],
    ['sale', 'preauth'],
  ])('is never taken for %s %s', (...stages) => {
    expect(settle({ order, expected: { stages }, observation, profile })).toMatchObject({ kind: 'other-stage' })
  })

  it('settles nothing once another stage of the order is known', () => {
    expect(settle({ order: seen('reversal'), expected: sale, observation, profile })).toMatchObject({
      kind: 'other-stage',
    })
    const { observation: kept } = settle({ order, expected: sale, observation, profile })
    expect(reduceOrder(seen('reversal'), kept, profile)).toEqual(seen('reversal'))
  })

  it('changes nothing under a profile that wants a name, whoever kept the observation', () => {
    const { observation: kept } = settle({ order, expected: sale, observation, profile })
    expect(reduceOrder(order, kept, defaultProfile)).toEqual(order)
  })

  it('counts for less than a name', () => {
    const named = { reply: statusReply({ status: 'approved', transactionType: 'reversal' }), askedAt: 1 }
    expect(settle({ order, expected: sale, observation: named, profile })).toMatchObject({ kind: 'other-stage' })
  })
})
