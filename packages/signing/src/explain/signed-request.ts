/**
 * A signed request taken apart, so that a wrong base string can be made from its pieces.
 *
 * @module
 */
import {
  baseStringUri,
  decodeForm,
  encodeForm,
  type Parameter,
  type ParametersInput,
  type ParsedAuthorization,
  percentEncode,
} from '../index.js'

/** The pieces of a signed request. */
export interface SignedRequest {
  readonly method: string
  readonly url: URL
  readonly query: readonly Parameter[]
  readonly body: readonly Parameter[]
  /** Of the header, without `oauth_signature`. */
  readonly protocol: readonly Parameter[]
  /** Value of `oauth_signature` in the header, decoded. */
  readonly signature: string | undefined
  readonly realm: string | undefined
}

/** What {@link takeApart} needs. */
export interface RequestToTakeApart {
  readonly method: string
  readonly url: URL
  readonly parameters: ParametersInput
  readonly header: ParsedAuthorization
}

/** Takes a signed request apart. */
export function takeApart({ method, url, parameters, header }: RequestToTakeApart): SignedRequest {
  return {
    method: method.toUpperCase(),
    url,
    query: decodeForm(url.search.slice(1)),
    body: decodeForm(encodeForm(parameters)),
    protocol: header.parameters.filter(([name]) => name !== 'oauth_signature'),
    signature: header.parameters.find(([name]) => name === 'oauth_signature')?.[1],
    realm: header.realm,
  }
}

/** Everything a signature covers besides method and address, in the order it is sent. */
export const coveredBy = ({ query, body, protocol }: SignedRequest): readonly Parameter[] => [
  ...query,
  ...body,
  ...protocol,
]

/** What is done differently from RFC 5849 section 3.4.1. Default of each: as the RFC says. */
export interface BaseStringVariant {
  readonly method?: string
  readonly address?: string
  readonly parameters?: readonly Parameter[]
  /** Encodes a name or a value. */
  readonly encode?: (text: string) => string
  /** Encodes each of the three parts. */
  readonly encodePart?: (text: string) => string
  /** Orders the encoded pairs; `undefined` keeps the order given. */
  readonly compare?: ((a: Parameter, b: Parameter) => number) | undefined
  /** Writes an encoded pair. */
  readonly write?: (pair: Parameter) => string
}

/** Makes the base string of a request the way `variant` says. Slow and plain on purpose. */
export function baseStringVariant(request: SignedRequest, variant: BaseStringVariant): string {
  const { encode = percentEncode, encodePart = percentEncode, write = (pair: Parameter) => pair.join('=') } = variant
  const encoded = (variant.parameters ?? coveredBy(request)).map(
    ([name, value]): Parameter => [encode(name), encode(value)],
  )
  const compare = 'compare' in variant ? variant.compare : byNameThenValue
  const pairs = compare === undefined ? encoded : encoded.sort(compare)
  const address = variant.address ?? baseStringUri(request.url)
  return [variant.method ?? request.method, address, pairs.map(write).join('&')].map(encodePart).join('&')
}

/** The order of RFC 5849 section 3.4.1.3.2, of encoded pairs. */
export const byNameThenValue = ([nameA, valueA]: Parameter, [nameB, valueB]: Parameter): number =>
  compareText(nameA, nameB) || compareText(valueA, valueB)

/** Compares by UTF-16 units; for encoded text that is by bytes. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** One kind of mistake, and the base strings it makes of a request. */
export interface BaseStringMistakeRow {
  readonly mistake: string
  readonly variants: (request: SignedRequest) => Iterable<BaseStringCandidate>
}

/** A base string that the other side may have made. */
export interface BaseStringCandidate {
  readonly variant: BaseStringVariant
  /** What the mistake was, for people. Names of parameters, never values: they may be card data. */
  readonly text: string
  /** The parameter at fault, when it is one. */
  readonly parameter?: string
}
