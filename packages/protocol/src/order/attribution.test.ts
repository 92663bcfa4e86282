import { describe, expect, it } from 'vitest'
import { statusReply } from '../../test/status-reply.js'
import type { AwaitedStage, StageName } from '../operations/stages.js'
import { defaultProfile, defineProfile } from '../profile/profile.js'
import { finalOutcome, stageOf } from './attribution.js'
import { emptyOrder, reduceOrder } from './order.js'
import { type SettleInput, settle } from './settle.js'
import type { Order } from './types.js'

describe('finalOutcome', () => {
  it.each(['approved', 'declined', 'filtered', 'error'])('takes %s as final', word => {
    expect(finalOutcome(word, defaultProfile)).toBe(word)
  })

  it.each(['processing', 'unknown', 'chain_declined', 'never heard of', 'constructor', ''])(
    'does not take %j as final',
    word => {
      expect(finalOutcome(word, defaultProfile)).toBeUndefined()
    },
  )
})

describe('stageOf', () => {
  it.each([
    [{ transactionType: 'sale' }, 'sale'],
    [{ transactionType: 'reversal', orderStage: 'sale_approved' }, 'reversal'],
    [{ orderStage: 'auth_approved' }, 'preauth'],
    [{ orderStage: 'AV_APPROVED' }, 'verification'],
    [{ orderStage: 'sale3d_end_approved' }, 'sale'],
    [{ orderStage: 'account_verification_approved' }, 'verification'],
    [{ transactionType: 'dispute' }, 'unrecognized'],
    // Observed while the customer was at 3DS.
    [{ orderStage: 'sale_3d_validating' }, 'sale'],
    [{ orderStage: 'SALE_3D_VALIDATING' }, 'sale'],
    [{ orderStage: 'auth_3d_validating' }, 'preauth'],
    // The families of the public list, each with a step of it.
    [{ orderStage: 'SALE_APPROVED' }, 'sale'],
    [{ orderStage: 'SALE3D_END_DECLINED' }, 'sale'],
    [{ orderStage: 'CAPTURE_PROCESSING' }, 'capture'],
    [{ orderStage: 'CANCEL_APPROVED' }, 'cancel'],
    [{ orderStage: 'REVERSAL_FAILED' }, 'reversal'],
    [{ orderStage: 'VOID_APPROVED' }, 'void'],
    [{ orderStage: 'TRANSFER_APPROVED' }, 'transfer'],
    [{ orderStage: 'PAN_ELIGIBILITY_APPROVED' }, 'pan-eligibility'],
    [{ orderStage: 'CHARGEBACK_APPROVED' }, 'chargeback'],
    [{ orderStage: 'DISPUTE_APPROVED' }, 'unrecognized'],
    [{ orderStage: 'RETRIEVAL_APPROVED' }, 'unrecognized'],
    [{ orderStage: 'FRAUD_APPROVED' }, 'unrecognized'],
    [{ orderStage: 'CREATE_CM_APPROVED' }, 'unrecognized'],
    [{ orderStage: 'saleable_approved' }, 'unrecognized'],
    [{ orderStage: 'mfo_scoring' }, 'unrecognized'],
    [{}, undefined],
  ])('reads %j as %s', (reply, stage) => {
    expect(stageOf(reply, defaultProfile)).toBe(stage)
  })
})

const order = emptyOrder({ clientOrderId: 'o-1', orderId: '77' })
const sale: SettleInput['expected'] = { stages: ['sale'], amount: '10.00', currency: 'EUR' }
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

// wire-facts: status replies have "processor-rrn" and "approval-code", of which the acquirer gives each movement of money its own.
describe('two returns that are equal but for the codes of the acquirer', () => {
  const codes = { processorRrn: '5104580478812', approvalCode: '000012' }
  const returned = (fields: Parameters<typeof statusReply>[0] | object, askedAt: number) => ({
    reply: statusReply({ status: 'approved', transactionType: 'reversal', amount: '3.00', ...fields }),
    askedAt,
  })
  const first = reduceOrder(order, returned(codes, 1))

  it.each([
    ['other codes', { processorRrn: '5104580478899', approvalCode: '000099' }, 2],
    ['another number, and no approval code', { processorRrn: '5104580478899' }, 2],
    ['another number, and the same approval code, as after a clearing', { ...codes, processorRrn: '5104580478899' }, 1],
    ['another approval code alone', { approvalCode: '000099' }, 1],
    ['the same number, and another approval code, as of an approval given again', { ...codes, approvalCode: '9' }, 1],
    ['the same codes, and another amount', { ...codes, amount: '2.00' }, 2],
    ['no code, where the first one had some', {}, 2],
    ['the same codes', codes, 1],
    ['the same number alone', { processorRrn: codes.processorRrn }, 1],
    ['no code, and a word that moves no money', { status: 'declined' }, 1],
    ['other codes, and a word that moves no money', { processorRrn: '5', approvalCode: '9', status: 'declined' }, 1],
  ])('with %s', (_, said, count) => {
    expect(reduceOrder(first, returned(said, 2)).stages).toHaveLength(count)
  })

  it('are told apart where the first one has a serial number', () => {
    const numbered = { ...first, stages: first.stages.map(each => ({ ...each, serialNumber: 's-1' })) }
    expect(reduceOrder(numbered, returned({ processorRrn: '5', approvalCode: '9' }, 2)).stages).toHaveLength(2)
    expect(reduceOrder(numbered, returned(codes, 2)).stages).toMatchObject([{ serialNumber: 's-1', askedAt: 2 }])
  })

  it('are one where a reply by number has the codes of the one that was seen without', () => {
    const byNumber = (said: object) => ({
      ...returned({ ...said, byRequestSn: 's-1' }, 2),
      bySerialNumber: 's-1',
    })
    // A stage that was over before is another one, unless it has the same code.
    expect(reduceOrder(first, byNumber(codes)).stages).toMatchObject([{ serialNumber: 's-1' }])
    expect(reduceOrder(first, byNumber({ processorRrn: '5', approvalCode: '9' })).stages).toHaveLength(2)
  })

  // ADR 0059: with one number for all returns of an order, a declined return was corrected by the next one.
  it('are no contradiction where one number stands for both, and one was declined', () => {
    const declined = reduceOrder(order, returned({ ...codes, status: 'declined' }, 1))
    expect(reduceOrder(declined, returned(codes, 2))).toBe(declined)
  })

  it('are one where the first one was under way under another number', () => {
    const begun = reduceOrder(order, returned({ ...codes, status: 'processing' }, 1))
    expect(reduceOrder(begun, returned({ processorRrn: '5', approvalCode: '9' }, 2)).stages).toHaveLength(1)
  })

  it('are one while the first one had no code yet', () => {
    const bare = reduceOrder(order, returned({}, 1))
    expect(reduceOrder(bare, returned(codes, 2)).stages).toMatchObject([{ ...codes }])
  })
})
