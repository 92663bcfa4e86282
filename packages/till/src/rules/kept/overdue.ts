import type { PaymentDocument } from '../../state/document.js'
import { evolve } from '../../state/evolve.js'
import { nameOf } from '../../state/facts.js'
import { type KnownAttempt, quietFrom } from '../../state/known.js'

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
  const facts = document.orders.flatMap(order =>
    order.attempts
      .filter(isNews)
      .map(({ reservation }) => ({ kind: 'overdue', order: nameOf(order), request: reservation }) as const),
  )
  return facts.length === 0 ? document : evolve(document, ...facts)
}
