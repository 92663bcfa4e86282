import type { RequestDispatcher } from '../config/options.js'
import type { Deadline } from './deadline.js'

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

/** Where requests are sent, and how to get a connection that no request has used. */
export interface Connections {
  readonly dispatcher: RequestDispatcher
  /** Whether they are the client's own, and not a dispatcher of the caller's. */
  readonly isOwn: boolean
  /** Whether the start of each request is reported, so that one without a report did not start. */
  readonly reportsStart: boolean
  /** Runs `use` with a dispatcher whose connection is new, where that is ours to decide. */
  afresh<Result>(use: (dispatcher: RequestDispatcher) => Promise<Result>): Promise<Result>
  /** Whether `close` was called. Nothing is sent from then on. */
  isClosed(): boolean
  close(): Promise<void>
}
