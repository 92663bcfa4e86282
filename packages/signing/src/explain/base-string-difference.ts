/**
 * Where two signature base strings differ, and what the mistake probably is.
 *
 * @module
 */

import { baseStringMistake } from './base-string-mistakes.js'
import {
  type BaseStringParts,
  joinBaseString,
  maskParts,
  type ParameterMask,
  splitBaseString,
} from './base-string-parts.js'

/** The first difference between two base strings. */
export interface BaseStringDifference {
  /** Index of the first byte that differs; base strings are ASCII. */
  readonly at: number
  /** The part it is in; `shape` when the other text is no base string. */
  readonly part: 'method' | 'address' | 'parameters' | 'shape'
  /** The parameter it belongs to. */
  readonly parameter?: string
  /** Both strings around the difference, values masked, aligned on it. Empty for `shape`. */
  readonly ours: string
  readonly theirs: string
  /** Column of the difference in {@link ours} and {@link theirs}. */
  readonly column: number
  /** One sentence, for people. */
  readonly text: string
}

/** Two base strings to compare. */
export interface BaseStringsToCompare {
  readonly ours: string
  readonly theirs: string
  readonly mask: ParameterMask
}

/**
 * Finds the first difference between two base strings and names the parameter it belongs to.
 *
 * @returns `undefined` when they are equal.
 */
export function compareBaseStrings({ ours, theirs, mask }: BaseStringsToCompare): BaseStringDifference | undefined {
  if (ours === theirs) return undefined
  const at = firstDifference(ours, theirs)
  const left = splitBaseString(ours)
  const right = splitBaseString(theirs)
  if (left === undefined || right === undefined) {
    const text = 'the other text is no signature base string: it must be METHOD&address&parameters, each encoded'
    return { at, part: 'shape', ours: '', theirs: '', column: 0, text }
  }
  const { part, parameter } = locate(left, right)
  const shown = excerpt(joinBaseString(maskParts(left, mask)), joinBaseString(maskParts(right, mask)))
  const text = baseStringMistake({ left, right, part, parameter })
  return { at, part, ...(parameter === undefined ? {} : { parameter }), ...shown, text }
}

function firstDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1
  return at
}

function locate(left: BaseStringParts, right: BaseStringParts) {
  if (left.method !== right.method) return { part: 'method' as const, parameter: undefined }
  if (left.encodedAddress !== right.encodedAddress) return { part: 'address' as const, parameter: undefined }
  const length = Math.max(left.parameters.length, right.parameters.length)
  let at = 0
  while (at < length && left.parameters[at]?.encoded === right.parameters[at]?.encoded) at += 1
  const ours = left.parameters[at]?.name
  const theirs = right.parameters[at]?.name
  const has = (parts: BaseStringParts, name: string) => parts.parameters.some(parameter => parameter.name === name)
  const extra = theirs !== undefined && !has(left, theirs)
  return { part: 'parameters' as const, parameter: extra ? theirs : (ours ?? theirs) }
}

/** How much of either string is shown before and after the difference, in characters. */
const context = 40

/** Cut from the masked strings, so neighbours of the difference show no card data either. */
function excerpt(ours: string, theirs: string): Pick<BaseStringDifference, 'ours' | 'theirs' | 'column'> {
  const at = firstDifference(ours, theirs)
  const start = Math.max(0, at - context)
  const cut = (text: string): string => text.slice(start, at + context)
  return { ours: cut(ours), theirs: cut(theirs), column: at - start }
}
