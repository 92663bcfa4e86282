import { describe, expect, it } from 'vitest'
import { defaultProfile } from '../profile/profile.js'
import { finalOutcome, stageOf } from './status.js'

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
