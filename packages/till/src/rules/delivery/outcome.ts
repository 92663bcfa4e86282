import {
  approvedKinds,
  defaultProfile,
  type FinalOutcome,
  finalOutcome,
  type MoneyMoved,
  mayRepeat,
  moneyMoved,
  type Order,
  type Stage,
  type WireProfile,
} from '@tillkit/protocol'
import type { PaymentDocument } from '../../state/document.js'
import type { KnownOrder, KnownStage } from '../../state/known.js'
import { latestOutcome, placesOf } from '../../state/late-approval.js'
import { type Dispute, disputeOf, moneyAskedFor } from '../orders/dispute.js'
import { isReleased } from '../orders/reserve.js'
import { bringsMoney } from '../orders/totals.js'
import type { UntoldOutcome } from './delivery.js'

/**
 * The meaning of an outcome for the merchant.
 *
 * `paid`: a sale or a capture. `held`: a preauth. `verified`: a verification or a payout check. `sent`: a payout or a
 * transfer. `returned`: a return gave money back. `released`: a hold ended without money.
 * `chargeback`: the bank took money back. `declined`: the payment or payout itself ended without success. `failed`: a capture, return or
 * void did; what was before it stands. `surplus`: money came or was held although another order of the payment had brought it
 * already: give one of them back, and deliver nothing more.
 */
export type OutcomeKind =
  | 'paid'
  | 'held'
  | 'verified'
  | 'sent'
  | 'returned'
  | 'released'
  | 'declined'
  | 'failed'
  | 'chargeback'
  | 'surplus'

interface AboutOrder {
  /** Merchant login. */
  readonly login: string
  /** The merchant's name of the payment: the order id of its first order. */
  readonly reference: string
  /** The order, as the store has it. */
  readonly order: Order
  readonly stage: Stage
  readonly evidence: 'status-reply'
}

/** An outcome to act on. Its amount and currency are those that were asked for. */
export interface CertainOutcome extends AboutOrder {
  readonly kind: OutcomeKind
  /** How it ended, as a status word says. */
  readonly outcome: FinalOutcome
  /** Its effect on money; `none` unless approved. */
  readonly moneyMoved: MoneyMoved
  /**
   * Whether a request in the store asked for it. A chargeback is the bank's, and a person can return or void at the gateway: no
   * amount was compared then.
   */
  readonly isExpected: boolean
}

/** A person must look: deliver and repeat nothing. */
export interface DisputedOutcome extends AboutOrder, Dispute {
  readonly kind: 'disputed'
}

/** One outcome of one stage of an order. Narrow with `kind`. */
export type ReceivedOutcome = CertainOutcome | DisputedOutcome

/** Says what an outcome is to the merchant, by all that the document says. It is certain, or a person must look: never a guess. */
export function outcomeToTell(
  document: PaymentDocument,
  { order, stage }: UntoldOutcome,
  profile: WireProfile = defaultProfile,
): ReceivedOutcome {
  const { reference } = document
  const { clientOrderId = reference, orderId, stages, login } = order
  const known = { clientOrderId, ...(orderId === undefined ? {} : { orderId }), stages }
  const about = { login, reference, order: known, stage, evidence: 'status-reply' } as const
  const asked = moneyAskedFor(order, stage)
  const dispute = disputeOf(stage, asked, profile)
  if (dispute !== undefined) return { ...about, kind: 'disputed', ...dispute }
  const outcome = latestOutcome(stage, profile) ?? 'error'
  const isExpected = asked !== undefined
  const moved = outcome === 'approved' ? moneyMoved(stage.stage) : 'none'
  if (outcome === 'approved' && moved !== 'unknown') {
    const isSurplus = bringsMoney(stage.stage) && hasOtherMoney(document, order, profile)
    const kind = isSurplus ? 'surplus' : stage.stage === 'chargeback' ? 'chargeback' : approvedKinds[moved]
    return { ...about, kind, outcome, moneyMoved: moved, isExpected }
  }
  const kind = mayRepeat(stage.stage) ? 'failed' : 'declined'
  return { ...about, kind, outcome, moneyMoved: 'none', isExpected }
}

/** Whether the merchant was told that another order of the payment holds or took money, which was not released since. */
function hasOtherMoney({ orders }: PaymentDocument, order: KnownOrder, profile: WireProfile): boolean {
  const isTold = (each: KnownStage): boolean =>
    bringsMoney(each.stage) && latestOutcome(each, profile) === 'approved' && wasToldAsApproved(each, profile)
  return orders.some(each => each !== order && each.stages.some(isTold) && !isReleased(each))
}

/** Whether an approval is among the words of a stage that were told, whatever has been said of it since. */
function wasToldAsApproved(
  { outcome, corrections, told = 0, wordsBefore = 0 }: KnownStage,
  profile: WireProfile,
): boolean {
  const places = placesOf(corrections)
  const isCorrectedSo = corrections.some(
    ({ to }, at) => finalOutcome(to, profile) === 'approved' && told >= wordsBefore + (places[at] ?? at) + 2,
  )
  return isCorrectedSo || (outcome === 'approved' && told > wordsBefore)
}
