import { readDocument } from '../rules/kept/entry.js'
import { isWatched } from '../rules/kept/watch.js'
import { isAwaited } from '../rules/orders/expected.js'
import { isUnresolved } from '../state/attempt-rules.js'
import type { PaymentDocument } from '../state/document.js'
import { isUntold, type KnownAttempt, type KnownOrder, quietFrom } from '../state/known.js'
import type { Stored } from '../store/store.js'

/** An order that there is work on. */
export interface OrderWork {
  readonly login: string
  readonly clientOrderId: string
  /** The gateway's order id; empty where it is not known. */
  readonly orderId: string
  /** Whether there is news of it: a callback, or an outcome that was not told. An order that is only awaited is asked about once. */
  readonly hasNews: boolean
}

/** The work that a document has left; `unreadable` where this process cannot read it. */
export type Left =
  | { readonly kind: 'payment'; readonly document: PaymentDocument; readonly orders: readonly OrderWork[] }
  | { readonly kind: 'unmatched'; readonly document: PaymentDocument }
  | { readonly kind: 'unreadable'; readonly cause: unknown }
  | { readonly kind: 'none' }

/** Says what a document has left to do; nothing where another program wrote it. @param at Milliseconds of the store's clock. */
export function leftIn(stored: Stored, at: number): Left {
  const { key } = stored
  if (!/^(?:payment|order|attempt|unmatched)\//.test(key)) return { kind: 'none' }
  try {
    const document = readDocument(stored)
    if (key.startsWith('unmatched/')) return { kind: 'unmatched', document }
    return { kind: 'payment', document, orders: key.startsWith('payment/') ? ordersLeft(document, at) : [] }
  } catch (cause) {
    return { kind: 'unreadable', cause }
  }
}

/** Gives the orders of a payment that there is work on. @param at Milliseconds of the store's clock. */
export function ordersLeft({ orders }: PaymentDocument, at: number): readonly OrderWork[] {
  const hasNews = (order: KnownOrder) => order.callbackAt !== undefined || order.stages.some(isUntold)
  // Status may have shown what it did before that could be judged.
  const isUnanswered = (each: KnownAttempt) =>
    each.effect === 'changes' && each.stages.length > 0 && isUnresolved(each) && at >= quietFrom(each)
  const isOpen = (order: KnownOrder) => isAwaited(order) || isWatched(order, at) || order.attempts.some(isUnanswered)
  return orders.flatMap(order => {
    const { login, clientOrderId, orderId = '' } = order
    if (clientOrderId === undefined || !(hasNews(order) || isOpen(order))) return []
    return [{ login, clientOrderId, orderId, hasNews: hasNews(order) }]
  })
}
