import {
  documentKey,
  isAwaited,
  isUnresolved,
  isUntold,
  isWatched,
  type KeptPayments,
  type KnownAttempt,
  type KnownOrder,
  type PaymentDocument,
  quietFrom,
  readDocument,
  type Stored,
  siblingKey,
} from '@tillkit/protocol'
import type { VerifiedCallback } from './check.js'

/** An order that there is work on. */
export interface OrderWork {
  /** Of its payment's document. */
  readonly key: string
  readonly login: string
  readonly clientOrderId: string
  readonly orderId: string
  /** The callbacks that came to this process since the work on it began. */
  readonly callbacks?: readonly VerifiedCallback[] | undefined
  /** Whether there is news of it: a callback, or an outcome that was not told. What is only awaited is asked about once. */
  readonly hasNews: boolean
}

/** What a document has left to do. */
export interface Left {
  readonly document: PaymentDocument
  readonly orders: readonly OrderWork[]
}

/** What there is to do about a document; none of ours where another program wrote it. */
export function leftIn(
  stored: Stored,
  at: number,
):
  | { readonly kind: 'unmatched'; readonly document: PaymentDocument }
  | ({ readonly kind: 'left' } & Left)
  | { readonly kind: 'unreadable'; readonly cause: unknown }
  | { kind: 'none' } {
  const { key } = stored
  if (!/^(?:payment|order|attempt|unmatched)\//.test(key)) return { kind: 'none' }
  try {
    const document = readDocument(stored)
    if (key.startsWith('unmatched/')) return { kind: 'unmatched', document }
    return { kind: 'left', document, orders: key.startsWith('payment/') ? ordersOf(document, key, at) : [] }
  } catch (cause) {
    return { kind: 'unreadable', cause }
  }
}

/** The orders of a payment that there is work on. */
function ordersOf({ orders }: PaymentDocument, key: string, at: number): readonly OrderWork[] {
  const hasNews = (order: KnownOrder) => order.callbackAt !== undefined || order.stages.some(isUntold)
  // Status may have shown what it did before that could be judged.
  const isUnanswered = (each: KnownAttempt) =>
    each.effect === 'changes' && each.stages.length > 0 && isUnresolved(each) && at >= quietFrom(each)
  const isOpen = (order: KnownOrder) => isAwaited(order) || isWatched(order, at) || order.attempts.some(isUnanswered)
  return orders.flatMap(order => {
    const { login, clientOrderId, orderId = '' } = order
    if (clientOrderId === undefined || !(hasNews(order) || isOpen(order))) return []
    return [{ key, login, clientOrderId, orderId, hasNews: hasNews(order) }]
  })
}

/** Whether a document is one of the name that a merchant's client has. */
export const isOfName = (payments: KeptPayments, order: OrderWork): boolean =>
  // An order that was adopted is in the document of another id.
  siblingKey(documentKey(order, payments), '') === siblingKey(order.key, '')
