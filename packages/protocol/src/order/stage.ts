/**
 * Stages of an order: the things that can happen to its money, each with a status of its own.
 *
 * @module
 */
import { compareAmounts, sameAmount } from '@tillkit/signing'
import type { WireProfile } from '../profile/profile.js'
import type { Stage } from './order.js'

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

/**
 * Whether an approved stage leaves nothing of the hold, and so succeeds once: there is no second hold to end. A capture or
 * a cancel of the whole always does, one of a part or over an unknown amount where the profile says so.
 */
export function endsHold(
  { stage, amount }: Pick<Stage, 'stage' | 'amount'>,
  { stages, profile }: { readonly stages: readonly Stage[]; readonly profile: WireProfile },
): boolean {
  if (stage === 'void') return true
  if (stage === 'capture' && profile.captureEndsHold.value) return true
  if (stage === 'cancel' && profile.cancelEndsHold.value) return true
  if (stage !== 'capture' && stage !== 'cancel') return false
  const hold = stages.find(each => each.stage === 'preauth' && each.outcome === 'approved')?.amount
  if (amount === undefined || hold === undefined || !isReadable(amount) || !isReadable(hold)) return false
  return compareAmounts(amount, hold) >= 0
}

/** What cannot be read as an amount is not even the same as itself. */
const isReadable = (amount: string): boolean => sameAmount(amount, amount)
