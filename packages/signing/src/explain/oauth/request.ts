import {
  baseStringUri,
  decodeForm,
  encodeForm,
  type Parameter,
  type ParsedAuthorization,
  percentEncode,
  type SignableRequest,
} from '../../index.js'

/** The pieces of a signed request. */
export interface SignedRequest {
  readonly method: string
  readonly url: URL
  readonly query: readonly Parameter[]
  readonly body: readonly Parameter[]
  /** Of the header, without `oauth_signature`. */
  readonly protocol: readonly Parameter[]
  /** The three together: everything a signature covers besides method and address, in the order it is sent. */
  readonly covered: readonly Parameter[]
  /** Value of `oauth_signature` in the header, decoded. */
  readonly signature: string | undefined
  readonly realm: string | undefined
}

/** Takes a signed request apart. */
export function takeApart({ method, url, parameters }: SignableRequest, header: ParsedAuthorization): SignedRequest {
  const query = decodeForm(url.search.slice(1))
  const body = decodeForm(encodeForm(parameters))
  const protocol = header.parameters.filter(([name]) => name !== 'oauth_signature')
  const signature = header.parameters.find(([name]) => name === 'oauth_signature')?.[1]
  const covered = [...query, ...body, ...protocol]
  return { method: method.toUpperCase(), url, query, body, protocol, covered, signature, realm: header.realm }
}

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
  const { covered } = request
  const right = new Map(covered.map(parameter => [parameter, encodePair(parameter, {})]))
  const joined = joinPairs([...right.values()], {})
  const parametersOf = (variant: BaseStringVariant): string => {
    const { parameters = covered, altered } = variant
    if (altered !== undefined) return alter(joined, right.get(altered.parameter)?.part ?? '', altered.isLeftOut)
    const isRight = isEncodedRight(variant)
    if (isRight && !isSortedAnew(variant)) return joined
    const encoded = parameters.map(each => (isRight && right.get(each)) || encodePair(each, variant))
    return joinPairs(encoded, variant)
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

/** Whether a variant covers other parameters, or sorts them in another way. */
export const isSortedAnew = (variant: BaseStringVariant): boolean =>
  variant.parameters !== undefined || 'compare' in variant

function encodePair([name, value]: Parameter, variant: BaseStringVariant): EncodedPair {
  const { encode = percentEncode, encodePart = percentEncode, write = (pair: Parameter) => pair.join('=') } = variant
  const pair: Parameter = [encode(name), encode(value)]
  return { pair, part: encodePart(write(pair)) }
}

function joinPairs(encoded: readonly EncodedPair[], variant: BaseStringVariant): string {
  const { encodePart = percentEncode } = variant
  const compare = 'compare' in variant ? variant.compare : byNameThenValue
  const sorted = compare === undefined ? encoded : encoded.toSorted((a, b) => compare(a.pair, b.pair))
  return sorted.map(({ part }) => part).join(encodePart('&'))
}

/** Leaves one parameter out of joined ones, or puts an empty value of its name where that is sorted: before all others. */
function alter(joined: string, part: string, isLeftOut: boolean): string {
  const between = '%26'
  const all = between + joined
  const at = `${all}${between}`.indexOf(`${between}${part}${between}`)
  const after = all.slice(at + between.length + part.length)
  if (isLeftOut) return (all.slice(0, at) + after).slice(between.length)
  const empty = between + part.slice(0, part.indexOf('%3D') + '%3D'.length)
  const first = all.indexOf(empty)
  return (all.slice(0, first) + empty + all.slice(first, at) + after).slice(between.length)
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
  readonly variants: (request: SignedRequest) => readonly BaseStringVariant[]
}
