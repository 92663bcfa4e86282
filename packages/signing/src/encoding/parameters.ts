import { InvalidInputError, quoted, shown } from '../errors.js'
import { encodePart } from './percent-encoding.js'

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

/**
 * Decodes `application/x-www-form-urlencoded` text, a body or a query without its `?`.
 *
 * `+` is a space, a name without `=` has the value `''`, repeated names stay in their order, empty pieces are skipped.
 *
 * @throws {@link InvalidInputError} when an escape is malformed or its bytes are not UTF-8.
 * @see RFC 5849 section 3.4.1.3.1
 */
export function decodeForm(text: string): Parameter[] {
  const parameters: Parameter[] = []
  for (const piece of text.split('&')) {
    if (piece === '') continue
    const border = piece.indexOf('=')
    const name = decodePiece(border < 0 ? piece : piece.slice(0, border))
    parameters.push([name, border < 0 ? '' : decodePiece(piece.slice(border + 1), name)])
  }
  return parameters
}

/** @param owner The name whose value it is; undefined for a name. */
function decodePiece(piece: string, owner?: string): string {
  try {
    return piece.includes('%') || piece.includes('+') ? decodeURIComponent(piece.replaceAll('+', ' ')) : piece
  } catch (cause) {
    const what = owner === undefined ? 'a parameter name' : `the value of ${quoted(owner)}`
    throw new InvalidInputError(
      'form',
      `Cannot decode ${what}: it holds a "%" that does not start a UTF-8 escape. Write a literal "%" as "%25".`,
      { cause },
    )
  }
}

/**
 * Encodes parameters as an `application/x-www-form-urlencoded` body, in the order given.
 *
 * Uses the percent-encoding that is signed, so a space is `%20` and not `+`; both are valid in a body.
 *
 * @throws {@link InvalidInputError} when a name or value holds half of a surrogate pair, or a value has no obvious
 * spelling (`null`, a fraction, a list); `field` is the parameter's name.
 */
export function encodeForm(parameters: ParametersInput): string {
  return pairsOf(parameters).map(encodePair).join('&')
}

function encodePair(parameter: GivenParameter): string {
  const name = nameOf(parameter)
  const value = parameterText(name, parameter[1])
  return `${encodePart(name, name)}=${encodePart(name, value)}`
}
