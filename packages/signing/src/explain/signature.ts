import { KeyObject } from 'node:crypto'
import {
  decodeForm,
  encodeForm,
  type HmacSecrets,
  InvalidInputError,
  type PublicKey,
  parseAuthorizationHeader,
  percentEncode,
  type SignableRequest,
  signatureBaseString,
} from '../index.js'
import { findBaseStringMistake, longestTried } from './base-string-mistakes.js'
import type { ComparedLine, Mistake } from './lines.js'
import { type BaseStringParameter, type ParameterMask, showBaseString, splitBaseString } from './shown.js'
import { type FoundSignatureMistake, findSignatureMistake } from './signature-mistakes.js'

/** What to explain. */
export interface ExplainSignatureOptions extends SignableRequest {
  /** Value of the `Authorization` header. */
  readonly authorization: string
  /** The base string the other side computed. Default: only ours is shown. */
  readonly expectedBaseString?: string
  /**
   * The signature the other side sent or computed, in Base64. Default: the one in `authorization`. It is judged when
   * `secrets` or `publicKey` is given.
   */
  readonly expectedSignature?: string
  /** What HMAC-SHA1 signatures are made with. They appear nowhere in the result. */
  readonly secrets?: HmacSecrets
  /** The key that RSA-SHA256 signatures are verified with; see `importPublicKey`. */
  readonly publicKey?: PublicKey
  /**
   * Shows a value or something in its place. Default: every value as it is. Pass one whenever the form may hold
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
  /** The base string line by line: method, address, each parameter, as they stand in it. */
  readonly lines: readonly ComparedLine[]
  /** Whether `expectedBaseString` is the same. Absent without it. */
  readonly matches?: boolean
  /** Whether the signature of the other side is right. Absent without `secrets` and `publicKey`. */
  readonly signatureMatches?: boolean
  /**
   * The one mistake that makes the base string or the signature of the other side; where both are right, values that the header
   * does not encode. Absent when none is found.
   */
  readonly explanation?: Mistake
}

