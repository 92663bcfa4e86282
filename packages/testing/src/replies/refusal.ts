import type { WireProfile } from '@tillkit/protocol'
import type { ComparedLine } from '@tillkit/signing/explain'
import { type Reply, replyPairs } from './reply.js'

/**
 * Why a request was refused, with the HTTP status and an error code. The interface shows no codes: these are the fake's own
 * and mean nothing at a real gateway.
 */
export const refusalReasons = {
  path: { status: 404, code: '404' },
  'another-site': { status: 403, code: '403' },
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

export type RefusalReason = keyof typeof refusalReasons

/** A signature that does not match, line by line. */
export interface ComparedSignature {
  /** `ours` is what the gateway covers, `theirs` what the request was signed over, where that was found. */
  readonly lines: readonly ComparedLine[]
  /** The one mistake that makes the signature, in a sentence. Absent when none is found. */
  readonly mistake?: string
  /** What to do about it. */
  readonly fix?: string
}

/** A request that the gateway refuses. Thrown inside the fake and turned into an error record. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest'
  readonly reason: RefusalReason
  /** Of a signature that does not match, for the call log. */
  readonly compared: ComparedSignature | undefined

  constructor(reason: RefusalReason, message: string, compared?: ComparedSignature) {
    super(message)
    this.reason = reason
    this.compared = compared
  }
}

export function refuse(reason: RefusalReason, message: string, compared?: ComparedSignature): never {
  throw new RefusedRequest(reason, message, compared)
}

interface ErrorText {
  readonly reason: RefusalReason
  readonly message: string
  /** Default: the fake's own for the reason. */
  readonly code?: string | undefined
  /** Ids of the request, where it is known which order it is about. */
  readonly ids?: { readonly clientOrderId?: string | undefined; readonly orderId?: string | undefined }
}

/** Builds an error record. It carries no new id, because no order was made. */
export function errorReply(
  { reason, message, code, ids = {} }: ErrorText,
  {
    serialNumber,
    gateway,
  }: { readonly serialNumber: string; readonly gateway: { readonly settings: { readonly profile: WireProfile } } },
): Reply {
  const { status, code: ownCode } = refusalReasons[reason]
  const { profile } = gateway.settings
  const type = profile.replyTypes.value[status === 400 ? 'ValidationErrorResponse' : 'ServerErrorResponse']
  const { clientOrderId, orderId } = ids
  const record = { type, serialNumber, clientOrderId, orderId, errorCode: code ?? ownCode, errorMessage: message }
  return { status, pairs: replyPairs(record, profile) }
}
