/** Form bodies and queries, `application/x-www-form-urlencoded`. */
import { InvalidInputError, quoted } from '../errors.js'
import {
  type GivenParameter,
  nameOf,
  type Parameter,
  type ParametersInput,
  pairsOf,
  parameterText,
} from './parameters.js'
import { encodePart } from './percent-encoding.js'

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
