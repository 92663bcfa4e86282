/**
 * What a check comes to: the matchers and the assertion functions say the same.
 *
 * @module
 */

import { inspect } from 'node:util'

/** What a check found. */
export interface Check {
  readonly pass: boolean
  /** Why it did not pass. */
  readonly message: string
  /** Why it should not have passed, for `.not`. */
  readonly negated: string
  /** What there is, for the runner's comparison. */
  readonly actual?: unknown
  /** What was asked for. */
  readonly expected?: unknown
}

/** Whether every field that is expected is there with that very value. A field that is expected as undefined is left out. */
export function hasFields<Shape extends object>(actual: Shape, expected: Partial<Shape>): boolean {
  const entries = Object.entries(expected) as [keyof Shape, unknown][]
  return entries.every(([name, value]) => value === undefined || actual[name] === value)
}

/**
 * Refuses names that a check does not know: a misspelt one would compare nothing.
 *
 * @throws {TypeError} that lists the known ones.
 */
export function checkNames(
  expected: object,
  { of, known }: { readonly of: string; readonly known: readonly string[] },
): void {
  const unknown = Object.keys(expected).find(name => !known.includes(name))
  if (unknown !== undefined) throw new TypeError(`${of} has no "${unknown}" to compare. It has: ${known.join(', ')}.`)
}

/** Writes what was expected, on one line. */
export const asText = (value: unknown): string => inspect(value, { depth: 4, breakLength: Number.POSITIVE_INFINITY })
