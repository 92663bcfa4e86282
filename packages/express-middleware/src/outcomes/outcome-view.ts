/**
 * What a customer may be shown, from what a status reply settled.
 *
 * @module
 */
import type { AskedSettlement, MoneyMoved } from '@tillkit/protocol'

/** What the page for the customer shows. `checking` whenever status has not settled it: never a guess. */
export type OutcomeView = 'paid' | 'held' | 'verified' | 'sent' | 'declined' | 'checking'

/** A return or a release is no answer to a hosted form; such a page says `checking` and a person looks. */
const approvedViews: { readonly [Moved in MoneyMoved]: OutcomeView } = {
  captured: 'paid',
  held: 'held',
  none: 'verified',
  sent: 'sent',
  returned: 'checking',
  released: 'checking',
}

/** The view of a settlement; `checking` without one. */
export function outcomeView(settlement: AskedSettlement | undefined): OutcomeView {
  if (settlement === undefined || !settlement.settled) return 'checking'
  return settlement.outcome === 'approved' ? approvedViews[settlement.moneyMoved] : 'declined'
}
