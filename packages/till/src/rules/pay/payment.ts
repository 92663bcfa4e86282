import type { StageName, WireProfile } from '@tillkit/protocol'
import type { TimelineEntry } from '../../history/timeline/entry.js'
import { timelineOf } from '../../history/timeline/timeline.js'
import type { PaymentDocument } from '../../state/document.js'
import type { StageSaid } from '../../state/facts.js'
import type { KnownOrder } from '../../state/known.js'
import { latestOutcome } from '../../state/late-approval.js'
import { creationOf, isAwaited, shownBeyond } from '../orders/expected.js'
import { undecidedOf, unshownOf } from '../orders/open-callbacks.js'
import { saidOf } from '../orders/status-facts.js'
import { type AllowedNow, allowedNow, type OrderTotals, orderTotals } from '../orders/totals.js'
import { isForm } from './next-step.js'
import {
  approvedCreation,
  type OrderStanding,
  ordersWithMoney,
  type StandingOrder,
  stagesOf,
  standingsOf,
} from './standing.js'
import {
  type ChangeUnderWay,
  changesUnderWay,
  changeTooLong,
  isBeingSent,
  type UntoldStage,
  untoldStages,
  whyCalled,
  whyTried,
  whyUnanswered,
  whyUncertain,
  whyUnshown,
} from './under-way.js'

/**
 * The present state of a payment.
 *
 * `new`: nothing of it was sent. `open`: the customer is paying, or the gateway is at work. `unknown`: a request was not answered, and
 * nothing is sent until it is known what became of it. `paid`, `held`, `verified`, `sent`: it is. `declined`: its last order failed.
 * `released`: its hold was given back. `returned`: all that was paid was given back, or the bank took it back. `surplus`: two orders took
 * or held money. `disputed`: the gateway contradicted itself. `purged`: it was over long ago, and nothing but its ids is left.
 */
export type PaymentState =
  | 'new'
  | 'open'
  | 'unknown'
  | 'paid'
  | 'held'
  | 'verified'
  | 'sent'
  | 'declined'
  | 'released'
  | 'returned'
  | 'surplus'
  | 'disputed'
  | 'purged'

/** One order of a payment, for people. */
export interface PaymentOrder {
  readonly clientOrderId: string
  readonly orderId: string | undefined
  readonly login: string
  readonly standing: OrderStanding
  /** The gateway's words why it was declined, if it was. */
  readonly reason: { readonly code: string | undefined; readonly message: string | undefined } | undefined
  /** Everything that status has said of its money: a stage for each movement, in the order in which they became known. */
  readonly stages: readonly StageSaid[]
}

/** A payment as the store has it. Amounts are in major units. */
export interface Payment {
  readonly reference: string
  readonly state: PaymentState
  readonly amount: string | undefined
  readonly currency: string | undefined
  /** The totals of the order with money, or of the last order; undefined where a sum would be a guess. */
  readonly totals: OrderTotals | undefined
  /** Why a sum would be a guess, in one or two sentences for people; undefined where there are totals, or no money was approved. */
  readonly uncertain: string | undefined
  /** Which changes of that order are possible now. */
  readonly allowed: AllowedNow
  /** Changes that have not ended, oldest first. While there is one, no other is allowed, and the totals are those before it. */
  readonly underWay: readonly ChangeUnderWay[]
  /** The stages that the handler was not told of yet. In the handler, the stage that it is told of is among them. */
  readonly untold: readonly UntoldStage[]
  /** Why a person must look; undefined where nobody needs to. */
  readonly needsPerson: string | undefined
  readonly orders: readonly PaymentOrder[]
  /** Everything that happened, in the order in which it was written down. */
  readonly timeline: readonly TimelineEntry[]
}

/** The order that the payment is about now: the one with money, or the one that has not ended, or the last one. */
export const currentOrder = (
  { orders }: PaymentDocument,
  at: number,
  profile: WireProfile,
): StandingOrder | undefined => currentOf(standingsOf(orders, at, profile), profile)

function currentOf(all: readonly StandingOrder[], profile: WireProfile): StandingOrder | undefined {
  const first = (...standings: readonly OrderStanding[]) => all.find(each => standings.includes(each.standing))
  const [paid] = ordersWithMoney(all, profile)
  return (
    all.find(({ order }) => order === paid) ?? first('returned') ?? first('sending', 'unknown', 'open') ?? all.at(-1)
  )
}

/** How a payment is looked at. */
export interface PaymentView {
  readonly reference: string
  /** The time of the store's clock, in milliseconds. */
  readonly at: number
  readonly profile: WireProfile
  /** After how long without an end a person is needed, in milliseconds. Default: never. */
  readonly patience?: number
}

