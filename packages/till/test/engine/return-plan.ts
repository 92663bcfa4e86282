import { defaultProfile } from '@tillkit/protocol'
import type { ChangePlan } from '../../src/intents/change.js'
import { part } from '../state/payment-samples.js'

const { reservation: _name, reservedAt: _at, sendBy: _by, amount: _amount, currency: _currency, ...returned } = part

/** A return of all that is left, by the one account that there is. */
export const returnPlan: ChangePlan = {
  terms: { name: 'return' },
  profile: defaultProfile,
  profileOf: login => (login === 'merchant' ? defaultProfile : undefined),
  requestFor({ clientOrderId, orderId }, { amount, attemptId = 'whole' }) {
    const extent = amount === undefined ? {} : { amount, currency: 'EUR' }
    return { attempt: { ...returned, clientOrderId, orderId, attemptId, ...extent }, timeout: 30_000 }
  },
}
