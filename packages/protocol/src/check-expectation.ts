/**
 * Checks of what a merchant waits for, for users without types: a misspelt stage would never be answered.
 *
 * @module
 */
import type { Expectation } from './settle.js'
import { stageNames } from './stage.js'

/** @throws {TypeError} naming what is wrong with it and how to write it. */
export function checkExpectation(expected: Expectation): void {
  const { stages, amount, currency }: { readonly [Field in keyof Expectation]?: unknown } = expected ?? {}
  const list: readonly unknown[] = Array.isArray(stages) ? stages : []
  const wrong = list.find(name => !stageNames.some(known => known === name))
  if (list.length === 0 || wrong !== undefined) {
    throw new TypeError(
      `"expected.stages" must list one or more of ${stageNames.join(', ')}, e.g. ['sale']. Found: ${JSON.stringify(wrong ?? stages)}.`,
    )
  }
  for (const [field, value] of Object.entries({ amount, currency })) {
    if (value === undefined || typeof value === 'string') continue
    throw new TypeError(`"expected.${field}" is of type ${typeof value}. Write it as text, e.g. '10.00' and 'EUR'.`)
  }
}
