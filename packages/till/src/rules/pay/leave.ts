import { findOrder, type PaymentDocument } from '../../state/document.js'
import { evolve } from '../../state/evolve.js'
import { nameOf } from '../../state/facts.js'
import type { KnownOrder } from '../../state/known.js'

/**
 * Writes down that a payment goes on without an order. A gate: it may be written at the version that was read, and at no other.
 *
 * @param options Why, and what the store's clock says, in milliseconds.
 * @returns The very document where it is so already.
 */
export function leaveOrder(
  document: PaymentDocument,
  left: Pick<KnownOrder, 'clientOrderId' | 'login'>,
  { why, at }: { readonly why: NonNullable<KnownOrder['left']>; readonly at: number },
): PaymentDocument {
  const { clientOrderId, login } = left
  const order = findOrder(document, { clientOrderId, login })
  if (document.over !== undefined || order === undefined || order.left !== undefined) return document
  return evolve(document, { kind: 'abandoned', order: nameOf(order), why, at })
}
