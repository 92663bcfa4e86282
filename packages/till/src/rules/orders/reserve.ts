import { defaultProfile, mayRepeat, moneyMoved, type Stage, type StageName } from '@tillkit/protocol'
import { compareAmounts, sameAmount } from '@tillkit/signing'
import { isUnresolved, mayHaveArrived, type RememberedAttempt, refuseAttempt } from '../../state/attempt-rules.js'
import { documentOf, findOrder, type PaymentDocument } from '../../state/document.js'
import { evolve } from '../../state/evolve.js'
import { nameOf } from '../../state/facts.js'
import { isDisputed, type KnownAttempt, type KnownOrder } from '../../state/known.js'
import { countedStages } from '../../state/late-approval.js'
import { briefAttempt, hasRoom, hasShortIds } from '../../state/room.js'
import { present } from '../../state/values.js'
import { orderIdFor, orderPlace } from '../../store/keys.js'
import { changeFailed, changeInTheWay } from './change-limits.js'
import { isAwaited } from './expected.js'

/** Most attempts that a document has. */
const mostAttempts = 150

/**
 * Whether an attempt may be sent. `reserved`: write `document`, where there is one, and send once that is durable. Otherwise
 * nothing may be sent, and `earlier` is why.
 *
 * `already-sent`: an attempt with the same identity may have arrived. `other-content`: it has the same identity and said
 * something else. `open-change`: another change of the order has an outcome that is not known. `too-much`: together with earlier changes it
 * could move more than there is. `open-order`: this order is
 * there already, or another one of the payment is not known to have failed or to have been released. `skipped`:
 * the payment has no order before this one; `next` is the id of its next order. `other-case`:
 * another payment's reference differs in case only. `over`: the payment is kept as a tombstone. `full`:
 * its document has no room for another attempt.
 */
export type SendPermission =
  | { readonly kind: 'reserved'; readonly document?: PaymentDocument }
  | {
      readonly kind: 'already-sent' | 'other-content' | 'open-change' | 'too-much'
      readonly earlier: RememberedAttempt
    }
  | { readonly kind: 'open-order'; readonly earlier: KnownOrder }
  | { readonly kind: 'other-case'; readonly reference: string }
  | { readonly kind: 'skipped'; readonly next: string }
  | { readonly kind: 'over' | 'full' }

/**
 * Decides whether an attempt may be reserved, by all that its payment's document says. A gate: what it gives may be written at the
 * version that was read, and at no other.
 */
export function permissionToSend(known: PaymentDocument | undefined, attempt: KnownAttempt): SendPermission {
  const { clientOrderId, effect } = attempt
  const place = orderPlace(clientOrderId ?? attempt.orderId ?? attempt.attemptId)
  const document = documentOf(known, attempt)
  if (document.over !== undefined) return { kind: 'over' }
  const order = findOrder(document, attempt)
  // The id of an order that was adopted says nothing of its payment.
  if (document.reference !== place.reference && order?.adoptedAt === undefined)
    return { kind: 'other-case', reference: document.reference }
  // A write that was given up may have been made: then the reservation is ours already, unless somebody has ended it since.
  const own = order?.attempts.find(({ reservation }) => reservation === attempt.reservation)
  if (own !== undefined) return own.end === undefined ? { kind: 'reserved' } : { kind: 'already-sent', earlier: own }
  const refused = refuseAttempt(attempt, order === undefined ? [] : attemptsBefore(order, attempt))
  if (refused.kind !== 'reserved') return refused
  const once = order === undefined ? undefined : sentOnce(order, attempt)
  if (once !== undefined) return { kind: 'already-sent', earlier: once }
  const inTheWay = order === undefined ? undefined : changeInTheWay(order, attempt)
  if (inTheWay !== undefined) return { kind: 'too-much', earlier: inTheWay }
  // Status showed this very order, whatever is said of the requests that may have made it.
  if (effect === 'creates' && order !== undefined && order.stages.length > 0)
    return { kind: 'open-order', earlier: order }
  // The money of a payout that was checked is a second step of its order, and no second payment.
  if (effect === 'creates' || attempt.stages.some(stage => moneyMoved(stage) === 'sent')) {
    const open = document.orders.find(each => each !== order && !mayBeFollowed(each))
    if (open !== undefined) return { kind: 'open-order', earlier: open }
  }
  if (effect === 'creates') {
    const next = nextAttempt(document)
    if (order === undefined && place.attempt > next) {
      return { kind: 'skipped', next: orderIdFor({ reference: place.reference, attempt: next }) }
    }
  }
  const reserved = requested(document, attempt)
  const attempts = reserved.orders.reduce((sum, each) => sum + each.attempts.length, 0)
  return attempts > mostAttempts || !hasRoom(reserved, 'reservation')
    ? { kind: 'full' }
    : { kind: 'reserved', document: reserved }
}

/** Which try at the payment the next order is: one after all that it has, of which a restored store may lack some. */
export const nextAttempt = ({ orders, reference }: Pick<PaymentDocument, 'orders' | 'reference'>): number =>
  1 +
  Math.max(
    orders.length,
    ...orders.map(({ clientOrderId = '' }) => {
      const place = orderPlace(clientOrderId)
      return place.reference === reference ? place.attempt : 0
    }),
  )

/**
 * An earlier request for what an order has once, such as the money of a payout that was checked. Where it failed it is not tried again on
 * its order, but on the next one.
 */
