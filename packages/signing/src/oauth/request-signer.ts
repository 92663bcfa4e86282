/**
 * A reusable signer of requests: what is the same for each of them is named and checked once.
 *
 * @module
 */
import { takeCopy } from '../encoding/encoded-text.js'
import {
  encodePart,
  type Parameter,
  type ParametersInput,
  pairsOf,
  parameterText,
} from '../encoding/parameter-values.js'
import { percentEncode } from '../encoding/percent-encoding.js'
import { InvalidInputError } from '../errors.js'
import { quoted } from '../shown.js'
import { misplacedOauth } from './request-parameters.js'
import { checkFreshness, checkSignerOptions } from './request-signer-checks.js'
import { addBaseString } from './signature-base-string.js'
import type { Signer, SynchronousSigner } from './signers.js'

/** What stays the same from one request to the next. */
export interface RequestSignerOptions {
  /** Merchant login. */
  readonly consumerKey: string
  readonly signer: Signer
  /** Sent first, never covered by the signature. Default: not sent. */
  readonly realm?: string
  /** Value of `oauth_token`. The gateway has none. */
  readonly token?: string
}

/** A request that gets an `Authorization` header. */
export interface RequestToSign {
  /** Default: `POST`, the only method of the gateway. */
  readonly method?: string
  readonly url: URL
  /** Parameters of the form body, decoded: exactly the ones that are sent. */
  readonly parameters: ParametersInput
  /** Whole seconds since the epoch. */
  readonly timestamp: number
  /** Unique random text, new for every request. `randomUUID()` is the cheapest good one. */
  readonly nonce: string
  /**
   * Further parameters of the header, decoded: `oauth_callback`, `oauth_verifier`, `oauth_body_hash`, ones of your own. They
   * are covered and sent. `oauth_version: undefined` leaves out the version, which the gateway requires. Default: none.
   */
  readonly protocolParameters?: Readonly<Record<string, string | undefined>>
}

/** Makes `Authorization` headers for one merchant login and one key. */
export interface RequestSigner {
  /**
   * Signs a request and builds the value of its `Authorization` header.
   *
   * @throws {@link InvalidInputError} as a rejection, as `authorizationHeader` does. An error of the signer is passed on.
   */
  header(request: RequestToSign): Promise<string>
}

/** A {@link RequestSigner} whose key is at hand, so that no promise is needed. */
export interface SynchronousRequestSigner extends RequestSigner {
  /**
   * Does what `header` does, at once.
   *
   * @throws {@link InvalidInputError} as `header` does, and when the signer answers with a promise after all.
   */
  headerSync(request: RequestToSign): string
}

/**
 * Makes a reusable signer of requests. Keep it as long as the key: login and signer are named and checked once. It gives the
 * same bytes as `authorizationHeader`.
 *
 * @example
 * ```ts
 * const requestSigner = createRequestSigner({ consumerKey: 'merchant', signer: hmacSha1Signer({ consumerSecret }) })
 * const authorization = requestSigner.headerSync({ url, parameters, timestamp, nonce: randomUUID() })
 * ```
 *
 * @throws {@link InvalidInputError} when the consumer key is empty, or a text holds half of a surrogate pair.
 * @see RFC 5849 section 3.5.1; interface specification section 5.2, steps 1 to 5, and section 5.3
 */
export function createRequestSigner(
  options: RequestSignerOptions & { readonly signer: SynchronousSigner },
): SynchronousRequestSigner
/** The same for a signer whose signature may come as a promise: a KMS, or RSA on the thread pool. */
export function createRequestSigner(options: RequestSignerOptions): RequestSigner
export function createRequestSigner(options: RequestSignerOptions): SynchronousRequestSigner {
  checkSignerOptions(options)
  const { consumerKey, signer, realm, token } = options
  encodePart('oauth_consumer_key', consumerKey, percentEncode)
  encodePart('oauth_token', token ?? '', percentEncode)
  const start = `OAuth ${realm === undefined ? '' : `${written(['realm', realm])}, `}`

  /** Returns what belongs into the header too: the request may change while a signature is awaited. */
  const addSigned = (request: RequestToSign): readonly Parameter[] => {
    const { method = 'POST', url, parameters, nonce, timestamp, protocolParameters = {} } = request
    checkFreshness(request)
    const form = pairsOf(parameters)
    const misplaced = misplacedOauth(url, form)
    if (misplaced !== undefined) {
      throw new InvalidInputError(
        misplaced,
        `Parameter ${quoted(misplaced)} must not be in the form or the query: oauth_* parameters go in the header.`,
      )
    }
    const given: Readonly<Record<string, unknown>> = {
      oauth_consumer_key: consumerKey,
      oauth_nonce: nonce,
      oauth_signature_method: signer.method,
      oauth_timestamp: timestamp,
      oauth_token: token,
      oauth_version: '1.0',
      ...checkedProtocol(protocolParameters),
    }
    const protocol = Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): Parameter => [name, parameterText(name, value)])
    addBaseString({ method, url, parameters: [...form, ...protocol] })
    return protocol
  }

  const headerWith = (signature: Uint8Array, protocol: readonly Parameter[]): string =>
    start + [...protocol, ['oauth_signature', toBase64(signature)] as const].map(written).join(', ')

  return {
    async header(request) {
      const protocol = addSigned(request)
      return headerWith(await signer.sign(takeCopy()), protocol)
    },
    headerSync(request) {
      const protocol = addSigned(request)
      return headerWith(atOnce(signer.sign(takeCopy())), protocol)
    },
  }
}

/** A parameter as a header has it, RFC 5849 section 3.5.1. */
const written = ([name, value]: Parameter): string =>
  `${percentEncode(name)}="${encodePart(name, value, percentEncode)}"`

function checkedProtocol(parameters: NonNullable<RequestToSign['protocolParameters']>) {
  const own = Object.keys(parameters).find(name =>
    /^(realm|oauth_(consumer_key|nonce|signature|signature_method|timestamp|token))$/.test(name),
  )
  if (own === undefined) return parameters
  throw new InvalidInputError(own, `"${own}" is no further parameter: it has an option of its own, or is made here.`)
}

function toBase64(signature: Uint8Array): string {
  if (signature instanceof Uint8Array && signature.length > 0) {
    return Buffer.from(signature).toString('base64')
  }
  throw new InvalidInputError(
    'signer',
    '"sign" of this signer must give the raw signature as a Uint8Array: not Base64, not hexadecimal.',
  )
}

function atOnce(signature: Uint8Array | Promise<Uint8Array>): Uint8Array {
  const isPromised = typeof (signature as Promise<Uint8Array> | undefined)?.then === 'function'
  if (!isPromised) return signature as Uint8Array
  // What the promise ends with is nobody's business any more; unhandled, a rejection would end the process.
  Promise.resolve(signature).catch(() => undefined)
  throw new InvalidInputError(
    'signer',
    'This signer answers with a promise: await header(…) in place of headerSync(…).',
  )
}
