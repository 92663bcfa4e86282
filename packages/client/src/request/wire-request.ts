import { InvalidInputError, percentEncode } from '@tillkit/signing'
import packageJson from '../../package.json' with { type: 'json' }
import { invalidRequest } from '../errors/invalid-request.js'
import type { RequestSubject } from '../errors/messages.js'
import type { WireRequest } from '../transport/types.js'
import { hasHalfPair } from './form.js'
import type { Address, AuthenticatedRequest, Form } from './types.js'

/** What a wire request is made of. */
export interface WireRequestInput {
  readonly subject: RequestSubject
  readonly address: Address
  readonly authenticated: Pick<AuthenticatedRequest, 'form' | 'authorization'>
}

/**
 * Encodes a request as it goes over the wire: headers, and the body from the form that was signed.
 *
 * @throws {@link InvalidRequestError} when a value holds half of a surrogate pair, which has no UTF-8 form.
 * @see Interface specification, section 4
 */
export function wireRequest({ subject, address, authenticated }: WireRequestInput): WireRequest {
  const { form, authorization } = authenticated
  return {
    origin: address.origin,
    path: address.path,
    headers: authorization === undefined ? commonHeaders : { ...commonHeaders, authorization },
    body: encode(subject, form),
  }
}

/** The media type of every reply, and of `Accept`. @see Interface specification, section 4 */
export const mediaType = 'application/vnd.pay+json'

const commonHeaders = Object.freeze({
  accept: mediaType,
  'content-type': 'application/x-www-form-urlencoded',
  'user-agent': `tillkit/${packageJson.version}`,
})

function encode(subject: RequestSubject, form: Form): Uint8Array {
  try {
    const fields = form.map(({ name, value }) => `${percentEncode(name)}=${percentEncode(value)}`)
    // All of it is ASCII.
    return Buffer.from(fields.join('&'), 'latin1')
  } catch (cause) {
    if (!(cause instanceof InvalidInputError)) throw cause
    const at = form.find(({ name, value }) => hasHalfPair(name) || hasHalfPair(value))
    const field = at?.field ?? at?.name ?? 'request'
    throw invalidRequest(subject, { field, problem: cause.message, cause })
  }
}
