/**
 * What verified callbacks said of an order and status never showed: a movement that a later one covered before status was asked, or one
 * that the gateway has taken back since. Nothing is counted by it, and nobody is told of it: a person looks.
 *
 * @module
 */
import type { WireProfile } from '@tillkit/protocol'
import type { PaymentDocument } from '../state/document.js'
import type { KnownOrder, UnshownCallback } from '../state/known.js'
import { isSaidShown } from './callback-shown.js'

/** Everything that callbacks said of an order and status has not shown to this day. */
export const unshownOf = (order: KnownOrder, profile: WireProfile): readonly UnshownCallback[] =>
  (order.unshown ?? []).filter(each => !isSaidShown(each, order, profile))

/** The part of it that no person has noted. */
export function unnotedOf(
  order: KnownOrder,
  { decisions = [] }: Pick<PaymentDocument, 'decisions'>,
  profile: WireProfile,
): readonly UnshownCallback[] {
  const noted = decisions.flatMap(({ matter, proposal }) =>
    matter.kind === 'noted' && matter.clientOrderId === order.clientOrderId && proposal === undefined
      ? [matter.callbacks]
      : [],
  )
  const { unshown = [] } = order
  const open = unshown.slice(Math.max(0, ...noted))
  return unshownOf({ ...order, unshown: open }, profile)
}
