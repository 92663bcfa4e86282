/**
 * The forms in which request parameters may be handed over, and the text each value is signed as.
 *
 * @module
 */
import { InvalidInputError } from './errors.js'

/** One request parameter, decoded. Names may repeat; order does not matter to a signature but does to a form body. */
export type Parameter = readonly [name: string, value: string]

/** A value with one obvious spelling: `0` is `'0'`, `false` is `'false'`. A fraction has none, so write it as a string. */
export type ParameterValue = string | number | bigint | boolean

/**
 * Request parameters, decoded: an ordered list of pairs, anything that iterates over pairs (`URLSearchParams`, a `Map`),
 * or an object. Only a list and `URLSearchParams` can repeat a name.
 */
export type ParametersInput = Iterable<GivenParameter> | Readonly<Record<string, ParameterValue>>

/** A pair as it was handed over. */
export type GivenParameter = readonly [name: string, value: ParameterValue]

/**
 * Lists parameters as pairs; a list comes back as it is, not copied.
 *
 * @throws {@link InvalidInputError} when the input is no list, no object and does not iterate.
 */
export function pairsOf(input: ParametersInput): readonly GivenParameter[] {
  if (Array.isArray(input)) return input
  if (typeof input !== 'object' || input === null) {
    throw new InvalidInputError(
      'parameters',
      `"parameters" is ${described(input)}. Pass a list of [name, value] pairs; decodeForm makes one from form text.`,
    )
  }
  return Symbol.iterator in input ? [...(input as Iterable<GivenParameter>)] : Object.entries(input)
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
    `Parameter "${name}" is ${described(value)}. Write its value as a string, or leave the parameter out.`,
  )
}

function described(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list; repeat the pair for a name with several values'
  return typeof value === 'number' ? 'a number without one obvious spelling' : `of type ${typeof value}`
}

/**
 * Encodes the name or the value of a parameter.
 *
 * @throws {@link InvalidInputError} when the text holds half of a surrogate pair; `field` is the parameter's name.
 */
export function encodePart(name: string, text: string, encode: (text: string) => string): string {
  try {
    return encode(text)
  } catch (cause) {
    throw new InvalidInputError(
      name,
      `Parameter "${name}" holds half of a surrogate pair, which has no UTF-8 form. It was probably cut in the ` +
        'middle of an emoji; cut by code point instead.',
      { cause },
    )
  }
}
