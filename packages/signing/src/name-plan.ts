/**
 * What normalization works out from the names of parameters alone: encoded names and their order. RFC 5849 section
 * 3.4.1.3.2.
 *
 * @module
 */
import { encodePart, type GivenParameter, isPair, nameOf, parameterText } from './parameter-values.js'
import { percentEncode, percentEncodeTwice } from './percent-encoding.js'

/** How normalized parameters are written: plainly, or encoded once more as a base string has them. */
export interface ParameterNotation {
  readonly encode: (text: string) => string
  readonly equals: string
  readonly and: string
}

/** Normalized parameters as section 3.4.1.3.2 shows them. */
export const plainNotation: ParameterNotation = { encode: percentEncode, equals: '=', and: '&' }

/** Normalized parameters as section 3.4.1.1 puts them into a base string. */
export const baseStringNotation: ParameterNotation = { encode: percentEncodeTwice, equals: '%3D', and: '%26' }

/** The part of normalization that depends on the list of names and on no value. */
export interface NamePlan {
  /** The names, in the order they were given. */
  readonly names: readonly string[]
  /** For each parameter that is written, in the order written: its place in `names`. */
  readonly order: readonly number[]
  /** For each parameter that is written: what stands before its value, with the separator unless it is the first. */
  readonly heads: readonly string[]
  /** Where the same name repeats, so that values decide: first and last place in `order`, the last not included. */
  readonly runs: readonly (readonly [from: number, to: number])[]
  /** How many of the parameters stand before any whose name starts with `oauth_`. */
  readonly beforeOauth: number
  /** The first name that starts with `oauth_`. */
  readonly oauthName: string | undefined
}

/**
 * Plans how parameters with these names are normalized. `oauth_signature` is left out.
 *
 * Encoding once more changes no order: it only replaces each `%` with text that starts with `%`.
 *
 * @throws {@link InvalidInputError} when a name is no string or holds half of a surrogate pair.
 */
export function planNames(names: readonly string[], { encode, equals, and }: ParameterNotation): NamePlan {
  const parts = names
    .map((name, index) => ({ name, index, head: encodePart(name, name, encode) }))
    .filter(({ name }) => name !== 'oauth_signature')
    .sort((a, b) => (a.head < b.head ? -1 : a.head > b.head ? 1 : 0))
  return {
    names,
    order: parts.map(({ index }) => index),
    heads: parts.map(({ head }, place) => (place === 0 ? '' : and) + head + equals),
    runs: runsOf(parts.map(({ head }) => head)),
    beforeOauth: parts.filter(({ head }) => head < 'oauth_').length,
    oauthName: names.find(name => name.startsWith('oauth_')),
  }
}

function runsOf(sorted: readonly string[]): [from: number, to: number][] {
  const runs: [from: number, to: number][] = []
  let from = 0
  for (let to = 1; to <= sorted.length; to++) {
    if (sorted[to] === sorted[from]) continue
    if (to - from > 1) runs.push([from, to])
    from = to
  }
  return runs
}

/** What {@link writeParameters} writes. */
export interface ParametersToWrite {
  readonly parameters: readonly GivenParameter[]
  readonly plan: NamePlan
  readonly notation: ParameterNotation
  /** Parameters named `oauth_*`, already written. Default: none but those among `parameters`. */
  readonly oauth?: string
  /** What stands before them all. Default: nothing. */
  readonly start?: string
}

/**
 * Writes parameters in normalized form.
 *
 * @throws {@link InvalidInputError} when a value cannot be written; `field` is the parameter's name.
 */
export function writeParameters({ parameters, plan, notation, oauth = '', start = '' }: ParametersToWrite): string {
  const { heads, beforeOauth } = plan
  const { and } = notation
  const values = valuesInOrder(parameters, plan, notation)
  const part = (place: number): string => (heads[place] ?? '') + (values[place] ?? '')
  let written = start
  for (let place = 0; place < beforeOauth; place++) written += part(place)
  if (oauth !== '') {
    if (beforeOauth > 0) written += and + oauth
    else written += heads.length > 0 ? oauth + and : oauth
  }
  for (let place = beforeOauth; place < heads.length; place++) written += part(place)
  return written
}

function valuesInOrder(
  parameters: readonly GivenParameter[],
  { order, names, runs }: NamePlan,
  { encode }: ParameterNotation,
): string[] {
  const values: string[] = []
  for (const index of order) {
    const parameter = parameters[index] as GivenParameter
    const name = isPair(parameter) ? (names[index] as string) : nameOf(parameter)
    values.push(encodePart(name, parameterText(name, parameter[1]), encode))
  }
  for (const [from, to] of runs) {
    const sorted = values.slice(from, to).sort()
    for (const [index, value] of sorted.entries()) values[from + index] = value
  }
  return values
}
