import type { Order, Stage, WireProfile } from '@tillkit/protocol'
import { compareAmounts, sameAmount } from '@tillkit/signing'
import { isUnresolved, mayHaveArrived, movesMoneyOfOrder } from '../../state/attempt-rules.js'
import { findOrder, type PaymentDocument } from '../../state/document.js'
import type { KnownAttempt, KnownOrder } from '../../state/known.js'
import { changeId } from '../../store/keys.js'
import { changeFailed } from '../orders/change-limits.js'
import { attemptBehind, isAwaited, shownAttempts } from '../orders/expected.js'
import { type AllowedNow, allowedNow, orderTotals } from '../orders/totals.js'
import { currentOrder } from './payment.js'
import { approvedCreation, ordersWithMoney, stagesOf, standingOf, standingsOf } from './standing.js'

/** A change that a merchant wants. */
export interface ChangeTerms {
  readonly name: 'capture' | 'return' | 'void'
  /** The part that is to be changed. `amount` in major units; `key` is the merchant's name of it. Absent: all that is left. */
  readonly part?: { readonly amount: string; readonly key: string } | undefined
  /** The order that is to be changed. Default: the one that the payment is about now. */
  readonly clientOrderId?: string | undefined
  /** Reservations of the requests of that name which were there before; given if it is to be sent once, even if it fails. */
  readonly before?: readonly string[] | undefined
}

/** The facts that are known besides the document. */
export interface ChangeFacts {
  readonly profile: WireProfile
  /** The time of the store's clock, in milliseconds. */
  readonly at: number
  /** Whether status was asked since the merchant asked for the change. */
  readonly wasAsked: boolean
  /** Whether the store was restored from a backup: the gateway may have changes that it lacks. Default: no. */
  readonly restored?: boolean | undefined
  /**
   * The id of an earlier request that did nothing, where the store refused it for this one: fingerprints are made with the control key, and
   * that was corrected or replaced. The next id is taken.
   */
  readonly usedUp?: string | undefined
}

/**
 * The next step of a change.
 *
 * `send`: send it, which the store may still refuse; with `amount` (major units) and `attemptId` where they are there. `again`: it was sent
 * before; nothing is sent. `ask`: ask status about the order, and decide again. The others are errors: nothing may be sent. `open`: status
 * has not shown the end of an earlier request. `other-amount`: the same key was sent with another amount. `too-much`: at most `most` is
 * left. `not-possible`: the order does not allow it; where the totals are not certain, it may allow a part. `lost`: the store was restored,
 * and status shows a change that it does not have.
 */
export type ChangeStep =
  | {
      readonly kind: 'send'
      readonly order: KnownOrder
      readonly amount: string | undefined
      readonly attemptId: string | undefined
    }
  | { readonly kind: 'again'; readonly order: KnownOrder; readonly earlier: KnownAttempt }
  | { readonly kind: 'ask'; readonly order: KnownOrder }
  | { readonly kind: 'open' }
  | { readonly kind: 'other-amount'; readonly was: string }
  | { readonly kind: 'too-much'; readonly most: string }
  | { readonly kind: 'not-possible'; readonly why: 'nothing-there' | 'not-allowed' | 'only-a-part' }
  | { readonly kind: 'lost' }

/**
 * Decides what to do when a merchant asks for a change of a payment, by what its document says. A change that may have arrived is not
 * sent again, unless status showed that it failed. All that is left after a part is sent with its amount, which is worked out only when
 * nothing is open.
 */
export function nextChangeStep(
  document: PaymentDocument | undefined,
  terms: ChangeTerms,
  facts: ChangeFacts,
): ChangeStep {
  const step = stepByDocument(document, terms, facts)
  if (step.kind !== 'send' || facts.restored !== true) return step
  // A request that was sent after the backup was made came last, and status shows the last.
  if (!facts.wasAsked) return { kind: 'ask', order: step.order }
  return hasLostChange(step.order) ? { kind: 'lost' } : step
}

