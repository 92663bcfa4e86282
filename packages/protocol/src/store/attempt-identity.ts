/**
 * Which attempts are one and the same: what an attempts port finds them by.
 *
 * No key holds the gateway's address: an order is the same order under `localhost`, with a trailing slash, or after a new host name.
 *
 * @module
 */

import type { Effect } from '../operations/operation.js'
import type { StageName } from '../order/stage.js'
import type { Attempt } from './attempt.js'

/** What makes two attempts the same one. */
export interface AttemptIdentity {
  readonly field: 'clientOrderId' | 'orderId' | 'attemptId'
  readonly id: string
}

/** What tells whether a request changes an order as a whole, or a part of it. */
export interface ChangeExtent {
  readonly effect: Effect
  readonly stages: readonly StageName[]
  /** Major units, where the request says one. */
  readonly amount?: string | undefined
}

/** Whether a request moves money of an order that exists: a capture, return or void operation, a payout that was checked. */
export function movesMoneyOfOrder({ effect, stages }: Omit<ChangeExtent, 'amount'>): boolean {
  return effect === 'changes' && stages.length > 0
}

/**
 * Whether a request changes a part of an order: it says an amount. Two equal parts are both legitimate, so only the caller
 * can say which requests are one: with `attemptId`.
 */
export function changesPart(extent: ChangeExtent): boolean {
  return movesMoneyOfOrder(extent) && extent.amount !== undefined
}

/**
 * What identifies an attempt. What creates: the order it creates. What changes an order as a whole: that order, for it can
 * be done once. A part of an order, and what moves no money: the attempt itself.
 */
export function attemptIdentity(attempt: Attempt): AttemptIdentity {
  const { effect, operation, clientOrderId, orderId, attemptId } = attempt
  if (effect === 'creates' && clientOrderId !== undefined) return { field: 'clientOrderId', id: clientOrderId }
  const isWhole = movesMoneyOfOrder(attempt) && attempt.amount === undefined
  if (isWhole && orderId !== undefined) return { field: 'orderId', id: `${operation} ${orderId}` }
  return { field: 'attemptId', id: attemptId }
}

/** A key that two attempts share exactly when they are the same one, for the same merchant. */
export function attemptKey(attempt: Attempt): string {
  const { field, id } = attemptIdentity(attempt)
  return JSON.stringify([attempt.login, field, id])
}

/**
 * A key that changes of one order share, of which one at a time may be open.
 *
 * @returns undefined for an attempt that creates, or moves no money: a 3DS upload, a card reference.
 */
export function changedOrderKey(attempt: Attempt): string | undefined {
  const { login, orderId } = attempt
  return movesMoneyOfOrder(attempt) && orderId !== undefined ? JSON.stringify([login, orderId]) : undefined
}
