/**
 * A run is plain data. It lives one intent of one payment, in one process; where the process dies, the run is gone.
 *
 * @module
 */
import type { AttemptEnd, KnownAttempt, KnownDocument, PaymentDocument } from '@tillkit/protocol'
import type { Heard } from '../intents/next.js'
import type { Answer, Question } from '../rules/answer.js'

/** All that a store keeps of a payment. */
export type History = NonNullable<KnownDocument['history']>

/** All that a store keeps of a payment, and what that amounts to; all undefined: nothing. */
export interface Known extends KnownDocument {
  /** The write that left it so. */
  readonly writeId: string | undefined
}

/** Something that happened, and that is not written down yet. It is judged by whatever is kept of the payment when it is written. */
export type Staged =
  | { readonly kind: 'ended'; readonly attempt: KnownAttempt; readonly end: AttemptEnd }
  /** `before`: the answers of status before this one. */
  | { readonly kind: 'answered'; readonly answer: Answer; readonly before: readonly Answer[] }

/** The next thing that the driver does. It carries names and plain data. */
export type Effect<Result> =
  /** Reads what is kept of the payment, and the store's clock. */
  | { readonly kind: 'read' }
  /**
   * Writes a history after the write that it was decided on. `id` names the write, and the request in it where it is a gate: the same id is
   * the same write, however often it is tried.
   */
  | {
      readonly kind: 'write'
      readonly id: string
      readonly after: string | undefined
      readonly history: History
      /** The document that it amounts to. */
      readonly document: PaymentDocument
      /** `gate`: permission to send. `fact`: it happened. `reply`: it happened, and can be asked for again. */
      readonly what: 'gate' | 'fact' | 'reply'
    }
  /** Sends the request of this name. No byte of it starts after `startBy`, in milliseconds of the store's clock. */
  | { readonly kind: 'request'; readonly request: string; readonly startBy: number }
  /** Asks status. */
  | { readonly kind: 'ask'; readonly question: Question }
  /** Nothing is left to do. */
  | { readonly kind: 'end'; readonly result: Ended<Result> }

/**
 * The end of a run. `failed`: nothing was sent, since the store could not be read or did not take it, or nobody waited for it any longer;
 * `cause` says which.
 */
export type Ended<Result> =
  | {
      readonly kind: 'done'
      readonly result: Result
      /** Why something that happened is not written down: `cause` is what the store said. Absent: all is. */
      readonly unwritten?: { readonly cause: unknown }
      /** Why the store did not take a request, which it may have written down before: it is given back. */
      readonly refused?: { readonly cause: unknown }
    }
  | { readonly kind: 'failed'; readonly cause: unknown }

/** The end of an effect. */
export type Event =
  | { readonly kind: 'began' }
  | { readonly kind: 'read'; readonly known: Known }
  | { readonly kind: 'written' }
  /** Another write left the payment as it is; nothing was written. */
  | { readonly kind: 'conflict'; readonly known: Known }
  /** The store did not answer: it was not read, or it may have been written. */
  | { readonly kind: 'unknown'; readonly cause: unknown }
  /** The store says that it was not done, and that trying again does not help. */
  | { readonly kind: 'failed'; readonly cause: unknown }
  | { readonly kind: 'sent'; readonly end: AttemptEnd }
  | { readonly kind: 'asked'; readonly answer: Answer }

/** A run. */
export interface Run<Result> {
  /** Never the same one twice, in any process. */
  readonly id: string
  /** How long the caller waits, in milliseconds. */
  readonly patience: number
  /** How many writes it has named. */
  readonly writes: number
  readonly known: Known
  /** Written before anything is waited for, or said to anybody. */
  readonly staged: readonly Staged[]
  readonly heard: Omit<Heard, 'passed'>
  /** The effect that it waits for. */
  readonly doing: Effect<Result>
  /** The request that the write under way is about; undefined: that is no gate. */
  readonly gate?: Gate
  /** The caller hears this once the write under way is durable. */
  readonly saying?: { readonly result: Result }
  /** Why something that happened will not be written down. */
  readonly lost?: { readonly cause: unknown }
  /** Why the store did not take a request that it may have written down before. */
  readonly refused?: { readonly cause: unknown }
}

/** A request on its way into the store, and what is kept once it is there. */
export interface Gate {
  readonly attempt: KnownAttempt
  readonly payment: PaymentDocument
  /** It may have been written already. */
  readonly isDoubtful?: true
}
