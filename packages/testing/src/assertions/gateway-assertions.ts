/**
 * What the matchers say, as functions that throw: for node:test, and for whoever has no `expect`.
 *
 * @module
 */
import { AssertionError } from 'node:assert'
import type { FakeGateway } from '../fake/fake-gateway.js'
import { checkCalledBack, type ExpectedCallbacks } from './callbacks.js'
import { checkReceived, checkRefusedNothing, type ExpectedCalls } from './calls.js'
import type { Check } from './check.js'
import { checkMovedMoney, checkOrder, type ExpectedOrder, type Movement } from './money.js'

/**
 * The gateway was asked for an operation.
 *
 * @throws {AssertionError} with the call log when it was not, or not as often as expected.
 * @throws {TypeError} when nobody knows the operation, or a field is asked for that the log does not keep.
 */
export function assertReceived(
  gateway: FakeGateway,
  { operation, ...expected }: ExpectedCalls & { readonly operation: string },
): void {
  assertCheck(checkReceived(gateway, { operation, expected }), assertReceived)
}

/**
 * Exactly this money moved, order by order, and no other. Nothing is charged twice unnoticed.
 *
 * @throws {AssertionError} with the orders when another moved.
 */
export function assertMovedMoney(gateway: FakeGateway, expected: readonly Partial<Movement>[]): void {
  assertCheck(checkMovedMoney(gateway, expected), assertMovedMoney)
}

/**
 * The gateway has an order, by either id, whose stage is as expected.
 *
 * @throws {AssertionError} with the orders when it has not.
 */
export function assertOrder(gateway: FakeGateway, { id, ...expected }: ExpectedOrder & { readonly id: string }): void {
  assertCheck(checkOrder(gateway, { id, expected }), assertOrder)
}

/**
 * The merchant took callbacks about an order, by either id.
 *
 * @throws {AssertionError} with the callbacks when none was taken, or not as many as expected.
 */
export function assertCalledBack(
  gateway: FakeGateway,
  { id, ...expected }: ExpectedCallbacks & { readonly id: string },
): void {
  assertCheck(checkCalledBack(gateway, { id, expected }), assertCalledBack)
}

/**
 * No request was refused, neither for its signature nor for what it asked.
 *
 * @throws {AssertionError} with the calls that were refused.
 */
export function assertRefusedNothing(gateway: FakeGateway): void {
  assertCheck(checkRefusedNothing(gateway), assertRefusedNothing)
}

/** @param above The function of the caller, so that the stack begins in the test. */
function assertCheck({ pass, message, actual, expected }: Check, above: (...parameters: never[]) => void): void {
  if (pass) return
  throw new AssertionError({ message, actual, expected, operator: above.name, stackStartFn: above })
}
