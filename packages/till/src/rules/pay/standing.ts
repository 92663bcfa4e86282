import { moneyMoved, type Order, type WireProfile } from '@tillkit/protocol'
import { compareAmounts, sameAmount } from '@tillkit/signing'
import { isUnresolved } from '../../state/attempt-rules.js'
import { type KnownOrder, type KnownStage, quietFrom } from '../../state/known.js'
import { latestOutcome } from '../../state/late-approval.js'
import { isDisputedStage } from '../orders/dispute.js'
import { creationOf, shownAttempts, shownBeyond } from '../orders/expected.js'
import { hasFailed, isAbandoned, isReleased } from '../orders/reserve.js'
import { bringsMoney, orderTotals } from '../orders/totals.js'

/**
 * How an order stands.
 *
 * `nothing`: no request for it may have arrived. `failed`: it is known to have ended without money. `released`: its hold was given back.
 * `abandoned`: the payment went on without it. `disputed`: the gateway contradicted itself, said more than can be kept, or shows a change
 * of an order of which it is not known how it began. `approved`: it holds, took or sent money, or verified a card. `returned`: all that it
 * took was given back, or the bank took it back. `sending`: its request may still be answered. `unknown`: its request was not answered.
 * `open`: the gateway has it, and it has not ended.
 */
export type OrderStanding =
  | 'nothing'
  | 'failed'
  | 'released'
  | 'abandoned'
  | 'disputed'
  | 'approved'
  | 'returned'
  | 'sending'
  | 'unknown'
  | 'open'

/** How an order stands, by all that its document says. @param at What the store's clock says, in milliseconds. */
export function standingOf(order: KnownOrder, at: number, profile: WireProfile): OrderStanding {
  const { stages, crowded, attempts } = order
  const shown = shownAttempts(order)
  if (crowded === true || stages.some(each => isDisputedStage(order, each, profile, shown))) return 'disputed'
  if (approvedCreation(order, profile) !== undefined) {
    // The check of a payout was approved, and its money was not sent.
    if (hasFailed(order)) return 'failed'
    if (isReleased(order)) return 'released'
    return isReturned(order, profile) ? 'returned' : 'approved'
  }
  // Something was approved of which it is not known what it belongs to; or a change failed, and of the order nothing else is known.
  if (stages.some(each => latestOutcome(each, profile) === 'approved') || shownBeyond(order, shown)) return 'disputed'
  if (hasFailed(order))
    return stages.length === 0 && attempts.every(({ end }) => end?.kind === 'not-sent') ? 'nothing' : 'failed'
  if (isAbandoned(order)) return 'abandoned'
  const attempt = creationOf(order, shown)?.attempt
  if (attempt === undefined) return stages.length === 0 ? 'nothing' : 'open'
  if (attempt.end === undefined && at < quietFrom(attempt)) return 'sending'
  return isUnresolved(attempt) && stages.length === 0 ? 'unknown' : 'open'
}

/** The payment is over another amount. `isOpen`: nothing is paid yet, and its order has not ended. */
export interface OtherAmount {
  readonly kind: 'other-amount'
  readonly was: string
  readonly isOpen: boolean
}

/**
 * Whether an order that has not ended is over another amount than the one that is asked for. Nobody is led to it then, and none is opened
 * beside it: both could be paid.
 */
export function openOverOther(
  order: KnownOrder,
  { amount }: { readonly amount?: string | undefined },
  { profile, at }: { readonly profile: WireProfile; readonly at: number },
): OtherAmount | undefined {
  const was = creationOf(order)?.attempt?.amount
  if (was === undefined || amount === undefined || sameAmount(was, amount)) return undefined
  const isOpen = ['sending', 'unknown', 'open'].includes(standingOf(order, at, profile))
  return isOpen ? { kind: 'other-amount', was, isOpen } : undefined
}

/** An order, and how it stands. */
export interface StandingOrder {
  readonly order: KnownOrder
  readonly standing: OrderStanding
}

/** How each order stands. @param at As for {@link standingOf}. */
export const standingsOf = (
  orders: readonly KnownOrder[],
  at: number,
  profile: WireProfile,
): readonly StandingOrder[] => orders.map(order => ({ order, standing: standingOf(order, at, profile) }))

/**
 * The orders that brought money, and of which some is left. Where none did, the first that verified a card or a recipient: two that did
 * are no surplus.
 */
export function ordersWithMoney(all: readonly StandingOrder[], profile: WireProfile): readonly KnownOrder[] {
  const approved = all.flatMap(({ order, standing }) => (standing === 'approved' ? [order] : []))
  const withMoney = approved.filter(({ stages }) =>
    stages.some(each => latestOutcome(each, profile) === 'approved' && bringsMoney(each.stage)),
  )
  return withMoney.length > 0 ? withMoney : approved.slice(0, 1)
}

/** The stage that made an order, where it is approved. */
export const approvedCreation = ({ stages }: KnownOrder, profile: WireProfile): KnownStage | undefined =>
  stages.find(each => latestOutcome(each, profile) === 'approved' && makesOrder(each.stage))

const makesOrder = (stage: KnownStage['stage']): boolean =>
  stage !== 'capture' && (bringsMoney(stage) || moneyMoved(stage) === 'none')

/** An order as totals are made of it: its stages count, and an order of the bank's making may have no id of the merchant's. */
export const stagesOf = ({ clientOrderId = 'unnamed', stages }: KnownOrder): Order => ({ clientOrderId, stages })

/** Whether nothing is left of the money that an order took. */
function isReturned(order: KnownOrder, profile: WireProfile): boolean {
  if (!order.stages.some(each => moneyMoved(each.stage) === 'returned')) return false
  const totals = orderTotals(stagesOf(order), profile)
  if (totals === undefined) return isWholeBack(order, profile)
  const { captured, held, returnable } = totals
  const isNothing = (amount: string): boolean => sameAmount(amount, '0')
  return !isNothing(captured) && isNothing(held) && isNothing(returnable)
}

/**
 * Whether all of a sale was given back in one piece, or the bank took money back and nobody knows how much. Where somebody did that at the
 * gateway, or its answer was lost, totals are not certain; this is.
 */
function isWholeBack(order: KnownOrder, profile: WireProfile): boolean {
  const back = order.stages.filter(
    each => latestOutcome(each, profile) === 'approved' && moneyMoved(each.stage) === 'returned',
  )
  if (back.some(each => each.stage === 'chargeback' && each.amount === undefined)) return true
  const { stage: name, amount, currency } = approvedCreation(order, profile) ?? {}
  if (name === undefined || moneyMoved(name) !== 'captured' || amount === undefined || !sameAmount(amount, amount))
    return false
  return back.some(
    each =>
      each.currency === currency &&
      each.amount !== undefined &&
      sameAmount(each.amount, each.amount) &&
      compareAmounts(each.amount, amount) >= 0,
  )
}
