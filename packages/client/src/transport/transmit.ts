/**
 * One try at sending a request: what was observed, and nothing concluded.
 *
 * @module
 */

import type { RequestDispatcher } from '../config/options.js'
import type { Connections } from './connections.js'
import type { Deadline } from './deadline.js'
import { RequestTry } from './request-try.js'

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Headers of an answer, names in lower case. */
export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>

/**
 * How far a try got: `waiting` for a connection, `unreported` with a dispatcher that may start without saying so, `sending`
 * once the request has started, `receiving` an answer.
 */
export type Phase = 'waiting' | 'unreported' | 'sending' | 'receiving'

/** An answer as bytes. */
export interface RawAnswer {
  readonly httpStatus: number
  readonly headers: ReplyHeaders
  readonly body: Buffer
  /** Whether the body was longer than the limit; then `body` is its beginning. */
  readonly isTooLong: boolean
}

/** What came of one try. `closed`: there was none, for the client was closed. */
export type Transmission =
  | { readonly kind: 'closed' }
  | { readonly kind: 'answered'; readonly answer: RawAnswer; readonly isConnectionClosed: boolean }
  | {
      readonly kind: 'failed'
      readonly phase: Phase
      readonly cause: unknown
      /** What had come of an answer, if one had begun. */
      readonly begun?: RawAnswer | undefined
      /** Whether its connection, if it had one, is known to be closed. */
      readonly isConnectionClosed: boolean
    }

/** One try. */
export interface TransmitInput {
  readonly request: WireRequest
  readonly connections: Connections
  readonly maxReplyBytes: number
  readonly deadline: Deadline
}

/** Which of the connections it is sent over. */
export interface TransmitOver {
  readonly dispatcher: RequestDispatcher
  /** Asks for the connection to be closed after the answer. */
  readonly reset: boolean
}

/**
 * Sends a request once. Never rejects.
 *
 * The phase comes from the dispatcher's own reports, never from error codes: a request is `waiting` only as long as a
 * dispatcher that reports each start has not said that it starts. A start that comes after the try is over, or a second one, is aborted before
 * undici writes a byte of it.
 */
export function transmit(input: TransmitInput, over: TransmitOver): Promise<Transmission> {
  return new Promise(resolve => new RequestTry(input, resolve).start(over))
}
