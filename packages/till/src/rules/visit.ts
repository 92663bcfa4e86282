/**
 * Whether, and when, status is asked again for a customer who waits.
 *
 * @module
 */
import { type AskedSettlement, isSettled, needsPerson, type SettleInput } from '@tillkit/protocol'
import type { KnownOrder } from '../state/known.js'
import { creationOf, expectationOf } from './orders/expected.js'

/** Least pause between two questions about one order, in milliseconds. */
export const leastPause = 250

/** Gives the order of a visit, and what is waited for of it. @returns Undefined if no request can have made the order. */
export function awaitedOf(known: KnownOrder): Pick<SettleInput, 'order' | 'expected'> | undefined {
  const made = creationOf(known)
  if (made === undefined) return undefined
  const { clientOrderId = '', orderId, stages } = known
  const order = { clientOrderId, ...(orderId === undefined ? {} : { orderId }), stages }
  return { order, expected: expectationOf(made.attempt) }
}

/** Whether status has said what it will say: it settles the order, or a person must look. */
export const isOver = (settlement: AskedSettlement): boolean => isSettled(settlement) || needsPerson(settlement)

/**
 * Gives the pause after so many questions, in milliseconds. Most payments are over within a second:
 * a customer who comes back in the middle of one does not wait for a whole second.
 */
export const pauseAfterQuestion = (asked: number, interval: number): number =>
  Math.min(interval, Math.max(leastPause, (interval * 2 ** asked) / 8))
