import { describe, expect, it } from 'vitest'
import { defaultProfile } from './profile.js'
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
    [{ orderStage: 'mfo_scoring' }, 'unrecognized'],
    [{}, undefined],
  ])('reads %j as %s', (reply, stage) => {
    expect(stageOf(reply, defaultProfile)).toBe(stage)
  })
})
