import { type BaseStringParts, joinBaseString, type ShownBaseString } from './shown.js'

/** The first difference between two base strings. */
export interface BaseStringDifference {
  /** Index of the first byte that differs; base strings are ASCII. */
  readonly at: number
  /** The part it is in; `shape` when the other text is not a base string. */
  readonly part: 'method' | 'address' | 'parameters' | 'shape'
  /** The parameter it belongs to. Absent when it is only on the other side and its name may be a value. */
  readonly parameter?: string
  /** Our base string around the difference, values masked. Empty for `shape`. */
  readonly ours: string
  /**
   * The other side's, aligned with {@link ours} on the difference. Of what differs only parameters are shown that this
   * side has as well and does not mask; `…` stands for the rest. Empty for `shape`.
   */
  readonly theirs: string
  /** Column of the difference in {@link ours} and {@link theirs}. */
  readonly column: number
  /** One sentence, for people. */
  readonly text: string
}

/** How many times as long as ours the other text may be, and how long at least, in characters. */
const longestTimes = 4
const longestAtLeast = 65_536

/**
 * Finds the first difference between two base strings and names the parameter it belongs to. Of a text that is much longer
 * than ours it says nothing but that.
 *
 * @returns `undefined` when they are equal.
 */
export function compareBaseStrings(
  ours: string,
  theirs: unknown,
  shown: ShownBaseString,
): BaseStringDifference | undefined {
  if (ours === theirs) return undefined
  if (typeof theirs !== 'string') return noBaseString(0, 'what the other side has is not text')
  const at = firstDifference(ours, theirs)
  if (theirs.length > Math.max(longestAtLeast, longestTimes * ours.length)) {
    return noBaseString(at, `the other text has ${theirs.length} characters and ours ${ours.length}`)
  }
  const left = shown.actual
  const right = shown.split(theirs)
  if (right === undefined) {
    const form = 'it must be METHOD&address&parameters, each encoded'
    return noBaseString(at, `the other text is not a signature base string: ${form}`)
  }
  const located = locate(left, right)
  const { part, name, text } = located
  const sides = excerpt(joinBaseString(shown.parts), showTheirs(right, located, shown, at))
  if (name === undefined) return { at, part, ...sides, text: `${part}: ${text}` }
  const parameter = shown.nameOf(name)
  const named = parameter === undefined ? {} : { parameter }
  return { at, part, ...named, ...sides, text: `${parameter ?? 'a parameter'}: ${text}` }
}

const noBaseString = (at: number, text: string): BaseStringDifference => {
  return { at, part: 'shape', ours: '', theirs: '', column: 0, text }
}

function firstDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1
  return at
}

interface Located {
  readonly part: 'method' | 'address' | 'parameters'
  /** How many parameters stand before the difference. */
  readonly before: number
  /** Name of the parameter at fault. */
  readonly name?: string | undefined
  /** What the mistake probably is. Never a value: it may be card data. */
  readonly text: string
}

function locate(left: BaseStringParts, right: BaseStringParts): Located {
  if (left.method !== right.method) {
    return { part: 'method', before: 0, text: describeMethod(left.method, right.method) }
  }
  if (left.encodedAddress !== right.encodedAddress) {
    return { part: 'address', before: 0, text: describeAddress(left.encodedAddress, right.encodedAddress) }
  }
  const length = Math.max(left.parameters.length, right.parameters.length)
  let before = 0
  while (before < length && left.parameters[before]?.encoded === right.parameters[before]?.encoded) before += 1
  const ours = left.parameters[before]?.name
  const theirs = right.parameters[before]?.name
  const isExtra = theirs !== undefined && !left.parameters.some(({ name }) => name === theirs)
  const name = isExtra ? theirs : (ours ?? theirs)
  const textOf = ({ parameters }: BaseStringParts): string | undefined => {
    const named = parameters.filter(parameter => parameter.name === name).map(({ encoded }) => encoded)
    return named.length === 0 ? undefined : named.sort().join('%26')
  }
  return { part: 'parameters', before, name, text: describeParameter(name, textOf(left), textOf(right)) }
}

/** How much of either string is shown before and after the difference, in characters. */
const context = 40

function excerpt(ours: string, theirs: string): Pick<BaseStringDifference, 'ours' | 'theirs' | 'column'> {
  const at = firstDifference(ours, theirs)
  const from = Math.max(0, at - context)
  return { ours: ours.slice(from, at + context), theirs: theirs.slice(from, at + context), column: at - from }
}

/** Shows the other side's base string until some way after the difference; up to there it is ours. */
function showTheirs(right: BaseStringParts, { part, before }: Located, shown: ShownBaseString, at: number): string {
  const { parts } = shown
  const ours = joinBaseString(parts)
  if (part !== 'parameters') return `${ours.slice(0, shown.isAddressShown ? at : Math.min(at, parts.method.length))}…`
  const pieces = [joinBaseString({ ...parts, parameters: parts.parameters.slice(0, before) })]
  let length = pieces[0]?.length ?? 0
  let after = -1
  for (const [index, parameter] of right.parameters.slice(before).entries()) {
    if (after >= context) break
    const piece = (before + index > 0 ? '%26' : '') + shown.theirs(parameter)
    pieces.push(piece)
    if (after >= 0) after += piece.length
    else if (!ours.startsWith(piece, length)) after = 0
    length += piece.length
  }
  return pieces.join('')
}

/** What may be shown of the other side: anything else may be a piece of something else. */
export const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

function describeMethod(ours: string, theirs: string): string {
  if (theirs.toUpperCase() === ours) return 'the other side has it in lower case; it must be in upper case'
  return `${ours} here, ${methods.includes(theirs) ? theirs : 'another'} there`
}

function describeAddress(ours: string, theirs: string): string {
  if (/%3A(443|80)(%2F|$)/.test(theirs)) return 'the other side kept the port; a default port is left out'
  if (theirs.toLowerCase() === ours.toLowerCase()) {
    return 'letter case differs; scheme and host must be in lower case, the path stays as it is'
  }
  if (/%3F/i.test(theirs)) return 'the other side kept the query in it; the query is covered among the parameters'
  return 'host or path differs; look for a missing path prefix, a trailing slash, a proxy'
}

function describeParameter(name?: string, ours?: string, theirs?: string): string {
  if (theirs === undefined) return 'only this side covers it'
  if (name === 'oauth_signature') return 'the other side covers the signature itself; it must be left out'
  if (ours === undefined) return 'only the other side covers it'
  if (ours === theirs) return 'the same parameters in another order; sort by encoded name, then by value'
  if ([/%2B/g, /%252B/g, /\+/g].some(plus => theirs.replace(plus, '%2520') === ours)) {
    return 'the other side encodes a space as "+"; it must be %20, so %2520 here'
  }
  if (theirs === ours.replaceAll('%25', '%')) return 'the other side encodes it once; it must be encoded twice'
  return 'the two sides have different values, or encode the value differently'
}
