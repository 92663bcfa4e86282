import type { Attempt, AttemptEnd, AttemptIdentity, RawReply } from '@tillkit/protocol'

/** Codes of the errors this package raises. */
export type GatewayErrorCode =
  | 'ERR_INVALID_REQUEST'
  | 'ERR_ALREADY_SENT'
  | 'ERR_OPEN_CHANGE'
  | 'ERR_REQUEST_REFUSED'
  | 'ERR_AUTHENTICATION_REFUSED'
  | 'ERR_NOT_SENT'
  | 'ERR_OUTCOME_UNKNOWN'
  | 'ERR_GATEWAY_FAILURE'
  | 'ERR_UNREADABLE_REPLY'
  | 'ERR_TRANSPORT'

/** A request that creates or changes, as plain data. It has no card data, no key and no signature. */
export type RequestDescription = Omit<Attempt, 'reservation' | 'reservedAt' | 'baseline'>

/** A request that was sent. A program may keep this. `end` is absent while it has not ended. */
export interface SentDescription extends RequestDescription {
  readonly end?: AttemptEnd
}

/** Fields that may be absent, or be handed over as undefined. */
type Known<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | undefined }

/** What every error is made of. `moneyMayHaveMoved` is false where it is not said; of `reads` operations it always is. */
export type ErrorDetails = Pick<GatewayError, 'operation'> &
  Known<
    Pick<GatewayError, 'moneyMayHaveMoved' | 'login' | 'clientOrderId' | 'orderId' | 'received' | 'receivedText'>
  > & {
    readonly cause?: unknown
  }

/** Details of an answer over HTTP. */
export type AnswerDetails = ErrorDetails &
  Pick<AnsweredError, 'httpStatus'> &
  Known<Pick<AnsweredError, 'errorCode' | 'errorMessage' | 'serialNumber' | 'retryAfter'>>

/** Base of every error this package raises on purpose. Narrow with `code`. */
export abstract class GatewayError extends Error {
  abstract readonly code: GatewayErrorCode
  /**
   * Whether this very request may have moved money. One that only makes a card reference never has. It says nothing about an earlier
   * request, except where the code is `ERR_ALREADY_SENT` or `ERR_OPEN_CHANGE`.
   */
  declare readonly moneyMayHaveMoved: boolean
  /** Name of the operation, e.g. `capture`. */
  declare readonly operation: string
  /** Login of the merchant that the request was for; absent where the request was wrong before that was looked at. */
  declare readonly login?: string
  /** The merchant's order id, where the request has one. */
  declare readonly clientOrderId?: string
  /** The gateway's order id, where it is known. */
  declare readonly orderId?: string
  /** The reply as far as it was read, redacted. */
  declare readonly received?: RawReply
  /**
   * Where the answer could not be read as a reply: its beginning, redacted, at most 1000 characters. For people to look
   * at; nothing was concluded from it.
   */
  declare readonly receivedText?: string

  /** What is undefined stays absent, so that a printed error shows only what is known. */
  constructor(message: string, { cause, moneyMayHaveMoved = false, ...details }: ErrorDetails) {
    super(message, cause === undefined ? {} : { cause })
    const known = Object.entries({ moneyMayHaveMoved, ...details }).filter(([, value]) => value !== undefined)
    Object.assign(this, Object.fromEntries(known))
  }
}

/** The request is wrong in itself: nothing was sent. `field` names what to change. */
export class InvalidRequestError extends GatewayError {
  override readonly name = 'InvalidRequestError'
  override readonly code = 'ERR_INVALID_REQUEST'
  /** The field or option at fault. */
  declare readonly field: string

  constructor(message: string, details: ErrorDetails & Pick<InvalidRequestError, 'field'>) {
    super(message, details)
  }
}

/** What the gateway's error record said. */
abstract class AnsweredError extends GatewayError {
  declare readonly httpStatus: number
  /** Code of the failure, as sent. No list of codes is public. */
  declare readonly errorCode?: string
  /** Text of the failure, card data blanked out. */
  declare readonly errorMessage?: string
  /** Id the gateway gave to this request. */
  declare readonly serialNumber?: string
  /** How long the answer asks to wait before the next request, in whole seconds; absent where it does not say. */
  declare readonly retryAfter?: number

  constructor(message: string, details: AnswerDetails) {
    super(message, details)
  }
}

/** The gateway refused this request with an error record and did nothing. It closes no earlier, unknown attempt. */
export class RequestRefusedError extends AnsweredError {
  override readonly name = 'RequestRefusedError'
  override readonly code = 'ERR_REQUEST_REFUSED'
}

/** The gateway did not accept the signature, key or login: HTTP 401 or 403. */
export class AuthenticationRefusedError extends AnsweredError {
  override readonly name = 'AuthenticationRefusedError'
  override readonly code = 'ERR_AUTHENTICATION_REFUSED'
  /** Our clock minus the gateway's `Date` header, in whole seconds; absent without that header. */
  declare readonly clockDifference?: number

  constructor(message: string, details: AnswerDetails & Known<Pick<AuthenticationRefusedError, 'clockDifference'>>) {
    super(message, details)
  }
}

/** Nothing left this machine. The request may be sent again. */
export class NotSentError extends GatewayError {
  override readonly name = 'NotSentError'
  override readonly code = 'ERR_NOT_SENT'
}

