/** Signature base string, RFC 5849 section 3.4.1, and its parts: base string URI and normalized parameters. */
import {
  decodeForm,
  encodePair,
  encodePart,
  encodePartTwice,
  type GivenParameter,
  nameOf,
  type Parameter,
  type ParametersInput,
  pairsOf,
  parameterText,
  percentEncode,
} from '../encoding.js'
import { InvalidInputError, shown } from '../errors.js'

/** The parts of a request that its signature covers. */
export interface SignableRequest {
  readonly method: string
  /** Absolute URL. Its query parameters are covered; its fragment is not. */
  readonly url: URL
  /** Form-body and `oauth_*` parameters, decoded. An `oauth_signature` among them is not covered. */
  readonly parameters: ParametersInput
}

/**
 * Builds the text that is signed: method, base string URI and normalized parameters, each
 * percent-encoded, joined with `&`.
 *
 * Values are encoded once by normalization and once more here, so a space inside a value appears as
 * `%2520`. Compare this string byte for byte with the peer's before suspecting the key.
 *
 * @example
 * ```ts
 * signatureBaseString({ method: 'POST', url: new URL('https://gate.example/api/v2/payout/39'), parameters })
 * // POST&https%3A%2F%2Fgate.example%2Fapi%2Fv2%2Fpayout%2F39&amount%3D100…
 * ```
 *
 * @throws {@link InvalidInputError} when the address is not http(s), its query is malformed, or a parameter has no
 * obvious spelling (`null`, a fraction, a list, half of a surrogate pair); `field` names it.
 * @returns ASCII text. Signers take its UTF-8 bytes.
 * @see RFC 5849 section 3.4.1.1; interface specification section 5.2, step 2
 */
export function signatureBaseString({ method, url, parameters }: SignableRequest): string {
  const normalized = normalizeParameters(url, parameters)
  return `${baseStringStart(method, url)}${percentEncode(normalized)}`
}

/** What comes before the parameters in a base string: method and address, each encoded and followed by `&`. */
export function baseStringStart(method: string, url: URL): string {
  if (typeof method !== 'string' || method === '') {
    throw new InvalidInputError('method', '"method" is missing. Write "POST".')
  }
  return `${percentEncode(method.toUpperCase())}&${percentEncode(baseStringUri(url))}&`
}

/**
 * Builds the address that a signature covers: scheme, host, port unless it is the default, and path.
 *
 * Scheme and host are in lower case; query, fragment and user name are left out (the query is covered as parameters).
 * The path is covered as it stands, a prefix such as `/paynet` included.
 *
 * @example
 * ```ts
 * baseStringUri(new URL('HTTPS://Gate.Example:443/paynet/api/v2/payout/39?a=1')) // 'https://gate.example/paynet/api/v2/payout/39'
 * ```
 *
 * @throws {@link InvalidInputError} when the scheme is neither `http` nor `https`.
 * @see RFC 5849 section 3.4.1.2; interface specification section 5.2, step 2
 */
export function baseStringUri(url: URL): string {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new InvalidInputError(
      'url',
      `Cannot sign a request to a "${url.protocol}" address: only http and https addresses have a base string URI.`,
    )
  }
  return `${url.protocol}//${url.host}${url.pathname}`
}

/**
 * Normalizes parameters: the URL's query and `parameters`, each name and value percent-encoded, sorted by the bytes
 * of the encoded name and then of the encoded value, joined with `=` and `&`.
 *
 * Repeated names are all kept. `oauth_signature` is left out. `realm` is not a parameter of the request:
 * `parseAuthorizationHeader` keeps it apart, while a form field of that name is covered like any other.
 *
 * @throws {@link InvalidInputError} when a parameter cannot be encoded (see `encodeForm`), or the URL's query not decoded.
 * @see RFC 5849 section 3.4.1.3.2; interface specification section 5.2, step 2
 */
export const normalizeParameters = (url: URL, parameters: ParametersInput): string =>
  normalizePairs(gatherParameters(url, parameters))

/** Normalizes parameters, those of the query among them. */
export const normalizePairs = (gathered: readonly GivenParameter[]): string =>
  gathered
    .filter(parameter => nameOf(parameter) !== 'oauth_signature')
    .map(encodePair)
    .sort(byNameThenValue)
    .map(pair => pair.join('='))
    .join('&')

/**
 * Lists what a signature covers besides the method and the address: the parameters of the URL's query, then the others.
 *
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
export const misplacedOauth = (gathered: readonly GivenParameter[]): string | undefined =>
  gathered.find(parameter => nameOf(parameter).startsWith('oauth_'))?.[0]

/** The order of RFC 5849 section 3.4.1.3.2, of encoded pairs: encoded text is ASCII, so by UTF-16 units is by bytes. */
const byNameThenValue = ([nameA, valueA]: Parameter, [nameB, valueB]: Parameter): number =>
  compareText(nameA, nameB) || compareText(valueA, valueB)

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The names of a list of parameters, sorted and encoded: what a request signer keeps for the next request. */
export type NameOrder = readonly {
  readonly name: string
  /** Its place in the list. */
  readonly at: number
  /** What stands before its value in a base string: `&` encoded, the name encoded twice, and `=` encoded. */
  readonly start: string
}[]

/** A longer list is not kept: the sender may be hostile. */
const mostNames = 256
const mostCharacters = 8192

/** Encodes and sorts names. @returns `undefined` for a long list, and where a name repeats, so that values decide the order. */
export function orderNames(names: readonly string[]): NameOrder | undefined {
  if (names.length > mostNames || names.join('').length > mostCharacters) return undefined
  if (new Set(names).size < names.length) return undefined
  return names
    .map((name, at) => ({ name, at, encoded: encodePart(name, name) }))
    .sort((a, b) => compareText(a.encoded, b.encoded))
    .map(({ name, at, encoded }) => ({ name, at, start: `%26${percentEncode(encoded)}%3D` }))
}

/** Normalizes parameters and encodes them once more, their names sorted already; `undefined` when the names are others. */
export function joinInOrder(order: NameOrder, parameters: readonly GivenParameter[]): string | undefined {
  if (order.length !== parameters.length) return undefined
  let text = ''
  for (const { name, at, start } of order) {
    const parameter = parameters[at]
    if (!Array.isArray(parameter) || parameter[0] !== name) return undefined
    text += start + encodePartTwice(name, parameterText(name, parameter[1]))
  }
  return text.slice('%26'.length)
}
