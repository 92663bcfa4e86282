/**
 * The rule that `oauth_*` parameters travel in the `Authorization` header only, section 5.2 step 1.
 *
 * @module
 */
import type { Parameter } from './parameter-values.js'
import { decodeForm } from './request-parameters.js'

/** Finds an `oauth_*` parameter in the form or in the URL's query. Such a name is refused when signing and verifying. */
export function oauthParameterOutsideHeader(url: URL, parameters: readonly Parameter[]): string | undefined {
  return [...decodeForm(url.search.slice(1)), ...parameters].find(([name]) => name.startsWith('oauth_'))?.[0]
}
