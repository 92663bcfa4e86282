import type { Attempt, AttemptEnd, Reply, Scrubber } from '@tillkit/protocol'
import type { AnyGatewayError, OutcomeUnknownError } from '../errors/errors.js'
import type { CallContext } from '../request/types.js'
import type { RawAnswer, Transmission } from '../transport/types.js'
import type { RedactedRecord } from './record.js'

/** What came of sending a request. */
export interface Sent {
  readonly transmission: Transmission
  /** Undefined for an operation that reads. */
  readonly attempt: (() => Attempt) | undefined
  /** When the transmission was over, in milliseconds since the epoch. */
  readonly at: number
  readonly scrubber: Scrubber
}

/** An answer, and the request it belongs to. */
export interface AnswerInput {
  readonly context: CallContext
  readonly answer: RawAnswer
  readonly scrubber: Scrubber
}

/** What an answer said. */
export interface Answered {
  readonly httpStatus?: number | undefined
  readonly errorCode?: string | undefined
  readonly errorMessage?: string | undefined
  readonly record?: RedactedRecord | undefined
  /** Where the answer could not be read as a reply, its beginning, redacted. */
  readonly receivedText?: string | undefined
  /** The answer's `Date` header. */
  readonly date?: string | undefined
  readonly connection?: AttemptEnd['connection'] | undefined
  readonly foreignStatus?: AttemptEnd['foreignStatus'] | undefined
}

/** How a call ended, and on what. See `Ending` for which kinds are of which operations. */
export type CallResult =
  | { readonly kind: 'accepted' | 'answered'; readonly reply: Reply; readonly answered: Answered }
  | { readonly kind: 'refused' | 'not-sent' | 'unknown'; readonly error: AnyGatewayError; readonly answered: Answered }
  | { readonly kind: 'no-answer'; readonly error: OutcomeUnknownError['cause']; readonly answered: Answered }