/**
 * Lays out what a signature covers and, given the other side's base string or signature, says which common mistake makes it. A
 * base string of more than 16384 characters, on either side, is laid out and not compared.
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
  checkOptions(options)
  const { url, authorization, expectedBaseString, mask = (_name, value) => value } = options
  const header = parseAuthorizationHeader(authorization)
  if (header === undefined) {
    const message = 'This is not an OAuth header. It must be of the form: OAuth name="value", …'
    throw new InvalidInputError('authorization', message)
  }
  const signatures = header.parameters.filter(([name]) => name === 'oauth_signature').map(([, value]) => value)
  const request = {
    method: options.method.toUpperCase(),
    url,
    query: decodeForm(url.search.slice(1)),
    body: decodeForm(encodeForm(options.parameters)),
    protocol: header.parameters.filter(([name]) => name !== 'oauth_signature'),
    signature: signatures[0] ?? '',
    realm: header.realm ?? '',
  }
  const { method, body, protocol } = request
  const ours = signatureBaseString({ method, url, parameters: [...body, ...protocol] })
  const parts = splitBaseString(ours) ?? { method, encodedAddress: '', parameters: [] }
  const { expectedSignature, secrets } = options
  const uncovered = body.filter(([name]) => name === 'oauth_signature').map(([, value]) => value)
  const all = [...signatures, ...uncovered, expectedSignature, secrets?.consumerSecret, secrets?.tokenSecret]
  const isShort = (value: unknown) => typeof value === 'string' && value.length <= longestTried
  const secret = all.filter((value): value is string => isShort(value))
  const shown = showBaseString(
    parts,
    (name, value) => (name === 'oauth_signature' ? '<signature>' : mask(name, value)),
    secret,
  )
  const method256 = protocol.some(([name, value]) => name === 'oauth_signature_method' && value === 'RSA-SHA256')
  const publicKey = secrets === undefined || method256 ? options.publicKey : undefined
  const expected = expectedSignature === undefined ? signatures[0] : expectedSignature
  const isJudged = expected !== undefined && (secrets !== undefined || publicKey !== undefined)
  const judged = isJudged
    ? findSignatureMistake({ request, baseString: ours, expected, secrets, publicKey })
    : undefined
  const isOther = expectedBaseString !== undefined && expectedBaseString !== ours
  const found: FoundSignatureMistake | undefined =
    (isOther && findBaseStringMistake(request, candidate => candidate === expectedBaseString)) ||
    (judged === 'same' || judged === undefined ? undefined : judged) ||
    (isOther || (isJudged && judged !== 'same') ? undefined : unencodedInHeader(authorization))
  const theirs = expectedBaseString ?? found?.theirs ?? (judged === 'same' ? ours : undefined)
  const isCompared = ours.length <= longestTried && typeof theirs === 'string' && theirs.length <= longestTried
  const lines = isCompared ? shown.compare(theirs, [ours, found?.theirs].includes(theirs)) : undefined
  return {
    method: shown.parts.method,
    address: decodeURIComponent(shown.parts.encodedAddress),
    parameters: shown.parts.parameters,
    baseString: [
      shown.parts.method,
      shown.parts.encodedAddress,
      shown.parts.parameters.map(({ encoded }) => encoded).join('%26'),
    ].join('&'),
    lines: lines ?? shown.lines,
    ...(expectedBaseString === undefined ? {} : { matches: !isOther }),
    ...(isJudged ? { signatureMatches: judged === 'same' } : {}),
    ...(found === undefined ? {} : { explanation: concealed(found, shown.conceal) }),
  }
}

/** Hides the name of the parameter at fault where it holds a hidden value. */
function concealed({ theirs: _theirs, ...found }: FoundSignatureMistake, conceal: (text: string) => string): Mistake {
  const { item, text } = found
  return item === undefined ? found : { ...found, item: conceal(item), text: text.replace(item, () => conceal(item)) }
}

/** Checks what parsing and encoding do not check. What the other side has is never refused: that is data. */
function checkOptions({ method, url, mask, secrets, publicKey }: ExplainSignatureOptions): void {
  const problems = {
    method: typeof method !== 'string' || method === '' ? 'the method of the request, such as POST' : undefined,
    url: typeof url?.href === 'string' ? undefined : 'a URL: write new URL(address)',
    mask: mask === undefined || typeof mask === 'function' ? undefined : 'a function of name and value',
    'secrets.consumerSecret':
      secrets !== undefined && (typeof secrets?.consumerSecret !== 'string' || secrets.consumerSecret === '')
        ? 'text that is not empty. Check the setting it is read from'
        : undefined,
    publicKey:
      publicKey === undefined || publicKey?.key instanceof KeyObject
        ? undefined
        : 'a key that was imported: write importPublicKey(pem)',
  }
  for (const [field, what] of Object.entries(problems)) {
    if (what !== undefined) throw new InvalidInputError(field, `"${field}" must be ${what}.`)
  }
}

/**
 * Finds values that a header has as they are. This package reads them all the same; a server that reads them as a form takes
 * "+" for a space. @see RFC 5849 section 3.5.1; interface specification section 5.2, steps 4 and 5
 */
function unencodedInHeader(authorization: string): FoundSignatureMistake | undefined {
  const names = [...authorization.matchAll(/(?<=[\s,])(oauth_[a-z_]{1,30})="([^"]*)"/g)]
    .filter(
      ([, , value = '']) =>
        percentEncode(decodeURIComponent(value)) !== value.replace(/%../g, code => code.toUpperCase()),
    )
    .map(([, name]) => name)
  if (names.length === 0) return undefined
  return {
    mistake: 'header-encoding',
    text: `${names.join(', ')}: the value stands in the header as it is; it must be percent-encoded, or a server may read another one`,
    fix: 'Percent-encode every value of the header, the login and the signature too. createRequestSigner does.',
  }
}
