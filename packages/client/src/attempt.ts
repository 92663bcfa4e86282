/**
 * Attempts: what is remembered of a request that creates or changes something, before its first byte is sent.
 *
 * @module
 */
import type { Effect } from '@tillkit/protocol'

/** One attempt. It holds no card data and may be stored. */
export interface Attempt {
  /** Identifies a `changes` attempt; unique for every one. */
  readonly attemptId: string
  /** Name of the operation, e.g. `capture`. */
  readonly operation: string
  readonly effect: Exclude<Effect, 'reads'>
  /** Merchant login. */
  readonly login: string
  /** Base address without a trailing slash. */
  readonly baseUrl: string
  /** Identifies a `creates` attempt, together with `login` and `baseUrl`. */
  readonly clientOrderId?: string
  /** The gateway's order id, where the request carries one. */
  readonly orderId?: string
  /** HMAC-SHA256, lower-case hex, over the request without its card fields. Equal for equal requests under one key. */
  readonly fingerprint: string
  /** Milliseconds since the epoch. */
  readonly reservedAt: number
}

/** How an attempt ended. */
export interface AttemptEnd {
  /**
   * `accepted`: the gateway answered with an order. `refused`: it refused this request and made none. `not-sent`:
   * nothing left. `unknown`: everything else; resolve it by asking status, never by sending again.
   */
  readonly ending: 'accepted' | 'refused' | 'not-sent' | 'unknown'
  /** The gateway's order id, where the answer had one. */
  readonly orderId?: string
  /** Id the gateway gave to the request, where the answer had one. */
  readonly serialNumber?: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Remembers attempts. The client awaits `reserve` before the first byte and `settled` after the ending. */
export interface AttemptsPort {
  /**
   * Notes that a request is about to be sent. When it rejects, nothing is sent; reject with an `AlreadySentError` where
   * its identity was used before.
   */
  reserve(attempt: Attempt): Promise<void>
  /** Notes how it ended. When it rejects, the attempt stays open, which is safe; the call's outcome stands. */
  settled(attempt: Attempt, end: AttemptEnd): Promise<void>
}
