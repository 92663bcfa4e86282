import type { PaymentDocument } from '../state/document.js'
import { type Fact, type History, historyVersion } from './facts.js'
import { deliveryOf, factsBetween } from './facts-between.js'
import { factsWorthKeeping } from './news.js'

/** A document, and the history that it was worked out of; undefined: it is not the document of a payment. */
export interface KnownDocument {
  readonly document: PaymentDocument | undefined
  readonly history: History | undefined
}

/** A document that is there. */
export type KnownPayment = KnownDocument & { readonly document: PaymentDocument }

/** The document of a payment before a rule and after it. */
export interface ChangedDocument {
  /** Undefined: there was none. */
  readonly before: PaymentDocument | undefined
  readonly after: PaymentDocument
}

/**
 * A history after a rule made one document out of another. Fields that this release does not know are kept.
 *
 * @param history Its document is `before`. Undefined: nothing was kept of it yet, and all of `after` becomes facts.
 */
export function historyAfter(history: History | undefined, { before, after }: ChangedDocument): History {
  const { delivery: _over, facts: known = [], ...rest } = history ?? {}
  const facts: readonly Fact[] = [...known, ...factsBetween(history === undefined ? undefined : before, after)]
  const delivery = deliveryOf(after)
  return {
    ...rest,
    v: historyVersion,
    reference: after.reference,
    facts: factsWorthKeeping(facts, after),
    ...(delivery === undefined ? {} : { delivery }),
  }
}
