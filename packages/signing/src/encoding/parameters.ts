import { InvalidInputError, quoted, shown } from '../errors.js'

/** One request parameter, decoded. Names may repeat; order does not matter to a signature but does to a form body. */
export type Parameter = readonly [name: string, value: string]

/** A value with one obvious spelling: `0` is `'0'`, `false` is `'false'`. A fraction has none, so write it as a string. */
export type ParameterValue = string | number | bigint | boolean

/**
 * Request parameters, decoded: an ordered list of pairs, anything that iterates over pairs (`URLSearchParams`, a `Map`),
 * or an object. Only a list and `URLSearchParams` can repeat a name.
 */
export type ParametersInput = Iterable<GivenParameter> | Readonly<Record<string, ParameterValue>>

/** A pair as the caller gives it. */
export type GivenParameter = readonly [name: string, value: ParameterValue]

/**
 * Lists parameters as pairs; a list comes back as it is, not copied.
 *
 * @throws {@link InvalidInputError} when the input is neither a list nor an object, and does not iterate.
 */
export function pairsOf(input: ParametersInput): readonly GivenParameter[] {
  if (Array.isArray(input)) return input
  if (typeof input !== 'object' || input === null) {
    throw new InvalidInputError(
      'parameters',
      `"parameters" is ${shown(input)}. Pass a list of [name, value] pairs; decodeForm makes one from form text.`,
    )
  }
  return Symbol.iterator in input ? [...(input as Iterable<GivenParameter>)] : Object.entries(input)
}

/**
 * The name of a parameter.
 *
 * @throws {@link InvalidInputError} when the entry is not a pair, or its name is not text.
 */
export function nameOf(parameter: GivenParameter): string {
  if (!Array.isArray(parameter)) {
    throw new InvalidInputError(
      'parameters',
      `An entry of "parameters" is ${shown(parameter)} and not a pair. Write ['name', 'value'].`,
    )
  }
  const [name] = parameter
  if (typeof name === 'string') return name
  throw new InvalidInputError('parameters', `The name of a parameter is ${shown(name)}; it must be a string.`)
}

/**
 * Writes the value of a parameter as text.
 *
 * @throws {@link InvalidInputError} when it has no obvious spelling; `field` is the parameter's name.
 */
export function parameterText(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value)
  throw new InvalidInputError(
    name,
    `Parameter ${quoted(name)} is ${shown(value)}, which has no one spelling. Write a string, or leave it out; repeat the pair for several values.`,
  )
}
