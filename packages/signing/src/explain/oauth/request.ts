import {
  baseStringUri,
  decodeForm,
  encodeForm,
  type Parameter,
  type ParametersInput,
  type ParsedAuthorization,
  percentEncode,
} from '../../index.js'

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
  /** One of what is covered, which the other side leaves out or covers with an empty value; all else is right. */
  readonly altered?: { readonly parameter: Parameter; readonly isLeftOut: boolean }
  /** Encodes a name or a value. */
  readonly encode?: (text: string) => string
  /** Encodes each of the three parts. */
  readonly encodePart?: (text: string) => string
  /** Orders the encoded pairs; `undefined` keeps the order given. */
  readonly compare?: ((a: Parameter, b: Parameter) => number) | undefined
  /** Writes an encoded pair. */
  readonly write?: (pair: Parameter) => string
  /** Changes the base string after it is made. */
  readonly change?: (baseString: string) => string
}

/** A parameter as it is sorted, and as it stands in the base string. */
interface EncodedPair {
  readonly pair: Parameter
  readonly part: string
}

/**
 * Gets ready to make the base strings of a request in many ways. What is encoded and sorted as the RFC says is encoded and
 * sorted once for all of them: most mistakes are elsewhere.
 */
export function baseStringMaker(request: SignedRequest): (variant: BaseStringVariant) => string {
  const covered = coveredBy(request)
  const right = new Map(covered.map(parameter => [parameter, encodePair(parameter, {})]))
  const sorted = sortPairs([...right], ([, { pair }]) => pair, byNameThenValue)
  const joined = sorted.map(([, { part }]) => part).join('%26')
  const places = placesOf(sorted)
  const parametersOf = (variant: BaseStringVariant): string => {
    const { parameters, altered } = variant
    if (!isEncodedRight(variant))
      return joinParts(
        (parameters ?? covered).map(each => encodePair(each, variant)),
        variant,
      )
    if (altered !== undefined) return alter(joined, places.get(altered.parameter), altered.isLeftOut)
    if (parameters === undefined && !('compare' in variant)) return joined
    return joinParts(
      (parameters ?? covered).map(each => right.get(each) ?? encodePair(each, variant)),
      variant,
    )
  }
  return variant => {
    const { method = request.method, address = baseStringUri(request.url), encodePart = percentEncode } = variant
    const baseString = `${encodePart(method)}&${encodePart(address)}&${parametersOf(variant)}`
    return variant.change === undefined ? baseString : variant.change(baseString)
  }
}

/** Whether a variant encodes names, values and parts as the RFC says. */
export const isEncodedRight = ({ encode, encodePart, write }: BaseStringVariant): boolean =>
  encode === undefined && encodePart === undefined && write === undefined

function encodePair([name, value]: Parameter, variant: BaseStringVariant): EncodedPair {
  const { encode = percentEncode, encodePart = percentEncode, write = (pair: Parameter) => pair.join('=') } = variant
  const pair: Parameter = [encode(name), encode(value)]
  return { pair, part: encodePart(write(pair)) }
}

type Compare = (a: Parameter, b: Parameter) => number

const sortPairs = <Entry>(entries: readonly Entry[], pairOf: (entry: Entry) => Parameter, compare: Compare): Entry[] =>
  entries.toSorted((a, b) => compare(pairOf(a), pairOf(b)))

function joinParts(encoded: readonly EncodedPair[], variant: BaseStringVariant): string {
  const { encodePart = percentEncode } = variant
  const compare = 'compare' in variant ? variant.compare : byNameThenValue
  const sorted = compare === undefined ? encoded : sortPairs(encoded, ({ pair }) => pair, compare)
  return sorted.map(({ part }) => part).join(encodePart('&'))
}

/** Where a parameter stands in the joined parameters, and where an empty value of its name would. */
interface Place {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly first: number
}

function placesOf(sorted: readonly (readonly [Parameter, EncodedPair])[]): ReadonlyMap<Parameter, Place> {
  const places = new Map<Parameter, Place>()
  let from = 0
  let before: Place | undefined
  for (const [parameter, { pair, part }] of sorted) {
    const name = percentEncode(pair[0])
    const first = before?.name === name ? before.first : from
    before = { name, from, to: from + part.length, first }
    places.set(parameter, before)
    from += part.length + '%26'.length
  }
  return places
}

function alter(joined: string, place: Place | undefined, isLeftOut: boolean): string {
  if (place === undefined) return joined
  const { name, from, to, first } = place
  const after = joined.slice(to)
  const rest = joined.slice(first, from)
  if (!isLeftOut) return `${joined.slice(0, first)}${name}%3D${rest === '' ? '' : `%26${rest.slice(0, -3)}`}${after}`
  return from === 0 ? after.slice('%26'.length) : joined.slice(0, from - '%26'.length) + after
}

/** The order of RFC 5849 section 3.4.1.3.2, of encoded pairs. */
export const byNameThenValue = ([nameA, valueA]: Parameter, [nameB, valueB]: Parameter): number =>
  compareText(nameA, nameB) || compareText(valueA, valueB)

/** Compares by UTF-16 units; for encoded text that is by bytes. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** One kind of mistake, and the base strings it makes of a request. */
export interface BaseStringMistakeRow {
  readonly mistake: string
  /** What the mistake is, for people. Names of parameters, never values: they may be card data. */
  readonly text: string | ((variant: BaseStringVariant, request: SignedRequest) => string)
  /** The parameter at fault. Default: the one that a variant alters. */
  readonly parameter?: string
  readonly variants: (request: SignedRequest) => Iterable<BaseStringVariant>
}
