import { AssertionError } from 'node:assert'
import type { FakeGateway } from '../fake/fake-gateway.js'
import { findSecret, type Secrets } from './assert-no-secrets.js'
import {
  checkCalledBack,
  checkMovedMoney,
  checkOrder,
  checkReceived,
  checkRefusedNothing,
  type ExpectedCallbacks,
  type ExpectedCalls,
  type ExpectedOrder,
  type MatcherResult,
  type Movement,
} from './checks.js'

/**
 * The gateway was asked for an operation.
 *
 * @throws {AssertionError} with the call log when it was not, or not as often as expected.
 * @throws {TypeError} when the operation does not exist, or a field is asked for that the log does not keep.
 */
export function assertReceived(
  gateway: FakeGateway,
  { operation, ...expected }: ExpectedCalls & { readonly operation: string },
): void {
  assertPassed(checkReceived(gateway, operation, expected), assertReceived)
}

/**
 * Exactly this money moved, order by order, and no other. Nothing is charged twice unnoticed.
 *
 * @throws {AssertionError} with the orders when another moved.
 */
export function assertMovedMoney(gateway: FakeGateway, expected: readonly Partial<Movement>[]): void {
  assertPassed(checkMovedMoney(gateway, expected), assertMovedMoney)
}

/**
 * The gateway has an order, by either id, whose stage is as expected.
 *
 * @throws {AssertionError} with the orders when it has not.
 */
export function assertOrder(gateway: FakeGateway, { id, ...expected }: ExpectedOrder & { readonly id: string }): void {
  assertPassed(checkOrder(gateway, id, expected), assertOrder)
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
  assertPassed(checkCalledBack(gateway, id, expected), assertCalledBack)
}

/**
 * No request was refused, neither for its signature nor for what it asked.
 *
 * @throws {AssertionError} with the calls that were refused.
 */
export function assertRefusedNothing(gateway: FakeGateway): void {
  assertPassed(checkRefusedNothing(gateway), assertRefusedNothing)
}

/** @param above The function of the caller, so that the stack begins in the test. */
function assertPassed({ pass, message, ...values }: MatcherResult, above: (...parameters: never[]) => void): void {
  if (!pass) throw new AssertionError({ message: message(), ...values, operator: above.name, stackStartFn: above })
}

/**
 * The matchers as `expect(…)` shows them. The entries `@tillkit/testing/vitest` and `@tillkit/testing/jest` add them to the
 * types of those runners.
 */
export interface GatewayMatchers<Result = void> {
  /** Of a gateway: it was asked for an operation. */
  toHaveReceived(operation: string, expected?: ExpectedCalls): Result
  /** Of a gateway: exactly this money moved, order by order, and no other. Nothing is charged twice unnoticed. */
  toHaveMovedMoney(expected: readonly Partial<Movement>[]): Result
  /** Of a gateway: it has an order, by either id, whose stage is as expected. */
  toHaveOrder(id: string, expected?: ExpectedOrder): Result
  /** Of a gateway: the merchant took callbacks about an order, by either id. */
  toHaveCalledBack(id: string, expected?: ExpectedCallbacks): Result
  /** Of a gateway: it refused no request, neither for its signature nor for what it asked. */
  toHaveRefusedNothing(): Result
  /** Of anything: it shows none of the secrets. See `assertNoSecrets`. */
  toHoldNoSecrets(secrets: Secrets): Result
}

type Matcher<Name extends keyof GatewayMatchers> = (
  received: unknown,
  ...expected: Parameters<GatewayMatchers[Name]>
) => MatcherResult

/**
 * Matchers for `expect.extend`.
 *
 * @example
 * ```ts
 * expect.extend(gatewayMatchers)
 * expect(gateway).toHaveMovedMoney([{ clientOrderId: 'o-1', money: 'captured', amount: '10.00', currency: 'EUR' }])
 * ```
 */
export const gatewayMatchers: { readonly [Name in keyof GatewayMatchers]: Matcher<Name> } = Object.freeze({
  toHaveReceived: ofGateway(checkReceived),
  toHaveMovedMoney: ofGateway(checkMovedMoney),
  toHaveOrder: ofGateway(checkOrder),
  toHaveCalledBack: ofGateway(checkCalledBack),
  toHaveRefusedNothing: ofGateway(checkRefusedNothing),
  toHoldNoSecrets(received: unknown, secrets: Secrets) {
    const found = findSecret(received, secrets)
    return { pass: found === undefined, message: () => found ?? 'None of the secrets was found, and one was to be.' }
  },
})

function ofGateway<Expected extends unknown[]>(
  check: (gateway: FakeGateway, ...expected: Expected) => MatcherResult,
): (received: unknown, ...expected: Expected) => MatcherResult {
  return (received, ...expected) => {
    const { calls, orders } = (received ?? {}) as Partial<FakeGateway>
    if (typeof calls === 'function' && orders !== undefined) return check(received as FakeGateway, ...expected)
    throw new TypeError('This matcher is for a gateway: expect(gateway), with what createFakeGateway() gave.')
  }
}
