/**
 * A run with a gateway as data that can be written to a file: what was asked and what was answered, redacted.
 *
 * @module
 */
import type { Parameter } from '@tillkit/signing'

/** A run. It is JSON. */
export interface Recording {
  readonly version: 1
  /** In the order the requests were made. */
  readonly exchanges: readonly RecordedExchange[]
}

/** A request and what became of it. Holds no card number beyond 6 + 4, CVV, expiry, control value, signature or key. */
export interface RecordedExchange {
  readonly method: string
  readonly origin: string
  /** Query included. */
  readonly path: string
  /** The form, redacted, in its order. Absent where the body is no form. */
  readonly fields?: readonly Parameter[]
  readonly answer: RecordedAnswer
}

/** What became of a request. */
export type RecordedAnswer = RecordedReply | RecordedPage | RecordedFailure

/** A reply of the interface. */
export interface RecordedReply {
  readonly kind: 'reply'
  readonly status: number
  readonly mediaType: string
  /** Redacted, in their order. A value that was no text in JSON is written as it was, `json`. */
  readonly values: readonly (readonly [name: string, value: string | { readonly json: string }])[]
}

/** Anything else that was answered, a page of a proxy say. Of what it said only the length is kept. */
export interface RecordedPage {
  readonly kind: 'page'
  readonly status: number
  readonly mediaType: string
  /** In bytes. */
  readonly length: number
}

/** No answer, or half of one. */
export interface RecordedFailure {
  readonly kind: 'failure'
  /** Whether it failed before the request started, before the answer began, or in the middle of the answer. */
  readonly when: 'before-start' | 'before-answer' | 'within-answer'
  /** Of the error, such as `ECONNREFUSED`. */
  readonly code?: string
}