/** Describes a payment by what a store keeps of it. Its timeline is worked out once somebody looks at it. */
export function paymentOf(
  document: PaymentDocument | undefined,
  { reference, at, profile, patience = Number.POSITIVE_INFINITY }: PaymentView,
): Payment {
  const { orders = [] } = document ?? {}
  const all = standingsOf(orders, at, profile)
  const current = currentOf(all, profile)
  const creation = current === undefined ? undefined : creationOf(current.order)
  const state = document === undefined ? 'new' : stateOf(document, { all, current, profile })
  const order = current === undefined ? undefined : stagesOf(current.order)
  const { attempt, stage } = creation ?? {}
  const underWay = changesUnderWay(orders, at)
  // A change that was not answered may have moved money of it.
  const unanswered = underWay.find(
    each => each.state === 'unknown' && each.clientOrderId === current?.order.clientOrderId,
  )
  const counted = order === undefined ? undefined : orderTotals(order, profile)
  // Money may have moved at the gateway that status does not show.
  const hasMoney = current !== undefined && approvedCreation(current.order, profile) !== undefined
  const isCalled = hasMoney && current.order.callbackAt !== undefined
  const unshown = hasMoney ? unshownOf(current.order, document ?? {}, profile).at(-1) : undefined
  const tried = current === undefined ? undefined : whyTried(current.order, profile)
  const isCertain = unanswered === undefined && !isCalled && unshown === undefined && tried === undefined
  const totals = isCertain ? counted : undefined
  const why = () => {
    if (current === undefined || totals !== undefined) return undefined
    if (unshown !== undefined) return whyUnshown(unshown, profile)
    if (counted === undefined) return whyUncertain(current.order, profile)
    if (unanswered !== undefined) return whyUnanswered(unanswered)
    return isCalled ? whyCalled : tried
  }
  let timeline: readonly TimelineEntry[] | undefined
  return {
    reference: document?.reference ?? reference,
    state,
    amount: attempt?.amount ?? stage?.amount,
    currency: attempt?.currency ?? stage?.currency,
    totals,
    uncertain: why(),
    allowed: allowedOf(current?.order, state, profile),
    underWay,
    untold: untoldStages(orders),
    needsPerson:
      reasonFor(state, { all, profile }) ??
      (document === undefined ? undefined : whyLookUp(document, profile)) ??
      tooLong(current, at - patience) ??
      changeTooLong(orders, at - patience),
    orders: all.map(({ order: each, standing }) => ({
      clientOrderId: each.clientOrderId ?? '',
      orderId: each.orderId,
      login: each.login,
      standing,
      reason: declineOf(each),
      stages: each.stages.map(saidOf),
    })),
    get timeline() {
      timeline ??= document === undefined ? [] : timelineOf(document, profile)
      return timeline
    },
  }
}

/** The orders of a payment, as they stand. */
interface Looked {
  readonly all: readonly StandingOrder[]
  readonly current: StandingOrder | undefined
  readonly profile: WireProfile
}

function stateOf({ orders, over }: PaymentDocument, { all, current, profile }: Looked): PaymentState {
  if (over !== undefined) return 'purged'
  if (all.some(({ standing }) => standing === 'disputed')) return 'disputed'
  // An order whose money was all given back is no surplus any more.
  if (ordersWithMoney(all, profile).length > 1) return 'surplus'
  switch (current?.standing) {
    case undefined:
    case 'nothing':
      return orders.length > 1 ? 'declined' : 'new'
    case 'approved':
      return isBeingSent(current.order) ? 'open' : approvedAs(current.order, profile)
    case 'returned':
    case 'released':
    case 'unknown':
    case 'disputed':
      return current.standing
    case 'failed':
      return 'declined'
    default:
      return 'open'
  }
}

/** A hold of which something was captured is paid. */
function approvedAs({ stages }: KnownOrder, profile: WireProfile): 'paid' | 'held' | 'verified' | 'sent' {
  const has = (...names: readonly StageName[]) =>
    stages.some(each => latestOutcome(each, profile) === 'approved' && names.includes(each.stage))
  if (has('sale', 'capture')) return 'paid'
  if (has('preauth')) return 'held'
  return has('payout', 'transfer') ? 'sent' : 'verified'
}

const nothingAllowed: AllowedNow = { capture: false, void: false, return: undefined }

/** Nothing is allowed while status has not shown the end of a change, or while a person must look. */
function allowedOf(order: KnownOrder | undefined, state: PaymentState, profile: WireProfile): AllowedNow {
  if (order === undefined || (state !== 'paid' && state !== 'held')) return nothingAllowed
  return isAwaited(order) ? nothingAllowed : allowedNow(stagesOf(order), profile)
}

function reasonFor(state: PaymentState, { all, profile }: Omit<Looked, 'current'>): string | undefined {
  if (state === 'surplus') {
    const later = ordersWithMoney(all, profile).at(-1)?.clientOrderId
    return `Two orders of it took or held money: give one of them back, such as ${later}.`
  }
  if (state !== 'disputed') return undefined
  if (all.some(({ order }) => order.crowded === true))
    return 'Status said more of it than the store has room for. Ask the gateway.'
  const partly = all.find(({ order }) => shownBeyond(order) !== undefined)
  return partly === undefined
    ? 'The gateway contradicted itself about it. Ask the gateway what is so.'
    : `Status shows only what came last of order ${partly.order.clientOrderId}. ` +
        'Look up the serial numbers of its requests at the gateway, and take them up with till.adopt.'
}

/** Why a person is needed for what callbacks said and status did not show. */
function whyLookUp(document: PaymentDocument, profile: WireProfile): string | undefined {
  const order = document.orders.find(each => undecidedOf(each, document, profile).length > 0)
  return (
    order && `A callback of order ${order.clientOrderId} said what status does not show. Look it up at the gateway.`
  )
}

/** Why a person is needed for what has not ended: a request that was made before a moment. */
function tooLong(current: StandingOrder | undefined, before: number): string | undefined {
  const { order, standing } = current ?? {}
  const attempt = order === undefined ? undefined : creationOf(order)?.attempt
  if (attempt === undefined || attempt.reservedAt > before) return undefined
  if (standing === 'unknown')
    return `It is not known what became of order ${attempt.clientOrderId}. Ask the gateway whether it has that order.`
  // Most forms that do not end were left by their customers.
  return standing === 'open' && !isForm(attempt)
    ? `Order ${attempt.clientOrderId} has not ended. Ask the gateway how it stands.`
    : undefined
}

function declineOf({ stages }: KnownOrder): PaymentOrder['reason'] {
  const stage = stages.findLast(({ outcome }) => outcome !== undefined && outcome !== 'approved')
  if (stage === undefined) return undefined
  const { errorCode: code, errorMessage: message } = stage
  return { code, message }
}
