/**
 * The request as it goes over the wire: headers, and the body encoded once from the form that was signed.
 *
 * @module
 */

import { formBody, InvalidInputError } from '@tillkit/signing'
import packageJson from '../../package.json' with { type: 'json' }
import { invalidRequest, type RequestSubject } from '../errors/invalid-request.js'
import { mediaType } from '../reply/parse-reply.js'
import type { WireRequest } from '../transport/transmit.js'
import { fieldNamed } from './form.js'
import type { Address } from './remembered-address.js'
import type { AuthenticatedRequest } from './sign-request.js'

/** What a wire request is made of. */
export interface WireRequestInput {
  readonly subject: RequestSubject
  readonly address: Address
  readonly authenticated: Pick<AuthenticatedRequest, 'form' | 'authorization'>
}

/**
 * Encodes a request.
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

const commonHeaders = Object.freeze({
  accept: mediaType,
  'content-type': 'application/x-www-form-urlencoded',
  'user-agent': `tillkit/${packageJson.version}`,
})

function encode(subject: RequestSubject, form: AuthenticatedRequest['form']): Uint8Array {
  try {
    return formBody(form.shape.fields, form.texts)
  } catch (cause) {
    if (!(cause instanceof InvalidInputError)) throw cause
    const field = fieldNamed(form, cause.field) ?? cause.field
    throw invalidRequest(subject, { field, problem: cause.message, cause })
  }
}
