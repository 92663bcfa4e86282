/**
 * Refusals: what the gateway says to a request it does not carry out.
 *
 * The interface shows no error codes; those here are the fake's own and mean nothing at a real gateway.
 *
 * @module
 */

/** Why a request was refused, with the HTTP status and the fake's own error code. */
export const refusalReasons = {
  path: { status: 404, code: '404' },
  method: { status: 405, code: '405' },
  accept: { status: 406, code: '406' },
  'media-type': { status: 415, code: '415' },
  size: { status: 413, code: '413' },
  form: { status: 400, code: '10' },
  'repeated-parameter': { status: 400, code: '11' },
  'oauth-in-body': { status: 400, code: '12' },
  endpoint: { status: 400, code: '13' },
  authentication: { status: 401, code: '401' },
  login: { status: 401, code: '402' },
  'missing-field': { status: 400, code: '14' },
  'invalid-field': { status: 400, code: '15' },
  'repeated-order': { status: 400, code: '20' },
  'unknown-order': { status: 400, code: '1' },
  'unknown-reference': { status: 400, code: '21' },
  'not-allowed': { status: 400, code: '22' },
  failure: { status: 500, code: '500' },
} as const satisfies Record<string, { readonly status: number; readonly code: string }>

/** Why a request was refused. */
export type RefusalReason = keyof typeof refusalReasons

/** A request the gateway does not carry out. Thrown inside the fake and turned into an error record. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest'
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Refuses the request under way.
 *
 * @throws {@link RefusedRequest} always.
 */
export function refuse(reason: RefusalReason, message: string): never {
  throw new RefusedRequest(reason, message)
}
