import { expect, it } from 'vitest'
import { statusReply } from '../../test/status-reply.js'
import { defaultProfile as profile } from '../profile/profile.js'
import { snapshotOf } from './attempt.js'

const askedAt = 1_700_000_000_000

// Interface specification, section 3: the words of a status reply.
it('keeps the status, its stage, its amount and the number of the question, and no card data', () => {
  const reply = statusReply({ status: 'Approved', serialNumber: '00-1', cardholderName: 'JOHN SMITH' } as never)
  expect(snapshotOf(reply, { askedAt, profile })).toStrictEqual({
    askedAt,
    status: 'Approved',
    outcome: 'approved',
    stage: 'sale',
    amount: '10.00',
    currency: 'EUR',
    serialNumber: '00-1',
  })
})

it('leaves out what the reply does not say', () => {
  const reply = { status: 'processing', raw: {} }
  expect(snapshotOf(reply, { askedAt, profile })).toStrictEqual({ askedAt, status: 'processing' })
})
