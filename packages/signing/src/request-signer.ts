/**
 * A reusable signer of requests: everything that is the same for each of them is worked out once.
 *
 * @module
 */
import { InvalidInputError } from './errors.js'
import { baseStringNotation, writeParameters } from './name-plan.js'
import { encodePart, type ParametersInput } from './parameter-values.js'
import { percentEncode, percentEncodeTwice } from './percent-encoding.js'
import { rememberedPlan } from './plan-memory.js'
import { gatherParameters } from './request-parameters.js'
import { checkFreshness, checkSignerOptions, misplacedParameter } from './request-signer-checks.js'
import { baseStringStart } from './signature-base-string.js'
import { type Signer, type SynchronousSigner, textSignerOf } from './signers.js'

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
 * Makes a reusable signer of requests. Keep it as long as the key: signing with it is cheaper than `authorizationHeader`
 * each time, and gives the same bytes.
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
  const { signer } = options
  const inBaseString = baseStringTemplate(options)
  const inHeader = headerTemplate(options)

  const signText = textSignerOf(signer)

  const baseStringOf = (request: RequestToSign): string => {
    const { method = 'POST', url, timestamp, nonce } = request
    const parameters = gatherParameters(url, request.parameters)
    const plan = rememberedPlan(parameters)
    if (plan.oauthName !== undefined) throw misplacedParameter(plan.oauthName)
    checkFreshness(request)
    const oauth = inBaseString(encodePart('oauth_nonce', nonce, percentEncodeTwice), timestamp)
    const start = baseStringStart(method, url)
    return writeParameters({ parameters, plan, notation: baseStringNotation, oauth, start })
  }

  return {
    async header(request) {
      const baseString = baseStringOf(request)
      return inHeader(request, signText?.(baseString) ?? toBase64(await signer.sign(bytesOf(baseString))))
    },
    headerSync(request) {
      const baseString = baseStringOf(request)
      return inHeader(request, signText?.(baseString) ?? toBase64(atOnce(signer.sign(bytesOf(baseString)))))
    },
  }
}

/** Base strings are ASCII, so these are their UTF-8 bytes. */
const bytesOf = (baseString: string): Buffer => Buffer.from(baseString, 'latin1')

function toBase64(signature: Uint8Array): string {
  if (signature instanceof Uint8Array && signature.length > 0) {
    return (Buffer.isBuffer(signature) ? signature : Buffer.from(signature)).toString('base64')
  }
  throw new InvalidInputError(
    'signer',
    '"sign" of this signer must give the raw signature as a Uint8Array: not Base64, not hexadecimal.',
  )
}

/** No other parameter's name comes between two that start with `oauth_`, so these stand together in any base string. */
function baseStringTemplate({ consumerKey, signer, token }: RequestSignerOptions) {
  const encode = (name: string, text: string): string => `${name}%3D${encodePart(name, text, percentEncodeTwice)}%26`
  const beforeNonce = `${encode('oauth_consumer_key', consumerKey)}oauth_nonce%3D`
  const beforeTimestamp = `%26${encode('oauth_signature_method', signer.method)}oauth_timestamp%3D`
  const afterTimestamp = `%26${token === undefined ? '' : encode('oauth_token', token)}oauth_version%3D1.0`
  return (encodedNonce: string, timestamp: number): string =>
    beforeNonce + encodedNonce + beforeTimestamp + timestamp + afterTimestamp
}

function headerTemplate({ consumerKey, signer, realm, token }: RequestSignerOptions) {
  const quote = (name: string, text: string): string => `${name}="${encodePart(name, text, percentEncode)}", `
  const beforeNonce = `OAuth ${realm === undefined ? '' : quote('realm', realm)}${quote('oauth_consumer_key', consumerKey)}oauth_nonce="`
  const beforeTimestamp = `", ${quote('oauth_signature_method', signer.method)}oauth_timestamp="`
  const beforeSignature = `", ${token === undefined ? '' : quote('oauth_token', token)}oauth_version="1.0", oauth_signature="`
  return ({ nonce, timestamp }: RequestToSign, signature: string): string =>
    `${beforeNonce}${percentEncode(nonce)}${beforeTimestamp}${timestamp}${beforeSignature}${percentEncode(signature)}"`
}

function atOnce(signature: Uint8Array | Promise<Uint8Array>): Uint8Array {
  const isPromised = typeof (signature as Promise<Uint8Array> | undefined)?.then === 'function'
  if (!isPromised) return signature as Uint8Array
  // What the promise ends with is nobody's business any more; unhandled, a rejection would end the process.
  Promise.resolve(signature).catch(() => undefined)
  throw new InvalidInputError(
    'signer',
    'This signer answers with a promise. Await header(…) instead of calling headerSync(…).',
  )
}