/**
 * The request may have arrived and its outcome is not known. Do not send it again, under no other id either: ask status, or let
 * `client.awaitOutcome` ask. `cause` says why.
 */
export class OutcomeUnknownError extends GatewayError {
  override readonly name = 'OutcomeUnknownError'
  override readonly code = 'ERR_OUTCOME_UNKNOWN'
  /** The request and how it ended: plain data without card data, for a log or a question for `awaitOutcome`. */
  declare readonly attempt: SentDescription
  declare readonly cause: GatewayFailureError | UnreadableReplyError | TransportError
  /** Id the gateway gave to this request, where it was answered; `status` takes it as `byRequestSn`. */
  declare readonly serialNumber?: string
  /** How long the answer asks to wait before the next request, in whole seconds: ask status no sooner. */
  declare readonly retryAfter?: number

  constructor(
    message: string,
    details: ErrorDetails &
      Pick<OutcomeUnknownError, 'attempt'> &
      Known<Pick<OutcomeUnknownError, 'serialNumber' | 'retryAfter'>>,
  ) {
    super(message, details)
  }
}

/**
 * The gateway failed: HTTP 500, or the error record of that under another status. Or it, or a server in front of it, was too
 * busy: HTTP 429 and 503. Whether it acted is not known.
 */
export class GatewayFailureError extends AnsweredError {
  override readonly name = 'GatewayFailureError'
  override readonly code = 'ERR_GATEWAY_FAILURE'
}

/** The answer is not one that the interface has: another media type, cut off, too long, or without fields that it needs. */
export class UnreadableReplyError extends AnsweredError {
  override readonly name = 'UnreadableReplyError'
  override readonly code = 'ERR_UNREADABLE_REPLY'
}

/** The connection failed after the request had started. `phase` says how far it got. */
export class TransportError extends GatewayError {
  override readonly name = 'TransportError'
  override readonly code = 'ERR_TRANSPORT'
  /** `sending`: no answer had begun. `receiving`: the answer had begun. */
  declare readonly phase: 'sending' | 'receiving'

  constructor(message: string, details: ErrorDetails & Pick<TransportError, 'phase'>) {
    super(message, details)
  }
}

/** Every error of this package, for `switch (error.code)`. */
export type AnyGatewayError =
  | InvalidRequestError
  | AlreadySentError
  | OpenChangeError
  | RequestRefusedError
  | AuthenticationRefusedError
  | NotSentError
  | OutcomeUnknownError
  | GatewayFailureError
  | UnreadableReplyError
  | TransportError

/** Whether something is an error of this package, of whichever installed copy. */
export function isGatewayError(error: unknown): error is AnyGatewayError {
  return error instanceof Error && 'moneyMayHaveMoved' in error && 'code' in error
}

/**
 * An earlier request had the same identity, so nothing was sent now. The request may be right in itself.
 * Only `till.client` of `@tillkit/till` throws this: a till keeps what it sends.
 *
 * `moneyMayHaveMoved` is about the earlier request: false only where that provably did nothing.
 */
export class AlreadySentError extends GatewayError {
  override readonly name = 'AlreadySentError'
  override readonly code = 'ERR_ALREADY_SENT'
  /**
   * What both have in common: `clientOrderId` of what creates, `orderId` of what changes the whole order, `attemptId` of what
   * changes a part of it.
   */
  declare readonly field: AttemptIdentity['field']
  /** How the earlier request ended; absent where it has not ended, or it is not known. */
  declare readonly earlierEnding?: AttemptEnd['kind']
  /**
   * The earlier request, where it is known which; of a hosted form, `earlier.end.redirectUrl` is where the customer can go on.
   * Not enumerable.
   */
  declare readonly earlier?: SentDescription

  constructor(
    message: string,
    { earlier, ...details }: ErrorDetails & Pick<AlreadySentError, 'field'> & Known<Pick<AlreadySentError, 'earlier'>>,
  ) {
    super(message, { ...details, moneyMayHaveMoved: details.moneyMayHaveMoved ?? true })
    const earlierEnding = earlier?.end?.kind
    if (earlierEnding !== undefined) this.earlierEnding = earlierEnding
    if (earlier !== undefined) Object.defineProperty(this, 'earlier', { value: earlier })
  }
}

/**
 * The outcome of an earlier change of the same order is open, so nothing was sent now: a second one could not be told from
 * it. Only `till.client` of `@tillkit/till` throws this: a till keeps what it sends.
 *
 * `moneyMayHaveMoved` is about the earlier change and is always true.
 */
export class OpenChangeError extends GatewayError {
  override readonly name = 'OpenChangeError'
  override readonly code = 'ERR_OPEN_CHANGE'
  /** The earlier change. */
  declare readonly openAttempt: SentDescription

  constructor(message: string, details: ErrorDetails & Pick<OpenChangeError, 'openAttempt'>) {
    super(message, { ...details, moneyMayHaveMoved: true })
  }
}

/** How long the answer behind an error asks to wait before the next request, in milliseconds. Default: 0. */
export function waitAskedBy(error: unknown): number {
  return isGatewayError(error) && 'retryAfter' in error ? (error.retryAfter ?? 0) * 1000 : 0
}
