import { InvalidInputError, parseAuthorizationHeader, signatureBaseString } from '../index.js'
import { signatureFixes } from './fixes.js'
import { type BaseStringDifference, compareBaseStrings } from './oauth/difference.js'
import { unencodedInHeader } from './oauth/encoding-mistakes.js'
import { searchHmac } from './oauth/hmac.js'
import { compareLines, linesOf } from './oauth/lines.js'
import { type FoundSignatureMistake, isReadable, readSignature, type SignatureMistake } from './oauth/received.js'
import { type SignedRequest, takeApart } from './oauth/request.js'
import { searchRsa } from './oauth/rsa.js'
import { isSearchable, searchBaseString } from './oauth/search.js'
import {
  type BaseStringParameter,
  joinBaseString,
  type ParameterMask,
  type ShownBaseString,
  showBaseString,
  splitBaseString,
} from './oauth/shown.js'
import { checkSignatureOptions, type ExplainSignatureOptions } from './options.js'
import type { ComparedLine } from './written/compared.js'

/** A signature laid out, values masked. */
export interface SignatureExplanation {
  readonly method: string
  /** Base string URI. */
  readonly address: string
  /** What is covered, in the order it is covered. */
  readonly parameters: readonly BaseStringParameter[]
  /** The base string; with a mask it is not the one that was signed. */
  readonly baseString: string
  /** The base string line by line: method, address, each parameter, as they stand in it. */
  readonly lines: readonly ComparedLine[]
  /** Whether `expectedBaseString` is the same. Absent without it. */
  readonly matches?: boolean
  readonly difference?: BaseStringDifference
  /** Whether the signature of the other side is right. Absent without `secrets` and `publicKey`, or when too long. */
  readonly signatureMatches?: boolean
  /**
   * The one mistake that makes the base string or the signature of the other side; where both are right, values that the header
   * does not encode. Absent when none is found.
   */
  readonly explanation?: SignatureMistake
}

/**
 * Lays out what a signature covers and, given the other side's base string or signature, searches for the one mistake
 * that makes it; of a base string it says where the two differ first as well.
 *
 * Work is bounded and ends after the same mistakes on every machine: a base string of more than 65536 characters is not
 * searched, and the search ends after 5 million characters of base strings, where a parameter that has to be sorted counts
 * 128 besides its own, and one that is encoded in another way 512. A hundred parameters leave room for every mistake; of
 * more, one that is left out or left empty may not be found. When two mistakes make the same, the likelier one is named.
 *
 * What the other side has is data: what is not text, or not a signature, matches nothing. Of its base string only
 * parameters are shown that this side has as well and does not mask. A value that `mask` hides is hidden in every other
 * parameter too, when it has at least four letters and digits.
 *
 * @throws {@link InvalidInputError} when `authorization` is not an OAuth header, the parameters cannot be encoded, or another
 * option is not what it should be; `field` names it.
 * @see RFC 5849 section 3.4.1; interface specification section 5.2, step 2
 */
export function explainSignature(options: ExplainSignatureOptions): SignatureExplanation {
  checkSignatureOptions(options)
  const { method, url, authorization, expectedBaseString } = options
  const header = parseAuthorizationHeader(authorization)
  if (header === undefined) {
    const message = 'This is not an OAuth header. It must be of the form: OAuth name="value", …'
    throw new InvalidInputError('authorization', message)
  }
  const request = takeApart(options, header)
  const ours = signatureBaseString({ method, url, parameters: [...request.body, ...header.parameters] })
  const parts = splitBaseString(ours) ?? { method, encodedAddress: '', parameters: [] }
  const shown = showBaseString(parts, maskSignature(options.mask), secretsOf(options, request))
  const difference = expectedBaseString === undefined ? undefined : compareBaseStrings(ours, expectedBaseString, shown)
  const { found, ...judged } = judgeSignature(options, request, ours)
  const isSearched = difference !== undefined && isSearchable(ours)
  const isDifferent = difference !== undefined || judged.signatureMatches === false
  const mistake =
    (isSearched && searchBaseString(request, candidate => candidate === expectedBaseString)) ||
    found ||
    (isDifferent ? undefined : unencodedInHeader(authorization))
  const theirs = expectedBaseString ?? mistake?.theirs ?? (judged.signatureMatches ? ours : undefined)
  const isMadeOfOurs = theirs === ours || theirs === mistake?.theirs
  return {
    method: shown.parts.method,
    address: decodeURIComponent(shown.parts.encodedAddress),
    parameters: shown.parts.parameters,
    baseString: joinBaseString(shown.parts),
    lines: (theirs !== undefined && compareLines(shown, { baseString: theirs, isMadeOfOurs })) || linesOf(shown),
    ...(expectedBaseString === undefined ? {} : { matches: difference === undefined }),
    ...(difference === undefined ? {} : { difference }),
    ...judged,
    ...withExplanation(mistake, shown),
  }
}

