/**
 * Whether, and when, status is asked again for a customer who waits.
 *
 * @module
 */
import {
  type AskedSettlement,
  creationOf,
  type Expectation,
  expectationOf,
  isSettled,
  type KnownOrder,
  needsPerson,
  type Order,
} from '@tillkit/protocol'
import type { VisitQuestion } from './asked.js'

/** Least milliseconds between two questions about one order, where `polling` does not say less. */
export const leastPause = 250

/** Gives the order of a visit, and what is waited for of it. @returns Undefined where nothing is: no request can have made it. */
export function awaitedOf(known: KnownOrder): { readonly order: Order; readonly expected: Expectation } | undefined {
  const made = creationOf(known)
  if (made === undefined) return undefined
  const { clientOrderId = '', orderId, stages } = known
  const order = { clientOrderId, ...(orderId === undefined ? {} : { orderId }), stages }
  return { order, expected: expectationOf(made.attempt) }
}

/** Whether no more is asked after that settlement: status settles it, a person must look, or the visit stops for it. */
export const isEnough = (settlement: AskedSettlement, until: VisitQuestion['until']): boolean =>
  isSettled(settlement) || needsPerson(settlement) || until?.(settlement) === true

/**
 * Gives the pause after so many questions, in milliseconds. Most payments are over within a second: who comes back in the middle of one is not
 * to wait for a whole one.
 */
export const pauseAfterQuestion = (asked: number, interval: number): number =>
  Math.min(interval, Math.max(leastPause, (interval * 2 ** asked) / 8))
