import { compareAmounts, sameAmount } from '@tillkit/signing'
import type { StageName } from '../operations/stages.js'
import type { Stage } from '../order/types.js'
import type { RememberedAttempt } from './attempt.js'
import { attemptKey, isUnresolved, mayHaveArrived, refuseAttempt } from './attempt-rules.js'
import {
  documentOf,
  findOrder,
  isDisputed,
  type KnownAttempt,
  type KnownOrder,
  type PaymentDocument,
} from './document.js'
import { isAwaited } from './expected.js'
import { orderIdFor, orderPlace } from './keys.js'
import { briefAttempt, hasRoom } from './room.js'

/** Most attempts that a document has. */
const mostAttempts = 150

/**
 * Whether an attempt may be sent. `reserved`: write `document`, where there is one, and send once that is durable. Otherwise
 * nothing may be sent, and `earlier` is why.
 *
 * `already-sent`: an attempt with the same identity may have arrived. `other-content`: it has the same identity and said
 * something else. `open-change`: another change of the order has an outcome that is not known. `open-order`: this order is
 * there already, or another one of the payment is not known to have failed or to have been released. `skipped`: the payment has no order before this one;
 * `next` is the id of its next order. `other-case`: another payment's reference differs in case only. `over`: the payment is kept
 * as a tombstone. `full`: its document has no room for another attempt.
 */
export type ReserveDecision =
  | { readonly kind: 'reserved'; readonly document?: PaymentDocument }
  | { readonly kind: 'already-sent' | 'other-content' | 'open-change'; readonly earlier: RememberedAttempt }
  | { readonly kind: 'open-order'; readonly earlier: KnownOrder }
  | { readonly kind: 'other-case'; readonly reference: string }
  | { readonly kind: 'skipped'; readonly next: string }
  | { readonly kind: 'over' | 'full' }

/**
 * Decides whether an attempt may be reserved, by all that its payment's document says. A gate: what it gives may be written at the
 * version that was read, and at no other.
 */
export function reserveAttempt(known: PaymentDocument | undefined, attempt: KnownAttempt): ReserveDecision {
  const { clientOrderId, effect } = attempt
  const place = orderPlace(clientOrderId ?? attempt.orderId ?? attempt.attemptId)
  const document = documentOf(known, attempt)
  if (document.over !== undefined) return { kind: 'over' }
  if (document.reference !== place.reference) return { kind: 'other-case', reference: document.reference }
  const order = findOrder(document, attempt)
  // A write that was given up may have been made: then the reservation is ours already, unless somebody has ended it since.
  const own = order?.attempts.find(({ reservation }) => reservation === attempt.reservation)
  if (own !== undefined) return own.end === undefined ? { kind: 'reserved' } : { kind: 'already-sent', earlier: own }
  const refused = refuseAttempt(attempt, order?.attempts ?? [])
  if (refused.kind !== 'reserved') return refused
  if (effect === 'creates') {
    // Status showed this very order, whatever is said of the requests that may have made it.
    if (order !== undefined && order.stages.length > 0) return { kind: 'open-order', earlier: order }
    const open = document.orders.find(each => each !== order && !hasFailed(each) && !isReleased(each))
    if (open !== undefined) return { kind: 'open-order', earlier: open }
    const next = document.orders.length + 1
    if (order === undefined && place.attempt > next) {
      return { kind: 'skipped', next: orderIdFor({ reference: place.reference, attempt: next }) }
    }
  }
  const reserved = withAttempt(document, attempt)
  const attempts = reserved.orders.reduce((sum, each) => sum + each.attempts.length, 0)
  return attempts > mostAttempts || !hasRoom(reserved, 'reservation')
    ? { kind: 'full' }
    : { kind: 'reserved', document: reserved }
}

/**
 * Whether an order is known to have failed: none of its requests can have made it, or status said so of the stage that makes it, and
 * did not contradict itself. A change that failed says nothing of the order; nor does one of two requests for it while the other one
 * may still arrive.
 */
export function hasFailed({ attempts, stages, crowded }: KnownOrder): boolean {
  if (crowded === true) return false
  const made = attempts.filter(({ effect }) => effect === 'creates')
  if (stages.length === 0) return made.length > 0 && !made.some(mayHaveArrived)
  if (made.length > 1 && made.some(isUnresolved)) return false
  const isShown = stages.some(({ stage }) => made.some(each => each.stages.some(name => name === stage)))
  return isShown && stages.every(each => each.outcome !== undefined && each.outcome !== 'approved' && !isDisputed(each))
}

/** Stages that give a hold back, of which nothing was captured. */
const releases: readonly StageName[] = ['void', 'cancel', 'reversal']

/**
 * Whether all of an order's hold was given back: status said so of a release of the whole, nothing of the hold was captured, and nothing
 * about the order is open or disputed. Without the amounts of both, only a void operation is known to be of the whole.
 */
export function isReleased(order: KnownOrder): boolean {
  const { attempts, stages, crowded } = order
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
  // What cannot be read as an amount is not even the same as itself.
  const isReadable = sameAmount(hold.amount, hold.amount) && sameAmount(release.amount, release.amount)
  return isReadable && compareAmounts(release.amount, hold.amount) >= 0
}

/**
 * Adds an attempt to its order. What says nothing any more makes way: of those with the same identity that did nothing, all but the
 * last, and that one too if it was not sent; and what moved no money and is over.
 */
export function withAttempt(document: PaymentDocument, attempt: KnownAttempt): PaymentDocument {
  const { login, clientOrderId, orderId } = attempt
  const known = findOrder(document, attempt)
  const order: KnownOrder = known ?? {
    ...(clientOrderId === undefined ? {} : { clientOrderId }),
    ...(orderId === undefined ? {} : { orderId }),
    login,
    attempts: [],
    stages: [],
  }
  const key = attemptKey(attempt)
  const alike = order.attempts.filter(each => attemptKey(each) === key)
  const last = alike.at(-1)
  const kept = order.attempts.filter(each => {
    if (alike.includes(each)) return mayHaveArrived(each) || (each === last && each.end?.kind !== 'not-sent')
    return each.effect === 'creates' || each.stages.length > 0 || isUnresolved(each)
  })
  return withOrder(document, known, { ...order, attempts: [...kept, briefAttempt(attempt)] })
}

/** Puts an order in the place of one that the document has, or at the end. */
export function withOrder(
  document: PaymentDocument,
  known: KnownOrder | undefined,
  order: KnownOrder,
): PaymentDocument {
  const { orders } = document
  return {
    ...document,
    orders: known === undefined ? [...orders, order] : orders.map(each => (each === known ? order : each)),
  }
}
