import { type KnownAttempt, type PaymentDocument, quietFrom } from '../../state/document.js'

/**
 * Notices requests whose end nobody wrote down, when every wait for their answer is over: the process that sent them died, or never sent
 * them. A fact. It decides about nothing; the document is on the list `unknown` then.
 *
 * @param at What the store's clock says, in milliseconds.
 * @returns The very document where there is none that was not noticed before.
 */
export function overdueSeen(document: PaymentDocument, at: number): PaymentDocument {
  const isNews = (each: KnownAttempt): boolean =>
    each.end === undefined && each.overdue === undefined && at >= quietFrom(each)
  if (!document.orders.some(({ attempts }) => attempts.some(isNews))) return document
  const orders = document.orders.map(order => ({
    ...order,
    attempts: order.attempts.map(each => (isNews(each) ? { ...each, overdue: true as const } : each)),
  }))
  return { ...document, orders }
}
