/**
 * What normalization works out from the names of parameters alone: encoded names and their order. RFC 5849 section
 * 3.4.1.3.2.
 *
 * @module
 */
import { addEncoded, addEncodedTwice } from '../encoding/encoded-text.js'
import { encodePart, type GivenParameter, nameOf, parameterText } from '../encoding/parameter-values.js'
import { percentEncode } from '../encoding/percent-encoding.js'

/** The part of normalization that depends on the list of names and on no value. */
export interface NamePlan {
  /** The names, in the order they were given. */
  readonly names: readonly string[]
  /** The parameters that are written, in the order written. */
  readonly parts: readonly PlannedParameter[]
  /** Where the same name repeats, so that values decide: first and last place in `parts`, the last not included. */
  readonly runs: readonly (readonly [from: number, to: number])[]
}

interface PlannedParameter {
  readonly name: string
  /** Its place among those given. */
  readonly index: number
  /** Its name, percent-encoded. */
  readonly encoded: string
}

/**
 * Plans how parameters with these names are normalized. `oauth_signature` is left out.
 *
 * @throws {@link InvalidInputError} when a name is no string or holds half of a surrogate pair.
 */
export function planNames(names: readonly string[]): NamePlan {
  const parts = names
    .map((name, index) => ({ name, index, encoded: encodePart(name, name, percentEncode) }))
    .filter(({ name }) => name !== 'oauth_signature')
    // By bytes, for encoded text is ASCII.
    .sort((a, b) => (a.encoded < b.encoded ? -1 : a.encoded > b.encoded ? 1 : 0))
  return { names, parts, runs: runsOf(parts) }
}

function runsOf(parts: readonly PlannedParameter[]): [from: number, to: number][] {
  const runs: [from: number, to: number][] = []
  let from = 0
  for (let to = 1; to <= parts.length; to++) {
    if (parts[to]?.name === parts[from]?.name) continue
    if (to - from > 1) runs.push([from, to])
    from = to
  }
  return runs
}

/** Parameters, ready to be added to a text. */
export interface OrderedParameters {
  readonly plan: NamePlan
  /** The values, in the order of the plan. */
  readonly texts: readonly string[]
}

/**
 * Writes the values of parameters as text and puts them into the order of the plan.
 *
 * @throws {@link InvalidInputError} when a value cannot be written; `field` is the parameter's name.
 */
export function orderParameters(parameters: readonly GivenParameter[], plan: NamePlan): OrderedParameters {
  const { parts, runs } = plan
  const texts: string[] = []
  for (const { index } of parts) {
    const parameter = parameters[index] as GivenParameter
    texts.push(parameterText(nameOf(parameter), parameter[1]))
  }
  for (const [from, to] of runs) {
    const { name } = parts[from] as PlannedParameter
    const sorted = texts
      .slice(from, to)
      .map(text => encodePart(name, text, percentEncode))
      .sort()
    for (const [index, encoded] of sorted.entries()) texts[from + index] = decodeURIComponent(encoded)
  }
  return { plan, texts }
}

/**
 * Adds normalized parameters to the text in the making, encoded once more as a base string has them.
 *
 * @throws {@link InvalidInputError} when a value holds half of a surrogate pair; `field` is the parameter's name.
 */
export function addParameters({ plan, texts }: OrderedParameters): void {
  for (const [place, { name, encoded }] of plan.parts.entries()) {
    if (place > 0) addEncoded('&')
    addEncoded(encoded)
    addEncoded('=')
    encodePart(name, texts[place] as string, addEncodedTwice)
  }
}
