import type { Order, StatusSnapshot } from '@tillkit/protocol'
import type { CallOptions } from '../../config/options.js'

/** What a resolution rests on. Times are in milliseconds since the epoch. */
export interface ResolutionEvidence {
  /** When the question was asked; absent where none was. */
  readonly askedAt?: number
  /** The status reply that was looked at. */
  readonly reply?: StatusSnapshot
  /** What status said before the attempt was sent. */
  readonly baseline?: StatusSnapshot
  /** When status answered that it had never seen the order: questions that count, oldest first. */
  readonly neverSeenAt?: readonly number[]
}

/**
 * Where the way to `no-trace` stands. Plain data: store it as JSON, and hand it back with the next question, in another
 * process or on another day.
 */
export interface ResolvePosition {
  readonly attemptId: string
  /** Since when nothing of the request can be on its way from here, in milliseconds since the epoch. */
  readonly quietSince: number
  /** When the first answer that counts was asked for, in milliseconds since the epoch. */
  readonly neverSeenAt?: number
}

/** Why it cannot be told. */
export type CannotTellReason =
  /** Status was not answered, or refused the question. */
  | 'no-answer'
  /** The reply does not echo both ids. */
  | 'other-order'
  /** Status has not shown it so far. */
  | 'not-shown'
  /** Status knows no order of this id, and the wire profile does not say which word of its is final about that. */
  | 'no-word'
  /** Status has never seen the order, and it is not known that nothing of the request is on its way any more. */
  | 'connection-open'
  /** Status has never seen the order, and the quiet period is not over. */
  | 'quiet-period'
  /** Status has never seen the order; a second such answer is needed, some time after the first. */
  | 'one-answer'
  /** The order that status shows was made by another request. */
  | 'another-request'
  /** Status shows such a change over another amount. */
  | 'other-amount'
  /** There is no baseline to compare with. */
  | 'no-baseline'
  /** Status showed such a change before this one was sent. */
  | 'same-as-before'
  /** Another change of the order, equal or without an amount, may be the one that status shows. */
  | 'equal-change'
  /** The store does not have the attempt, and so cannot tell what else changed the order. */
  | 'attempt-unknown'
  /** The gateway that was asked has another address than the one that the attempt was sent to. */
  | 'another-address'
  /** The store could not say which other changes of the order there were, or this client has none. */
  | 'no-store'
  /** Status does not show operations of this kind. */
  | 'no-status'

/** What became of an attempt. "It did not happen" is never said. */
export type Resolution =
  | {
      /** The gateway took it. How it ended is in the order's stages, and is what `awaitOutcome` waits for. */
      readonly kind: 'happened'
      /** The order as the status reply shows it. */
      readonly order: Order
      /** For people: what was concluded, and why. */
      readonly explanation: string
      readonly evidence: ResolutionEvidence
    }
  | {
      /**
       * Of operations that create: twice, some time apart, the gateway had never seen the order. Of any: the store has it by now
       * that the attempt did nothing.
       */
      readonly kind: 'no-trace'
      readonly explanation: string
      readonly evidence: ResolutionEvidence
    }
  | {
      readonly kind: 'cannot-tell-yet'
      readonly reason: CannotTellReason
      readonly explanation: string
      readonly evidence: ResolutionEvidence
      /** Whether asking again cannot help: a person must look, and close the attempt. */
      readonly needsPerson: boolean
      /** When asking again may help, in milliseconds since the epoch; absent where that is not known. */
      readonly askAgainAt?: number
      /** Hand it back with the next question. */
      readonly position?: ResolvePosition
      /** Why there was no answer. */
      readonly cause?: unknown
    }

/** Options of `client.resolve`. */
export interface ResolveOptions extends Pick<CallOptions, 'merchant' | 'timeout' | 'signal' | 'retries'> {
  /** What the resolution before this one returned. */
  readonly position?: ResolvePosition | undefined
  /**
   * How long nothing may have been on its way before an answer of absence counts, in milliseconds by the clocks of the machine
   * that sent it and of the one that asks. Default: 900000.
   */
  readonly quietPeriod?: number | undefined
  /** How far apart two answers of absence must be, in milliseconds. Default: 300000. */
  readonly apart?: number | undefined
  /**
   * Says that nothing of the request can be on its way any more: the process that sent it has ended, or you destroyed the
   * dispatcher it was sent with. Needed only where the attempt does not say so itself. Default: false.
   */
  readonly connectionClosed?: boolean | undefined
}

/** The numbers of a resolution, in milliseconds. */
export interface ResolveTimes {
  readonly quietPeriod: number
  readonly apart: number
}
