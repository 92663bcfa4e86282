import { moneyMoved, type StageName, type WireProfile } from '@tillkit/protocol'
import { isUnresolved } from '../../state/attempt-rules.js'
import type { KnownDecision } from '../../state/decision.js'
import type { PaymentDocument } from '../../state/document.js'
import type { KnownOrder, KnownStage } from '../../state/known.js'
import { latestOutcome } from '../../state/late-approval.js'
import { wholeReturns } from '../orders/change-limits.js'
import { isAwaited } from '../orders/expected.js'
import { orderTotals } from '../orders/totals.js'
import { ordersWithMoney, stagesOf, standingsOf } from '../pay/standing.js'

/**
 * Whether the money of an order is still to be given back because another order of the payment has brought money already.
 *
 * `give-back`: another order keeps its money, and nothing says that it may be on its way back. Where it is not certain how much of its
 * money went back, that takes the word of a person who knew of that. `wait`: it may be on its way back; nothing may be given back until
 * that is known. `given`: nothing of this order is left. `kept`: this order is the only one with money now. `person`: one of them is
 * disputed, it is not certain how much of the other one went back, or the payment is over.
 */
export type GiveBackStep = 'give-back' | 'wait' | 'given' | 'kept' | 'person'

/**
 * Decides whether a surplus order is to be given back, by what the document says now: the customer may have been given the money of the
 * other order meanwhile, and must not get both.
 */
export function giveBackStep(document: PaymentDocument, clientOrderId: string, profile: WireProfile): GiveBackStep {
  const order = document.orders.find(each => each.clientOrderId === clientOrderId)
  // Whether a request may still be answered decides nothing here.
  const all = standingsOf(document.orders, Number.POSITIVE_INFINITY, profile)
  const standing = all.find(each => each.order === order)?.standing
  if (document.over !== undefined || order === undefined) return 'person'
  if (standing === 'disputed') return 'person'
  if (standing !== 'approved') return 'given'
  const withMoney = ordersWithMoney(all, profile).filter(each => each !== order)
  const decidedAt = lastDecided(document, order)
  const keepsMoney = (each: KnownOrder): boolean =>
    !mayGoBack(each) && (!isDoubtful(each, profile) || decidedAt - latestReturnOf(each) >= tenMinutes)
  if (withMoney.some(keepsMoney)) return 'give-back'
  if (withMoney.some(mayGoBack)) return untilKnown(withMoney, profile)
  return withMoney.length > 0 || all.some(each => each.standing === 'disputed') ? 'person' : 'kept'
}

/**
 * The next step until it is known whether other orders keep their money. More may go back of a doubtful one meanwhile, and nothing would
 * show that it is more than a person knew.
 */
export const untilKnown = (others: readonly KnownOrder[], profile: WireProfile): 'wait' | 'person' =>
  others.some(each => isDoubtful(each, profile)) ? 'person' : 'wait'

/** A person who decides sooner than this after news may have looked before it, in milliseconds. */
export const tenMinutes = 600_000

/** When a person said last that this very order is given back, in milliseconds. 0: nobody did, or it was tried since. */
const lastDecided = ({ decisions = [] }: PaymentDocument, order: KnownOrder): number => {
  const tries = wholeReturns(order).length
  const isIt = ({ matter, proposal }: KnownDecision): boolean =>
    proposal === undefined &&
    matter.kind === 'give-back' &&
    matter.clientOrderId === order.clientOrderId &&
    matter.tries === tries
  return Math.max(0, ...decisions.filter(isIt).map(({ at }) => at))
}

/** When status said last that money of an order went back. */
const latestReturnOf = ({ stages }: KnownOrder): number =>
  Math.max(0, ...stages.filter(({ stage }) => givesBack(stage)).map(({ askedAt }) => askedAt))

/** Whether money of an order may be on its way back: by a request of ours, or by what status shows. */
function mayGoBack(order: KnownOrder): boolean {
  const returns = order.stages.some(
    ({ stage, outcome }) => outcome === undefined && (givesBack(stage) || moneyMoved(stage) === 'unknown'),
  )
  return returns || isAwaited(order) || order.attempts.some(each => each.stages.length > 0 && isUnresolved(each))
}

/** Whether something of an order went back, and it is not certain how much. */
function isDoubtful(order: KnownOrder, profile: WireProfile): boolean {
  const wasApproved = (each: KnownStage): boolean =>
    each.outcome === 'approved' || latestOutcome(each, profile) === 'approved'
  const wentBack = order.stages.some(each => wasApproved(each) && givesBack(each.stage))
  return wentBack && orderTotals(stagesOf(order), profile) === undefined
}

const givesBack = (stage: StageName): boolean => ['returned', 'released'].includes(moneyMoved(stage))
