import type { PaymentDocument } from '../store/document.js'
import { type Fact, type History, historyVersion } from './facts.js'
import { deliveryOf, factsBetween } from './facts-between.js'
import { factsWorthKeeping } from './news.js'

/** What became of a payment: its document before and after. */
export interface ChangedDocument {
  /** Undefined: there was none. */
  readonly before: PaymentDocument | undefined
  readonly after: PaymentDocument
}

/** A history after a rule made one document out of another. Its own document is `before`. */
export function historyAfter(history: History | undefined, { before, after }: ChangedDocument): History {
  const facts: readonly Fact[] = [...(history?.facts ?? []), ...factsBetween(before, after)]
  const delivery = deliveryOf(after)
  return {
    v: historyVersion,
    reference: after.reference,
    facts: factsWorthKeeping(facts, after),
    ...(delivery === undefined ? {} : { delivery }),
  }
}