/** Whether status shows a change, not known to have failed, that no request in the store is behind. The bank's own are none. */
export const hasLostChange = (order: KnownOrder): boolean =>
  order.stages.some(
    each =>
      each.stage !== 'chargeback' &&
      (each.outcome === undefined || each.outcome === 'approved') &&
      attemptBehind(order, each) === undefined,
  )

function stepByDocument(
  document: PaymentDocument | undefined,
  terms: ChangeTerms,
  { profile, at, wasAsked, usedUp }: ChangeFacts,
): ChangeStep {
  const order = document === undefined ? undefined : orderOf(document, terms, { profile, at })
  if (order?.orderId === undefined || order.clientOrderId === undefined)
    return { kind: 'not-possible', why: 'nothing-there' }
  const earlier = earlierOf(order, terms)
  const arrived = arrivedOf(order, terms)
  if (arrived !== undefined) return againStep(order, { arrived, terms })
  const isOpen =
    isAwaited(order) ||
    order.stages.some(({ outcome }) => outcome === undefined) ||
    order.attempts.some(each => movesMoneyOfOrder(each) && isUnresolved(each))
  // One that failed may have been corrected since.
  const hasFailed = order.attempts.some(each => changeFailed(order, each))
  if ((isOpen || hasFailed) && !wasAsked) return { kind: 'ask', order }
  const isThere = standingOf(order, at, profile) === 'approved'
  if (isOpen && isThere) return { kind: 'open' }
  const { part } = terms
  const counted = part === undefined ? stagesOf(order) : stagesBeside(order, terms)
  const totals = orderTotals(counted, profile)
  const allowed = allowedNow(counted, profile)
  // Status may say the number of a change that was answered after it was shown.
  if (isThere && totals === undefined && !wasAsked) return { kind: 'ask', order }
  if (!isThere || totals === undefined || !allows(allowed, terms)) {
    const isUncertain = isThere && totals === undefined && part === undefined && terms.name !== 'void'
    const allowsPart = isUncertain && allows(allowedNow(stagesBeside(order, terms), profile), terms)
    return { kind: 'not-possible', why: allowsPart ? 'only-a-part' : 'not-allowed' }
  }
  // The largest amount that a capture, or a return, can be over, in major units.
  const left = terms.name === 'return' && allowed.return === 'reversal' ? totals.returnable : totals.held
  if (part !== undefined && isMore(part.amount, left)) return { kind: 'too-much', most: left }
  const was = approvedCreation(order, profile)?.amount
  // All that there was is left: then no amount need be named.
  const isWhole = terms.name === 'void' || (was !== undefined && sameAmount(was, left))
  const amount = part?.amount ?? (isWhole ? undefined : left)
  const attemptId = amount === undefined ? undefined : nextId(earlier, terms, { amount, usedUp })
  return { kind: 'send', order, amount, attemptId }
}

/** The order that is meant. Of two that brought money nobody knows which, unless it is named. */
function orderOf(
  document: PaymentDocument,
  { clientOrderId }: ChangeTerms,
  { profile, at }: Pick<ChangeFacts, 'profile' | 'at'>,
): KnownOrder | undefined {
  const { orders } = document
  if (clientOrderId !== undefined) return orders.find(each => each.clientOrderId === clientOrderId)
  const all = standingsOf(orders, at, profile)
  // An order whose money was all given back does not count.
  const isUnclear = all.some(({ standing }) => standing === 'disputed') || ordersWithMoney(all, profile).length > 1
  return isUnclear ? undefined : currentOrder(document, at, profile)?.order
}

const idOf = ({ name, part }: Pick<ChangeTerms, 'name' | 'part'>, nth: number): string => changeId(name, nth, part?.key)

/** The earlier requests that are this very change, oldest first. */
function earlierOf({ attempts }: KnownOrder, terms: ChangeTerms): readonly KnownAttempt[] {
  const { name, part } = terms
  return attempts.filter(each => {
    if (each.operation !== name) return false
    return (part === undefined && each.amount === undefined) || nthOf(each, terms) !== undefined
  })
}

