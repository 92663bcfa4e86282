/**
 * Signature base string, RFC 5849 section 3.4.1.
 *
 * @module
 */

import { addAscii, addEncoded, startText, takeText } from '../encoding/encoded-text.js'
import type { ParametersInput } from '../encoding/parameter-values.js'
import { percentEncode } from '../encoding/percent-encoding.js'
import { InvalidInputError } from '../errors.js'
import { baseStringUri } from './base-string-uri.js'
import { addParameters, orderParameters } from './name-plan.js'
import { rememberedPlan } from './plan-memory.js'
import { gatherParameters } from './request-parameters.js'

/** The parts of a request that its signature covers. */
export interface SignableRequest {
  readonly method: string
  /** Absolute URL. Its query parameters are covered; its fragment is not. */
  readonly url: URL
  /** Form-body and `oauth_*` parameters, decoded. An `oauth_signature` among them is not covered. */
  readonly parameters: ParametersInput
}

/**
 * Builds the text that is signed: method, base string URI and normalized parameters, each
 * percent-encoded, joined with `&`.
 *
 * Values are encoded once by normalization and once more here, so a space inside a value appears as
 * `%2520`. Compare this string byte for byte with the peer's before suspecting the key.
 *
 * @example
 * ```ts
 * signatureBaseString({ method: 'POST', url: new URL('https://gate.example/api/v2/payout/39'), parameters })
 * // POST&https%3A%2F%2Fgate.example%2Fapi%2Fv2%2Fpayout%2F39&amount%3D100…
 * ```
 *
 * @throws {@link InvalidInputError} when the address is not http(s), its query is malformed, or a parameter has no
 * obvious spelling (`null`, a fraction, a list, half of a surrogate pair); `field` names it.
 * @returns ASCII text. Signers take its UTF-8 bytes.
 * @see RFC 5849 section 3.4.1.1; interface specification section 5.2, step 2
 */
export function signatureBaseString(request: SignableRequest): string {
  addBaseString(request)
  return takeText()
}

/**
 * Starts a text and adds a base string to it.
 *
 * @throws {@link InvalidInputError} as {@link signatureBaseString} does.
 */
export function addBaseString({ method, url, parameters }: SignableRequest): void {
  const gathered = gatherParameters(url, parameters)
  const ordered = orderParameters(gathered, rememberedPlan(gathered))
  const name = method === 'POST' ? method : checkedMethod(method).toUpperCase()
  const address = percentEncode(baseStringUri(url))
  startText()
  addEncoded(name)
  addAscii(`&${address}&`)
  addParameters(ordered)
}

function checkedMethod(method: string): string {
  if (typeof method === 'string' && method !== '') return method
  throw new InvalidInputError('method', '"method" is missing. Write "POST".')
}
