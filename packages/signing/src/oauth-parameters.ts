/**
 * The rule that `oauth_*` parameters travel in the `Authorization` header only, section 5.2 step 1.
 *
 * @module
 */
import { type GivenParameter, nameOf } from './parameter-values.js'
import { gatherParameters } from './request-parameters.js'

/** Finds an `oauth_*` parameter in the form or in the URL's query. Such a name is refused when signing and verifying. */
export function oauthParameterOutsideHeader(url: URL, parameters: readonly GivenParameter[]): string | undefined {
  return gatherParameters(url, parameters)
    .map(nameOf)
    .find(name => name.startsWith('oauth_'))
}
