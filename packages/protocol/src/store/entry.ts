import { isUnresolved, mayHaveArrived } from './attempt-rules.js'
import {
  isDisputed,
  isUntold,
  type KnownAttempt,
  type KnownOrder,
  type PaymentDocument,
  quietFrom,
} from './document.js'
import { hasEnded, shownAttempts } from './expected.js'
import type { Entry } from './store.js'

/** What is written of a document, with its list and its date. */
export function entryOf(document: PaymentDocument): Entry {
  return { body: JSON.stringify(document), due: dueOf(document), list: listOf(document) }
}

/**
 * When somebody must look at a document again, in milliseconds of the store's clock; null: there is nothing left to do. It is
 * never later than something has to be done, and may be earlier: a date that stays costs a store nothing.
 */
function dueOf({ orders, telling, over }: PaymentDocument): number | null {
  if (over !== undefined) return null
  let earliest = telling?.until ?? Number.POSITIVE_INFINITY
  for (const order of orders) {
    for (const each of openAttempts(order)) earliest = Math.min(earliest, quietFrom(each))
    if (order.callbackAt !== undefined && !isUnmatched(order)) earliest = Math.min(earliest, order.callbackAt)
    // While one outcome is told the others wait.
    if (telling !== undefined) continue
    for (const each of order.stages) if (isUntold(each)) earliest = Math.min(earliest, each.askedAt)
  }
  return earliest === Number.POSITIVE_INFINITY ? null : earliest
}

/** Least pause before another look at what brought no news, in milliseconds. */
const leastPause = 60_000

/**
 * When to look again at a document that had nothing new: a quarter of its age later. What never ends is looked at some sixty times in
 * a year, and takes no turn from what can end.
 *
 * @param at What the store's clock says, in milliseconds; so is what it gives.
 */
export function lookAgainAt({ orders }: PaymentDocument, at: number): number {
  const times = orders.flatMap(({ attempts, callbackAt = 0 }) => [callbackAt, ...attempts.map(each => each.reservedAt)])
  return at + Math.max(leastPause, Math.floor((at - Math.max(0, ...times)) / 4))
}

/** Requests whose end is not known: those that may have arrived, and whose stage status has not shown to its end. */
function openAttempts(order: KnownOrder): readonly KnownAttempt[] {
  const shown = shownAttempts(order).filter(({ attempt, stage }) => mayHaveArrived(attempt) && !hasEnded(stage))
  // What moves no money makes no stage.
  const others = order.attempts.filter(each => each.stages.length === 0 && isUnresolved(each))
  return [...shown.map(({ attempt }) => attempt), ...others]
}

/** Whether nothing is known of an order but that a callback came for it: no request in the store is behind it. */
const isUnmatched = ({ attempts, stages, callbackAt }: KnownOrder): boolean =>
  callbackAt !== undefined && attempts.length === 0 && stages.length === 0

/**
 * The list that a document stands on: a person is needed, a callback came for an order that no request in the store is behind, or
 * it is not known what became of a request.
 */
function listOf({ orders }: PaymentDocument): string | null {
  if (orders.some(({ stages, crowded }) => crowded === true || stages.some(isDisputed))) return 'needs-person'
  if (orders.some(isUnmatched)) return 'unmatched'
  return orders.some(({ attempts }) => attempts.some(({ end }) => end?.kind === 'unknown')) ? 'unknown' : null
}
