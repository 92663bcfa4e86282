/**
 * The `Authorization` header of a signed request, RFC 5849 section 3.5.1.
 *
 * @module
 */
import { InvalidInputError } from './errors.js'
import { oauthParameterOutsideHeader } from './oauth-parameters.js'
import { percentEncode } from './percent-encoding.js'
import type { Parameter } from './request-parameters.js'
import { signatureBaseString } from './signature-base-string.js'
import type { Signer } from './signers.js'

/** What an `Authorization` header is made from. */
export interface AuthorizationHeaderOptions {
  /** Default: `POST`, the only method of the gateway. */
  readonly method?: string
  readonly url: URL
  /** Parameters of the form body, decoded: exactly the ones that are sent. */
  readonly parameters: readonly Parameter[]
  /** Merchant login. */
  readonly consumerKey: string
  readonly signer: Signer
  /** Whole seconds since the epoch. */
  readonly timestamp: number
  /** Unique random text, new for every request. */
  readonly nonce: string
  /** Sent first, never covered by the signature. Default: not sent. */
  readonly realm?: string
  /** Value of `oauth_token`. The gateway has none. */
  readonly token?: string
}

/**
 * Signs a request and builds the value of its `Authorization` header.
 *
 * @throws {@link InvalidInputError} when a parameter is named `oauth_*` (the gateway takes them in the header only), or
 * the timestamp, nonce or consumer key cannot be right; `field` names it.
 * @see RFC 5849 section 3.5.1; interface specification section 5.2, steps 1 to 5, and section 5.3
 */
export async function authorizationHeader(options: AuthorizationHeaderOptions): Promise<string> {
  const { method = 'POST', url, parameters, signer, realm } = options
  checkOptions(options)
  const protocol = protocolParameters(options)
  const baseString = signatureBaseString({ method, url, parameters: [...parameters, ...protocol] })
  const signature = Buffer.from(await signer.sign(Buffer.from(baseString, 'utf8'))).toString('base64')
  const pairs: Parameter[] = [
    ...(realm === undefined ? [] : [['realm', realm] as const]),
    ...protocol,
    ['oauth_signature', signature],
  ]
  return `OAuth ${pairs.map(([name, value]) => `${percentEncode(name)}="${percentEncode(value)}"`).join(', ')}`
}

function checkOptions({ url, parameters, consumerKey, timestamp, nonce }: AuthorizationHeaderOptions): void {
  const misplaced = oauthParameterOutsideHeader(url, parameters)
  if (misplaced !== undefined) {
    throw new InvalidInputError(
      misplaced,
      `Parameter "${misplaced}" must not be in the form or the query: all oauth_* parameters go in the Authorization ` +
        'header, and this function puts them there.',
    )
  }
  if (!Number.isSafeInteger(timestamp) || timestamp <= 0 || timestamp > 99_999_999_999) {
    throw new InvalidInputError(
      'timestamp',
      `"timestamp" is ${String(timestamp)}; it must be whole seconds since the epoch. From milliseconds write ` +
        'Math.floor(milliseconds / 1000).',
    )
  }
  if (nonce === '') throw new InvalidInputError('nonce', '"nonce" is empty; pass text that is new for every request.')
  if (consumerKey === '') throw new InvalidInputError('consumerKey', '"consumerKey" is empty; pass the merchant login.')
}

const protocolParameters = ({
  consumerKey,
  nonce,
  signer,
  timestamp,
  token,
}: AuthorizationHeaderOptions): Parameter[] => [
  ['oauth_consumer_key', consumerKey],
  ['oauth_nonce', nonce],
  ['oauth_signature_method', signer.method],
  ['oauth_timestamp', String(timestamp)],
  ...(token === undefined ? [] : [['oauth_token', token] as const]),
  ['oauth_version', '1.0'],
]
