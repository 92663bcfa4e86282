/**
 * Matchers for `expect.extend` of vitest and of jest.
 *
 * @module
 */

import type { FakeGateway } from '../fake/fake-gateway.js'
import { assertNoSecrets, type Secrets } from './assert-no-secrets.js'
import { checkCalledBack, type ExpectedCallbacks } from './callbacks.js'
import { checkReceived, checkRefusedNothing, type ExpectedCalls } from './calls.js'
import type { Check } from './check.js'
import { checkMovedMoney, checkOrder, type ExpectedOrder, type Movement } from './money.js'

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
  toHoldNoSecrets: (received, secrets) => resultOf(checkNoSecrets(received, secrets)),
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

function checkNoSecrets(shown: unknown, secrets: Secrets): Check {
  const negated = 'None of the secrets was found, and one was to be.'
  try {
    assertNoSecrets(shown, secrets)
  } catch (error) {
    if (error instanceof TypeError) throw error
    return { pass: false, message: error instanceof Error ? error.message : String(error), negated }
  }
  return { pass: true, message: '', negated }
}
