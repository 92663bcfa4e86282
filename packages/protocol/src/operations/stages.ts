/** What a status reply can be about. */
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

/**
 * What an approved stage of each name did to money, and whether an order can have several: what is asked of an order that exists,
 * or comes from the cardholder's bank, can happen again; what made the order cannot.
 */
const stageTable: { readonly [Stage in AwaitedStage]: { readonly moved: MoneyMoved; readonly repeats: boolean } } = {
  sale: { moved: 'captured', repeats: false },
  preauth: { moved: 'held', repeats: false },
  capture: { moved: 'captured', repeats: true },
  cancel: { moved: 'released', repeats: true },
  reversal: { moved: 'returned', repeats: true },
  void: { moved: 'released', repeats: true },
  chargeback: { moved: 'returned', repeats: true },
  verification: { moved: 'none', repeats: false },
  payout: { moved: 'sent', repeats: false },
  'payout-check': { moved: 'none', repeats: false },
  transfer: { moved: 'sent', repeats: false },
  'pan-eligibility': { moved: 'none', repeats: false },
}

/** Names of all stages that can be waited for. */
export const awaitedStages = Object.keys(stageTable) as readonly AwaitedStage[]

/** Whether text is one of them. */
export const isAwaitedStage = (text: unknown): text is AwaitedStage => awaitedStages.some(known => known === text)

/** What an approved `stage` did to money; `unknown` where this library does not know the stage. */
export function moneyMoved(stage: AwaitedStage): MoneyMoved
export function moneyMoved(stage: StageName): MoneyMoved | 'unknown'
export function moneyMoved(stage: StageName): MoneyMoved | 'unknown' {
  return stage === 'unrecognized' ? 'unknown' : stageTable[stage].moved
}

/** The word for an approved stage that a merchant is told, by what the stage did to money. */
export const approvedKinds = {
  captured: 'paid',
  held: 'held',
  none: 'verified',
  sent: 'sent',
  returned: 'returned',
  released: 'released',
} as const satisfies { readonly [Moved in MoneyMoved]: string }

/** Whether an order can have several stages of this name: two partial returns, a capture that is tried again. */
export const mayRepeat = (stage: string): boolean =>
  stage === 'unrecognized' || (isAwaitedStage(stage) && stageTable[stage].repeats)
