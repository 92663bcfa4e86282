/**
 * Request parameters and their normalization, RFC 5849 sections 3.4.1.3.1 and 3.4.1.3.2.
 *
 * @module
 */
import { startText, takeText } from '../encoding/encoded-text.js'
import { formBody, formBodyField } from '../encoding/form-body.js'
import {
  type GivenParameter,
  nameOf,
  type Parameter,
  type ParametersInput,
  pairsOf,
  parameterText,
} from '../encoding/parameter-values.js'
import { InvalidInputError } from '../errors.js'
import { quoted, shown } from '../shown.js'
import { addParameters, orderParameters, planNames } from './name-plan.js'

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
  const pairs = pairsOf(parameters)
  const fields = pairs.map(nameOf).map(formBodyField)
  const values = pairs.map(([name, value]) => parameterText(name, value))
  return String(formBody(fields, values))
}

/**
 * Lists what a signature covers besides the method and the address: the parameters of the URL's query, then the others.
 *
 * @throws {@link InvalidInputError} when `url` is no URL, its query cannot be decoded, or `parameters` are neither list
 * nor object.
 * @see RFC 5849 section 3.4.1.3.1
 */
export function gatherParameters(url: URL, parameters: ParametersInput): readonly GivenParameter[] {
  const pairs = pairsOf(parameters)
  const search = url?.search
  if (typeof search !== 'string') {
    throw new InvalidInputError('url', `"url" is ${shown(url)}. Pass new URL(…).`)
  }
  return search === '' ? pairs : [...decodeForm(search.slice(1)), ...pairs]
}

/** Finds an `oauth_*` parameter in the query or the form: the gateway takes them in the header only. */
export const misplacedOauth = (url: URL, parameters: ParametersInput): string | undefined =>
  gatherParameters(url, parameters)
    .map(nameOf)
    .find(name => name.startsWith('oauth_'))

/**
 * Normalizes parameters: the URL's query and `parameters`, each name and value percent-encoded, sorted by the bytes
 * of the encoded name and then of the encoded value, joined with `=` and `&`.
 *
 * Repeated names are all kept. `oauth_signature` is left out. `realm` is no parameter of the request:
 * `parseAuthorizationHeader` keeps it apart, while a form field of that name is covered like any other.
 *
 * @throws {@link InvalidInputError} as {@link encodeForm} does, and when the URL's query cannot be decoded.
 * @see RFC 5849 section 3.4.1.3.2; interface specification section 5.2, step 2
 */
export function normalizeParameters(url: URL, parameters: ParametersInput): string {
  const gathered = gatherParameters(url, parameters)
  const ordered = orderParameters(gathered, planNames(gathered.map(nameOf)))
  startText()
  addParameters(ordered)
  // A base string has them encoded once more.
  return decodeURIComponent(takeText())
}
