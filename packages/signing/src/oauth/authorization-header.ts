/**
 * The `Authorization` header of a signed request, RFC 5849 section 3.5.1.
 *
 * @module
 */
import { createRequestSigner, type RequestSignerOptions, type RequestToSign } from './request-signer.js'

/** What an `Authorization` header is made from: a request, and who signs it. */
export interface AuthorizationHeaderOptions extends RequestToSign, RequestSignerOptions {}

/**
 * Signs a request and builds the value of its `Authorization` header. To sign many, keep a {@link createRequestSigner}.
 *
 * @throws {@link InvalidInputError} when a parameter is named `oauth_*` (the gateway takes them in the header only), or
 * the timestamp, nonce or consumer key cannot be right; `field` names it.
 * @see RFC 5849 section 3.5.1; interface specification section 5.2, steps 1 to 5, and section 5.3
 */
export async function authorizationHeader(options: AuthorizationHeaderOptions): Promise<string> {
  return createRequestSigner(options).header(options)
}
