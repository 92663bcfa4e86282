/**
 * Request parameters and their normalization, RFC 5849 sections 3.4.1.3.1 and 3.4.1.3.2.
 *
 * @module
 */
import { InvalidInputError } from './errors.js'
import { percentEncode } from './percent-encoding.js'

/** One request parameter, decoded. Names may repeat; order does not matter to a signature but does to a form body. */
export type Parameter = readonly [name: string, value: string]

/**
 * Decodes `application/x-www-form-urlencoded` text, a body or a query without its `?`.
 *
 * `+` is a space, a name without `=` has the value `''`, repeated names stay in their order, empty pieces are skipped.
 *
 * @throws {@link InvalidInputError} when an escape is malformed or its bytes are not UTF-8.
 * @see RFC 5849 section 3.4.1.3.1
 */
export function decodeForm(text: string): Parameter[] {
  return text
    .split('&')
    .filter(piece => piece !== '')
    .map(piece => {
      const border = piece.indexOf('=')
      const name = decodePiece(border < 0 ? piece : piece.slice(0, border), 'a parameter name')
      const value =
        border < 0 ? '' : decodePiece(piece.slice(border + 1), `the value of ${JSON.stringify(name.slice(0, 64))}`)
      return [name, value]
    })
}

function decodePiece(piece: string, what: string): string {
  try {
    return decodeURIComponent(piece.replaceAll('+', ' '))
  } catch (cause) {
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
 * @throws {@link InvalidInputError} when a name or value holds half of a surrogate pair; `field` is the parameter's name.
 */
export function encodeForm(parameters: readonly Parameter[]): string {
  return parameters.map(parameter => encodePair(parameter).join('=')).join('&')
}

/**
 * Normalizes parameters: the URL's query and `parameters`, each name and value percent-encoded, sorted by the bytes
 * of the encoded name and then of the encoded value, joined with `=` and `&`.
 *
 * Repeated names are all kept. `oauth_signature` is left out. `realm` is no parameter of the request:
 * `parseAuthorizationHeader` keeps it apart, while a form field of that name is covered like any other.
 *
 * @see RFC 5849 section 3.4.1.3.2; interface specification section 5.2, step 2
 */
export function normalizeParameters(url: URL, parameters: readonly Parameter[]): string {
  return [...decodeForm(url.search.slice(1)), ...parameters]
    .filter(([name]) => name !== 'oauth_signature')
    .map(encodePair)
    .sort(byNameThenValue)
    .map(pair => pair.join('='))
    .join('&')
}

function encodePair([name, value]: Parameter): Parameter {
  if (typeof value !== 'string') {
    throw new InvalidInputError(
      name,
      `Parameter "${name}" is of type ${typeof value}. Write its value as a string, or leave the parameter out.`,
    )
  }
  try {
    return [percentEncode(name), percentEncode(value)]
  } catch (cause) {
    throw new InvalidInputError(
      name,
      `Parameter "${name}" holds half of a surrogate pair, which has no UTF-8 form. It was probably cut in the ` +
        'middle of an emoji; cut by code point instead.',
      { cause },
    )
  }
}

/** Encoded text is ASCII, so comparing code units compares bytes. Never a locale: that would ignore case. */
function byNameThenValue([nameA, valueA]: Parameter, [nameB, valueB]: Parameter): number {
  if (nameA !== nameB) return nameA < nameB ? -1 : 1
  if (valueA !== valueB) return valueA < valueB ? -1 : 1
  return 0
}
