/**
 * Checks of what a merchant waits for, for users without types: a misspelt stage would never be answered, and a misspelt
 * amount would never be compared.
 *
 * @module
 */
import { isNoId } from '../reply/is-no-id.js'
import type { Expectation } from './settle.js'
import { awaitedStages, isAwaitedStage } from './stage.js'

const fields: readonly string[] = ['stages', 'serialNumber', 'amount', 'currency'] satisfies (keyof Expectation)[]

/** Where a question comes from. */
export const outcomeOfWrites =
  "outcomeOf('sale', { request, reply }) makes the question of a request and the reply that accepted it."

/** @throws {TypeError} naming what is wrong with it and how to write it. */
export function checkExpectation(expected: Expectation): void {
  const given: { readonly [Field in keyof Expectation]?: unknown } = expected ?? {}
  const { stages, serialNumber } = given
  const list: readonly unknown[] = Array.isArray(stages) ? stages : []
  const wrong = list.find(name => !isAwaitedStage(name))
  if (list.length === 0 || wrong !== undefined) {
    throw new TypeError(
      `"expected.stages" must list one or more of ${awaitedStages.join(', ')}, e.g. ['sale']. Found: ${JSON.stringify(wrong ?? stages)}. ${outcomeOfWrites}`,
    )
  }
  const unknown = Object.keys(given).find(field => !fields.includes(field))
  if (unknown !== undefined) {
    throw new TypeError(`"expected" has no field ${JSON.stringify(unknown)}. It has: ${fields.join(', ')}.`)
  }
  if (
    serialNumber !== undefined &&
    (typeof serialNumber !== 'string' || isNoId(serialNumber) || serialNumber !== serialNumber.trim())
  ) {
    throw new TypeError(
      '"expected.serialNumber" is empty, has white space around it, is a word for nothing, or is no text. Take it from the reply to the request; if that had none, leave it out.',
    )
  }
  checkMoney(given)
}

function checkMoney(expected: { readonly amount?: unknown; readonly currency?: unknown }): void {
  const present = (['amount', 'currency'] as const).filter(field => Object.hasOwn(expected, field))
  if (present.length === 0) return
  for (const field of ['amount', 'currency'] as const) {
    if (typeof expected[field] === 'string') continue
    const found = expected[field] === null ? 'null' : `of type ${typeof expected[field]}`
    throw new TypeError(
      `"expected.${field}" is ${found}. An amount and its currency go together, as text: ` +
        "amount: '10.00', currency: 'EUR'. Leave both out only for a stage that has none: then nothing is compared.",
    )
  }
}