/** What is masked in any case. */
function secretsOf(options: ExplainSignatureOptions, { body, signature }: SignedRequest): readonly string[] {
  const { secrets, otherKeys = [], expectedSignature: expected } = options
  const uncovered = body.filter(([name]) => name === 'oauth_signature').map(([, value]) => value)
  const theirs = isReadable(expected) ? expected : undefined
  const known = [signature, theirs, secrets?.consumerSecret, secrets?.tokenSecret, ...otherKeys, ...uncovered]
  return known.filter(value => typeof value === 'string')
}

type Judged = Pick<SignatureExplanation, 'signatureMatches'> & { readonly found?: FoundSignatureMistake }

function judgeSignature(options: ExplainSignatureOptions, request: SignedRequest, baseString: string): Judged {
  const { secrets, otherKeys = [], publicKey, expectedSignature: expected = request.signature } = options
  if (expected === undefined || !isSearchable(baseString)) return {}
  const method = request.protocol.find(([name]) => name === 'oauth_signature_method')?.[1]
  const rsaKey = secrets === undefined || method === 'RSA-SHA256' ? publicKey : undefined
  if (rsaKey === undefined && secrets === undefined) return {}
  const [first, ...others] = readSignature(expected)
  if (first === undefined) {
    const text = 'signature: what the other side has is not Base64, or much too long'
    return { signatureMatches: false, found: { mistake: 'no-signature', text } }
  }
  const search = { request, baseString, readings: [first, ...others] } as const
  const found = rsaKey === undefined ? secrets && searchHmac(search, secrets, otherKeys) : searchRsa(search, rsaKey)
  return {
    signatureMatches: found === 'same',
    ...(found === undefined || found === 'same' ? {} : { found }),
  }
}

/** Hides the name of the parameter at fault where it holds a hidden value. */
function withExplanation(
  found: FoundSignatureMistake | undefined,
  { conceal }: ShownBaseString,
): { readonly explanation?: SignatureMistake } {
  if (found === undefined) return {}
  const { theirs: _, ...mistake } = found
  const fix = signatureFixes[mistake.mistake] ?? ''
  const { parameter } = mistake
  if (parameter === undefined) return { explanation: { ...mistake, fix } }
  const text = mistake.text.replace(parameter, () => conceal(parameter))
  return { explanation: { ...mistake, parameter: conceal(parameter), text, fix } }
}

const maskSignature =
  (mask: ParameterMask = (_name, value) => value): ParameterMask =>
  (name, value) =>
    name === 'oauth_signature' ? '<signature>' : mask(name, value)

/** Writes a {@link SignatureExplanation} as text for a terminal or a log, one line a parameter. */
export function describeSignature(explained: SignatureExplanation): string {
  const { method, address, parameters, baseString, matches, difference, signatureMatches, explanation } = explained
  const width = parameters.reduce((width, { name }) => Math.max(width, name.length), 0)
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
    ...(signatureMatches === undefined ? [] : [`the signature ${signatureMatches ? 'matches' : 'does not match'}`]),
    ...(explanation === undefined
      ? []
      : [`${signatureMatches ? 'and yet' : 'made by one mistake'}: ${explanation.text}`, `to do: ${explanation.fix}`]),
    ...(signatureMatches === false && explanation === undefined
      ? ['no single known mistake makes the other signature: compare the keys, then the base strings byte by byte']
      : []),
  ].join('\n')
}

function describeDifference({ at, ours, theirs, column, text }: BaseStringDifference): string[] {
  const verdict = `the base strings differ first at byte ${at}: ${text}`
  if (ours === theirs) return [verdict]
  return [verdict, `  ours:   ${ours}`, `  theirs: ${theirs}`, `          ${' '.repeat(column)}^`]
}
