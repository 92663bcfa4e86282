/**
 * A reusable signer of requests: everything that is the same for each of them is worked out once.
 *
 * @module
 */
import { addAscii, addEncoded, startText, takeBytes, takeCopy, takeText } from './encoded-text.js'
import { InvalidInputError } from './errors.js'
import { type Freshness, oauthWriters } from './oauth-writers.js'
import type { ParametersInput } from './parameter-values.js'
import { checkFreshness, checkSignerOptions } from './request-signer-checks.js'
import { addBaseString } from './signature-base-string.js'
import { base64SignerOf, type Signer, type SynchronousSigner } from './signers.js'

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
  const [addToBaseString, addToHeader] = oauthWriters(options)
  const base64Of = base64SignerOf(signer)

  /** Returns what belongs into the header too: the request may change while a signature is awaited. */
  const addSigned = (request: RequestToSign): Freshness => {
    const { method = 'POST', url, parameters, nonce, timestamp } = request
    const freshness = { nonce, timestamp }
    checkFreshness(freshness)
    addBaseString({ method, url, parameters }, () => addToBaseString(freshness))
    return freshness
  }

  const headerWith = (signature: string, freshness: Freshness): string => {
    startText()
    addToHeader(freshness)
    addEncoded(signature)
    addAscii('"')
    return takeText()
  }

  return {
    async header(request) {
      const freshness = addSigned(request)
      return headerWith(base64Of ? takeBytes(base64Of) : toBase64(await signer.sign(takeCopy())), freshness)
    },
    headerSync(request) {
      const freshness = addSigned(request)
      return headerWith(base64Of ? takeBytes(base64Of) : toBase64(atOnce(signer.sign(takeCopy()))), freshness)
    },
  }
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
