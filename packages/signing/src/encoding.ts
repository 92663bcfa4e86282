import { InvalidInputError, quoted, shown } from './errors.js'

/**
 * Percent-encodes text: everything but `A-Z a-z 0-9 - . _ ~` becomes the `%XX` of its UTF-8 bytes, in upper case.
 *
 * A space is `%20`, never `+`, and `! ' ( ) *` are encoded, which `encodeURIComponent` leaves alone.
 *
 * @example
 * ```ts
 * percentEncode('John Smith (é)') // 'John%20Smith%20%28%C3%A9%29'
 * ```
 *
 * @throws {@link InvalidInputError} when it is not a string, or holds half of a surrogate pair, which has no UTF-8 bytes.
 * @see RFC 5849 section 3.6; interface specification section 5.2, step 2
 */
export function percentEncode(text: string): string {
  if (typeof text !== 'string') {
    throw new InvalidInputError('text', `"text" is ${shown(text)}; only text can be percent-encoded.`)
  }
  return reserved.test(text) ? encodeReserved(text) : text
}

/** Percent-encodes the name or the value of a parameter; an error names the parameter. */
export const encodePart = (name: string, text: string): string =>
  reserved.test(text) ? encodeReserved(text, name) : text

/** Percent-encodes it twice, as a base string has it. */
export const encodePartTwice = (name: string, text: string): string =>
  reserved.test(text) ? encodeURIComponent(encodeReserved(text, name)) : text

/** Most texts hold nothing to encode, and a pattern tells so sooner than they are encoded. */
const reserved = /[^\w.~-]/

function encodeReserved(text: string, parameter?: string): string {
  try {
    const encoded = encodeURIComponent(text)
    return leftAlone.test(text) ? encoded.replace(/[!'()*]/g, character => codes[character] ?? '') : encoded
  } catch (cause) {
    const owner = parameter === undefined ? '' : `Parameter ${quoted(parameter)}: `
    throw new InvalidInputError(
      parameter ?? 'text',
      `${owner}Text holds half of a surrogate pair: it has no UTF-8 form. Was an emoji cut? Cut by code point.`,
      { cause },
    )
  }
}

/** What `encodeURIComponent` leaves alone. */
const leftAlone = /[!'()*]/

const codes: Readonly<Record<string, string>> = { '!': '%21', "'": '%27', '(': '%28', ')': '%29', '*': '%2A' }

/** Whether text has a UTF-8 form, that is, no half of a surrogate pair. The type comes with the ES2024 library. */
export const isWellFormed = (text: string): boolean =>
  (text as string & { readonly isWellFormed: () => boolean }).isWellFormed()

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

/** Lists parameters as pairs; a list comes back as it is, not copied. */
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

/** The name of a parameter. An entry that is not a pair, or whose name is not text, is an {@link InvalidInputError}. */
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

/** Writes the value of a parameter as text. One without an obvious spelling is an {@link InvalidInputError}. */
export function parameterText(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value)
  throw new InvalidInputError(
    name,
    `Parameter ${quoted(name)} is ${shown(value)}, which has no one spelling. ` +
      'Write a string, or leave it out; repeat the pair for several values.',
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
  const encoded = pairsOf(parameters).map(parameter => {
    const [name, value] = encodePair(parameter)
    return `${name}=${value}`
  })
  return encoded.join('&')
}

/** Percent-encodes the name and the value of a parameter. */
export function encodePair(parameter: GivenParameter): Parameter {
  const name = nameOf(parameter)
  const value = parameterText(name, parameter[1])
  return [encodePart(name, name), encodePart(name, value)]
}
