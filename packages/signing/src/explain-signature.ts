/**
 * Explanation of a signature: what it covers and where another base string differs.
 *
 * @module
 */
import { type BaseStringDifference, compareBaseStrings } from './base-string-difference.js'
import {
  type BaseStringParameter,
  joinBaseString,
  maskParts,
  type ParameterMask,
  splitBaseString,
} from './base-string-parts.js'
import { baseStringUri } from './base-string-uri.js'
import { InvalidInputError } from './errors.js'
import { pairsOf } from './parameter-values.js'
import { parseAuthorizationHeader } from './parse-authorization-header.js'
import { type SignableRequest, signatureBaseString } from './signature-base-string.js'

/** What to explain. */
export interface ExplainSignatureOptions extends SignableRequest {
  /** Value of the `Authorization` header. */
  readonly authorization: string
  /** The base string the other side computed. Default: only ours is shown. */
  readonly expectedBaseString?: string
  /**
   * Shows a value or something in its place. Default: every value as it is. Hand one over whenever the form may hold
   * card data. `oauth_signature` is masked in any case.
   */
  readonly mask?: ParameterMask
}

/** A signature laid out, values masked. */
export interface SignatureExplanation {
  readonly method: string
  /** Base string URI. */
  readonly address: string
  /** What is covered, in the order it is covered. */
  readonly parameters: readonly BaseStringParameter[]
  /** The base string; with a mask it is not the one that was signed. */
  readonly baseString: string
  /** Whether `expectedBaseString` is the same. Absent without it. */
  readonly matches?: boolean
  readonly difference?: BaseStringDifference
}

/**
 * Lays out what a signature covers and, given the other side's base string, where the two differ first.
 *
 * @throws {@link InvalidInputError} when `authorization` is no OAuth header, or the parameters cannot be encoded.
 * @see RFC 5849 section 3.4.1; interface specification section 5.2, step 2
 */
export function explainSignature(options: ExplainSignatureOptions): SignatureExplanation {
  const { method, url, parameters, authorization, expectedBaseString } = options
  const header = parseAuthorizationHeader(authorization)
  if (header === undefined) {
    throw new InvalidInputError(
      'authorization',
      'This is no OAuth header. It must be of the form: OAuth name="value", …',
    )
  }
  const mask = maskSignature(options.mask)
  const ours = signatureBaseString({ method, url, parameters: [...pairsOf(parameters), ...header.parameters] })
  const parts = splitBaseString(ours) ?? { method, encodedAddress: '', parameters: [] }
  const shown = maskParts(parts, mask)
  const layout = {
    method: parts.method,
    address: baseStringUri(url),
    parameters: shown.parameters,
    baseString: joinBaseString(shown),
  }
  if (expectedBaseString === undefined) return layout
  const difference = compareBaseStrings({ ours, theirs: expectedBaseString, mask })
  return difference === undefined ? { ...layout, matches: true } : { ...layout, matches: false, difference }
}

const maskSignature =
  (mask: ParameterMask = (_name, value) => value): ParameterMask =>
  (name, value) =>
    name === 'oauth_signature' ? '<signature>' : mask(name, value)

/** Writes a {@link SignatureExplanation} as text for a terminal or a log, one line a parameter. */
export function describeSignature({
  method,
  address,
  parameters,
  baseString,
  matches,
  difference,
}: SignatureExplanation): string {
  const width = Math.max(0, ...parameters.map(({ name }) => name.length))
  return [
    `method:  ${method}`,
    `address: ${address}`,
    'parameters, in order (decoded, then as in the base string):',
    ...parameters.map(({ name, value, encoded }) => `  ${name.padEnd(width)}  ${JSON.stringify(value)}  ${encoded}`),
    `base string: ${baseString}`,
    ...(matches === true
      ? ['the base strings are equal: the mistake is in the key, the method or the encoding of the signature']
      : []),
    ...(difference === undefined ? [] : describeDifference(difference)),
  ].join('\n')
}

function describeDifference({ at, ours, theirs, column, text }: BaseStringDifference): string[] {
  const verdict = `the base strings differ first at byte ${at}: ${text}`
  if (ours === theirs) return [verdict]
  return [verdict, `  ours:   ${ours}`, `  theirs: ${theirs}`, `          ${' '.repeat(column)}^`]
}
