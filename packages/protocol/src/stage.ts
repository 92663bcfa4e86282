/**
 * Stages of an order: the things that can happen to its money, each with a status of its own.
 *
 * @module
 */

/** What a status reply can speak of. */
export type StageName =
  | 'sale'
  | 'preauth'
  | 'capture'
  | 'cancel'
  | 'reversal'
  | 'void'
  | 'chargeback'
  | 'verification'
  | 'payout'
  | 'payout-check'
  | 'transfer'
  | 'pan-eligibility'
  | 'unrecognized'

/**
 * What an approved stage did to money. A verification or a payout check moves none; a preauth holds it; cancel and
 * void release what was held.
 */
export type MoneyMoved = 'none' | 'held' | 'captured' | 'released' | 'returned' | 'sent'

const moneyMovedBy: { readonly [Stage in StageName]: MoneyMoved } = {
  sale: 'captured',
  preauth: 'held',
  capture: 'captured',
  cancel: 'released',
  reversal: 'returned',
  void: 'released',
  chargeback: 'returned',
  verification: 'none',
  payout: 'sent',
  'payout-check': 'none',
  transfer: 'sent',
  'pan-eligibility': 'none',
  unrecognized: 'none',
}

/** Names of all stages. */
export const stageNames = Object.keys(moneyMovedBy) as readonly StageName[]

/** What an approved `stage` did to money. */
export function moneyMoved(stage: StageName): MoneyMoved {
  return moneyMovedBy[stage]
}

/** What is asked of an order that exists, or comes from the cardholder's bank, can happen again; what made it cannot. */
const repeatable: ReadonlySet<StageName> = new Set([
  'capture',
  'cancel',
  'reversal',
  'void',
  'chargeback',
  'unrecognized',
])

/** Whether an order can have several stages of this name: two partial returns, a capture that is tried again. */
export function mayRepeat(stage: StageName): boolean {
  return repeatable.has(stage)
}
