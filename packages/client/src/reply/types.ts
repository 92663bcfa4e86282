import type { Attempt, AttemptEnd, RawReply, Reply, Scrubber } from '@tillkit/protocol'
import type { Settings } from '../config/settings.js'
import type { AnyGatewayError, GatewayFailureError, TransportError, UnreadableReplyError } from '../errors/errors.js'
import type { RequestSubject } from '../errors/messages.js'
import type { Form } from '../request/types.js'
import type { Transmission } from '../transport/types.js'

/** A request, and what came of sending it. */
export interface ConcludeInput {
  readonly subject: RequestSubject
  readonly transmission: Transmission
  /** The request's fields: what of them is in the answer again is an echo. */
  readonly values: Form
  /** Undefined for an operation that reads. */
  readonly attempt: (() => Attempt) | undefined
  /** When the transmission was over, in milliseconds since the epoch. */
  readonly at: number
  readonly scrubber: Scrubber
  readonly settings: Pick<Settings, 'profile' | 'baseUrl' | 'clock'>
}

/** The ids of a reply that the gateway gave. */
export const replyIds = ['orderId', 'serialNumber', 'cardRefId', 'uniqueCardRefId', 'recurringPaymentId'] as const

/** A field of replies that holds an id which the gateway gave. */
export type ReplyId = (typeof replyIds)[number]

/** A field that may be left out of what is shown of a record. */
export type LeftOut = ReplyId | 'redirectUrl'

/** What a record says, without secrets that it may echo. Each is worked out when it is asked for. */
export interface RedactedRecord {
  /** The record, redacted. */
  received(): RawReply
  /** The gateway's order id. */
  orderId(): string | undefined
  serialNumber(): string | undefined
  /** Address of the hosted form. */
  redirectUrl(): string | undefined
  /** The same without fields that are not to be believed. */
  without(...fields: readonly LeftOut[]): RedactedRecord
}

/** What an answer said. */
export interface Answered {
  readonly httpStatus?: number | undefined
  readonly record?: RedactedRecord | undefined
  /** Where the answer could not be read as a reply, its beginning, redacted. */
  readonly receivedText?: string | undefined
  /** The answer's `Date` header. */
  readonly date?: string | undefined
  readonly connection?: AttemptEnd['connection'] | undefined
}

/** What is wrong where no outcome is known. */
export type OpenCause = GatewayFailureError | UnreadableReplyError | TransportError

/**
 * How a call ended, and on what. `accepted`, `refused`, `not-sent` and `unknown` are of operations that create or change;
 * `answered`, `refused`, `not-sent` and `no-answer` are of operations that read.
 */
export type CallResult =
  | { readonly kind: 'accepted' | 'answered'; readonly reply: Reply; readonly answered: Answered }
  | { readonly kind: 'refused' | 'not-sent' | 'unknown'; readonly error: AnyGatewayError; readonly answered: Answered }
  | { readonly kind: 'no-answer'; readonly error: OpenCause; readonly answered: Answered }