/** The latest request that is this very change, may have arrived, and is not known to have failed. */
function arrivedOf(order: KnownOrder, terms: ChangeTerms): KnownAttempt | undefined {
  const { before } = terms
  const isDone = ({ reservation }: KnownAttempt): boolean => before !== undefined && !before.includes(reservation)
  return earlierOf(order, terms).findLast(each => mayHaveArrived(each) && (isDone(each) || !changeFailed(order, each)))
}

/**
 * Whether a change of an order was sent by now, under whatever id. Two processes may send one change under two ids:
 * it is asked once more when the request is reserved.
 */
export function isChangeSent(document: PaymentDocument, about: KnownOrder, terms: ChangeTerms): boolean {
  const order = findOrder(document, about)
  return order !== undefined && arrivedOf(order, terms) !== undefined
}

/** Which try of this very change an attempt is, from 1 on. */
function nthOf({ attemptId }: KnownAttempt, terms: ChangeTerms): number | undefined {
  const nth = Number(/^[a-z-]+:(\d+)(?::|$)/.exec(attemptId)?.[1])
  return Number.isSafeInteger(nth) && attemptId === idOf(terms, nth) ? nth : undefined
}

/**
 * One that did nothing keeps its id, for the same amount; after one that failed, was over another amount or has an id that is used up,
 * comes the next.
 */
function nextId(
  earlier: readonly KnownAttempt[],
  terms: ChangeTerms,
  { amount, usedUp }: { readonly amount: string; readonly usedUp: string | undefined },
): string {
  const last = earlier.findLast(each => nthOf(each, terms) !== undefined)
  const nth = last === undefined ? 0 : (nthOf(last, terms) ?? 0)
  const isKept = last !== undefined && !mayHaveArrived(last) && last.amount === amount && last.attemptId !== usedUp
  return isKept ? last.attemptId : idOf(terms, nth + 1)
}

function againStep(
  order: KnownOrder,
  { arrived, terms: { part } }: { readonly arrived: KnownAttempt; readonly terms: ChangeTerms },
): ChangeStep {
  const { amount } = arrived
  const isSame = part === undefined || amount === part.amount || sameAmount(amount ?? '', part.amount)
  return isSame ? { kind: 'again', order, earlier: arrived } : { kind: 'other-amount', was: amount ?? '' }
}

/**
 * The order, where a stage that belongs to a request of ours counts once although its serial number was lost with the answer. So does,
 * beside a return, one that somebody else or the bank made over another amount: over the same amount it may be this very one, which this
 * store has forgotten. Whether a stage stands for more than one is not known: nothing may be worked out by it, but that a part which the
 * merchant names is too much.
 */
function stagesBeside(order: KnownOrder, { name, part }: ChangeTerms): Order {
  const own = new Map<Stage | undefined, string | undefined>(
    shownAttempts(order).map(({ attempt, stage }) => [
      stage,
      attempt.effect === 'changes' ? attempt.reservation : undefined,
    ]),
  )
  const { stages, ...rest } = stagesOf(order)
  const isOther = ({ amount }: Stage): boolean =>
    name === 'return' && amount !== undefined && !sameAmount(amount, part?.amount ?? '')
  const counted = stages.map((each, place) => {
    const elsewhere = own.has(each) || !isOther(each) ? undefined : `elsewhere ${place}`
    const serialNumber = each.serialNumber ?? own.get(each) ?? elsewhere
    return serialNumber === undefined ? each : { ...each, serialNumber }
  })
  return { ...rest, stages: counted }
}

const allows = (allowed: AllowedNow, { name }: ChangeTerms): boolean =>
  name === 'return' ? allowed.return !== undefined : allowed[name]

/** A text that is no amount is not more: the client says what is wrong with it. */
const isMore = (amount: string, most: string): boolean => sameAmount(amount, amount) && compareAmounts(amount, most) > 0