const sentOnce = (order: KnownOrder, { effect, stages }: KnownAttempt): KnownAttempt | undefined =>
  effect === 'creates'
    ? undefined
    : order.attempts.findLast(
        each =>
          each.effect === 'changes' &&
          mayHaveArrived(each) &&
          each.stages.some(stage => !mayRepeat(stage) && stages.includes(stage)),
      )

/** A whole that status showed to have failed did nothing: it may be tried again. The id of a part is never sent twice. */
const attemptsBefore = (order: KnownOrder, { amount }: KnownAttempt): readonly KnownAttempt[] =>
  amount === undefined
    ? order.attempts.filter(each => each.amount !== undefined || !changeFailed(order, each))
    : order.attempts

/**
 * Whether an order is known to have failed: none of its requests can have made it, or status said so of the stage that makes it, and
 * did not contradict itself. Of a payout in two steps, the money failed. Any other change that failed says nothing of the order;
 * nor does one of two requests for it while the other one may still arrive.
 */
export function hasFailed(order: KnownOrder): boolean {
  const { attempts, stages, crowded } = order
  if (crowded === true) return false
  const made = attempts.filter(({ effect }) => effect === 'creates')
  if (stages.length === 0) return made.length > 0 && !made.some(mayHaveArrived)
  if (made.length > 1 && made.some(isUnresolved)) return false
  const isShown = stages.some(({ stage }) => made.some(each => each.stages.some(name => name === stage)))
  const decisive = isPaidOut(stages) ? stages.filter(each => !isCheck(each)) : stages
  // A payout that was checked may have a request for its money that may still be answered.
  if (decisive.length < stages.length && isAwaited(order)) return false
  return (
    isShown && decisive.every(each => each.outcome !== undefined && each.outcome !== 'approved' && !isDisputed(each))
  )
}

/** Whether the money of a payout was asked for: then its check, which was approved before, says nothing any more. */
const isPaidOut = (stages: readonly Stage[]): boolean => stages.some(({ stage }) => stage === 'payout')

const isCheck = (each: Stage): boolean =>
  each.stage === 'payout-check' && each.outcome === 'approved' && !isDisputed(each)

/**
 * Whether the next order of the payment may be opened, as far as this one goes: it failed, was released, or was abandoned without money.
 */
export const mayBeFollowed = (order: KnownOrder): boolean => hasFailed(order) || isReleased(order) || isAbandoned(order)

/** Whether a payment went on without an order, and status has not shown since that the order did anything or is disputed. */
export const isAbandoned = ({ left, stages, crowded }: KnownOrder): boolean =>
  left !== undefined &&
  crowded !== true &&
  stages.every(each => each.outcome !== 'approved' && !isDisputed(each) && each.stage !== 'unrecognized')

/** Whether a person said of a request that may have made an order that it did nothing. */
export const isGivenUp = ({ attempts }: KnownOrder): boolean =>
  attempts.some(({ effect, end }) => effect === 'creates' && end?.basis === 'person' && end.kind !== 'accepted')

/** Stages that give a hold back, of which nothing was captured. */
const releases: readonly StageName[] = ['void', 'cancel', 'reversal']

/**
 * Whether all of an order's hold was given back: status said so of a release of the whole, nothing of the hold was captured, and nothing
 * about the order is open or disputed. Without the amounts of both, only a void operation is known to be of the whole.
 */
export function isReleased(order: KnownOrder): boolean {
  const { attempts, crowded } = order
  // A stage that was approved late holds money, or gave it back.
  const stages = countedStages(order.stages, defaultProfile)
  if (crowded === true || attempts.some(each => each.effect === 'changes' && isUnresolved(each)) || isAwaited(order))
    return false
  if (stages.some(each => each.outcome === undefined || isDisputed(each))) return false
  const approved = stages.filter(({ outcome }) => outcome === 'approved')
  const hold = approved.find(({ stage }) => stage === 'preauth')
  const others = approved.filter(each => each !== hold)
  if (hold === undefined || others.some(({ stage }) => !releases.includes(stage))) return false
  return others.some(each => isOfWhole(each, hold))
}

function isOfWhole(release: Stage, hold: Stage): boolean {
  if (hold.currency !== undefined && release.currency !== undefined && hold.currency !== release.currency) return false
  if (hold.amount === undefined || release.amount === undefined) return release.stage === 'void'
  // A text that cannot be read as an amount is not even the same as itself.
  const isReadable = sameAmount(hold.amount, hold.amount) && sameAmount(release.amount, release.amount)
  return isReadable && compareAmounts(release.amount, hold.amount) >= 0
}

/** A request is written down, with all that is known of it. */
export function requested(
  document: PaymentDocument,
  { end, absence, overdue, ...attempt }: KnownAttempt,
): PaymentDocument {
  const known = findOrder(document, attempt)
  const order = nameOf(known ?? attempt)
  const about = { order, request: attempt.reservation }
  const isLearnt = known?.orderId === undefined && end?.kind === 'accepted' && hasShortIds([end.orderId])
  const orderId = isLearnt ? end.orderId : undefined
  return evolve(
    document,
    { kind: 'requested', order, attempt: briefAttempt(attempt) },
    ...(end === undefined ? [] : [{ kind: 'answered', ...about, end, ...present({ orderId }) } as const]),
    ...(absence === undefined ? [] : [{ kind: 'never-seen', ...about, ...absence } as const]),
    ...(overdue === undefined ? [] : [{ kind: 'overdue', ...about } as const]),
  )
}
