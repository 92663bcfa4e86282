import { threeDSecureSeen } from '../../rules/orders/happened.js'
import { findOrder, type PaymentDocument } from '../../state/document.js'
import type { ThreeDSecureProgress } from '../../state/known.js'
import type { Next } from '../next.js'

/** How far a customer is with 3DS, and the store's time, in milliseconds. */
export interface SecuredSoFar {
  readonly progress: ThreeDSecureProgress
  readonly at: number
}

/** An order whose customer goes through 3DS. */
export interface SecurePlan {
  readonly about: { readonly clientOrderId: string; readonly login: string }
  /** Says what is to be written down, by what is known then; nothing: this only reads. */
  readonly seen: (before: SecuredSoFar) => Partial<ThreeDSecureProgress>
}

/**
 * Writes down how far a customer was brought with 3DS. That is a fact: it is merged with everything that others wrote meanwhile, and takes
 * nothing away. Nothing is written if the order is not kept.
 */
export const secure =
  ({ about, seen }: SecurePlan): Next<SecuredSoFar> =>
  ({ payment, at: { earliest: at } }) => {
    const after = threeDSecureSeen(payment, about, seen({ progress: progressOf(payment, about), at }))
    return { kind: 'end', result: { progress: progressOf(after, about), at }, payment: after }
  }

function progressOf(payment: PaymentDocument | undefined, about: SecurePlan['about']): ThreeDSecureProgress {
  const order = payment === undefined || payment.over !== undefined ? undefined : findOrder(payment, about)
  return order?.threeDSecure ?? { done: [] }
}
