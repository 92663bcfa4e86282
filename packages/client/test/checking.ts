/** Checks of requests for tests, and what they refuse. */
import { defaultProfile, operations } from '@tillkit/protocol'
import { expect } from 'vitest'
import { operationPlan, validateRequest } from '../src/request/validate-request.js'

/** Checks a request for an operation of the table. */
export const check = (name: keyof typeof operations, request: unknown, profile = defaultProfile) =>
  validateRequest(operationPlan(operations[name], profile), request)

/** Expects a mistake in `field` whose text holds `cure`. */
export function expectMistake(call: () => unknown, field: string, cure: string): void {
  expect(call).toThrow(expect.objectContaining({ code: 'ERR_INVALID_REQUEST', field }))
  expect(call).toThrow(cure)
}
