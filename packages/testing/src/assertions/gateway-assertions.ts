import { AssertionError } from 'node:assert'
import type { FakeGateway } from '../fake/fake-gateway.js'
import { findSecret, type Secrets } from './assert-no-secrets.js'
import {
  type Check,
  checkCalledBack,
  checkMovedMoney,
  checkOrder,
  checkReceived,
  checkRefusedNothing,
  type ExpectedCallbacks,
  type ExpectedCalls,
  type ExpectedOrder,
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

/** What a matcher answers. */
export interface MatcherResult {
  readonly pass: boolean
  message(): string
  readonly actual?: unknown
  readonly expected?: unknown
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
  toHaveReceived: (received, operation, expected) =>
    resultOf(checkReceived(gatewayOf(received), { operation, expected })),
  toHaveMovedMoney: (received, expected) => resultOf(checkMovedMoney(gatewayOf(received), expected)),
  toHaveOrder: (received, id, expected) => resultOf(checkOrder(gatewayOf(received), { id, expected })),
  toHaveCalledBack: (received, id, expected) => resultOf(checkCalledBack(gatewayOf(received), { id, expected })),
  toHaveRefusedNothing: received => resultOf(checkRefusedNothing(gatewayOf(received))),
  toHoldNoSecrets(received, secrets) {
    const found = findSecret(received, secrets)
    return { pass: found === undefined, message: () => found ?? 'None of the secrets was found, and one was to be.' }
  },
} satisfies { readonly [Name in keyof GatewayMatchers]: Matcher<Name> })

const resultOf = ({ pass, message, negated, ...values }: Check): MatcherResult => ({
  pass,
  message: () => (pass ? negated : message),
  ...values,
})

function gatewayOf(received: unknown): FakeGateway {
  const { calls, orders } = (received ?? {}) as Partial<FakeGateway>
  if (typeof calls === 'function' && orders !== undefined) return received as FakeGateway
  throw new TypeError('This matcher is for a gateway: expect(gateway), with what createFakeGateway() gave.')
}
