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

/** A stage that an outcome can be waited for of: of `unrecognized` it is not known what it does to money. */
export type AwaitedStage = Exclude<StageName, 'unrecognized'>

/**
 * What an approved stage did to money. A verification or a payout check moves none; a preauth holds it; cancel and
 * void release what was held.
 */
export type MoneyMoved = 'none' | 'held' | 'captured' | 'released' | 'returned' | 'sent'

const moneyMovedBy: { readonly [Stage in AwaitedStage]: MoneyMoved } = {
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
}

/** Names of all stages that can be waited for. */
export const awaitedStages = Object.keys(moneyMovedBy) as readonly AwaitedStage[]

/** Whether text is one of them. */
export const isAwaitedStage = (text: unknown): text is AwaitedStage => awaitedStages.some(known => known === text)

/** What an approved `stage` did to money; `unknown` where this library does not know the stage. */
export function moneyMoved(stage: AwaitedStage): MoneyMoved
export function moneyMoved(stage: StageName): MoneyMoved | 'unknown'
export function moneyMoved(stage: StageName): MoneyMoved | 'unknown' {
  return stage === 'unrecognized' ? 'unknown' : moneyMovedBy[stage]
}

/** What is asked of an order that exists, or comes from the cardholder's bank, can happen again; what made it cannot. */
const repeatable: ReadonlySet<string> = new Set<StageName>([
  'capture',
  'cancel',
  'reversal',
  'void',
  'chargeback',
  'unrecognized',
])

/** Whether an order can have several stages of this name: two partial returns, a capture that is tried again. */
export function mayRepeat(stage: string): boolean {
  return repeatable.has(stage)
}
