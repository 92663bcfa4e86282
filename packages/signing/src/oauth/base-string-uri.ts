/**
 * Base string URI, RFC 5849 section 3.4.1.2.
 *
 * @module
 */
import { InvalidInputError } from '../errors.js'

/**
 * Builds the address that a signature covers: scheme, host, port unless it is the default, and path.
 *
 * Scheme and host are in lower case; query, fragment and user name are left out (the query is covered as parameters).
 * The path is covered as it stands, a prefix such as `/paynet` included.
 *
 * @example
 * ```ts
 * baseStringUri(new URL('HTTPS://Gate.Example:443/paynet/api/v2/payout/39?a=1')) // 'https://gate.example/paynet/api/v2/payout/39'
 * ```
 *
 * @throws {@link InvalidInputError} when the scheme is neither `http` nor `https`.
 * @see RFC 5849 section 3.4.1.2; interface specification section 5.2, step 2
 */
export function baseStringUri(url: URL): string {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new InvalidInputError(
      'url',
      `Cannot sign a request to a "${url.protocol}" address: only http and https addresses have a base string URI.`,
    )
  }
  return `${url.protocol}//${url.host}${url.pathname}`
}
