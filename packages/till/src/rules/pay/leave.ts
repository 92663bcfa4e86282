import { findOrder, type KnownOrder, type PaymentDocument } from '../../state/document.js'
import { withOrder } from '../../state/reserve.js'

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
  return withOrder(document, order, { ...order, left: why, leftAt: at })
}
