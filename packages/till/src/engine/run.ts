/**
 * A run is plain data. It lives one intent of one payment, in one process; where the process dies, the run is gone.
 *
 * @module
 */
import type { AttemptEnd } from '@tillkit/protocol'
import type { Heard, Marks } from '../intents/next.js'
import type { Answer, Question } from '../rules/answer.js'
import type { Told } from '../rules/happening.js'
import type { PaymentDocument } from '../state/document.js'
import type { History } from '../state/facts.js'
import type { KnownAttempt, WantedChange } from '../state/known.js'

/** A payment as a store keeps it; all undefined: it keeps nothing of it. */
export interface Known {
  readonly document: PaymentDocument | undefined
  /** The write that left it so. */
  readonly writeId: string | undefined
}

/** Something that happened, and that is not written down yet. It is judged by whatever is kept of the payment when it is written. */
export type Staged =
  | { readonly kind: 'ended'; readonly attempt: KnownAttempt; readonly end: AttemptEnd }
  /** `before`: the answers of status before this one. */
  | { readonly kind: 'answered'; readonly answer: Answer; readonly before: readonly Answer[] }
  | Told

/** The next thing that the driver does. It carries names and plain data. */
export type Effect<Result> =
  /** Reads what is kept of the payment, the marks of the till, and the store's clock. */
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
  /** Asks status. `isBrief`: once, and not for long. */
  | { readonly kind: 'ask'; readonly question: Question; readonly isBrief?: boolean }
  /** Calls the merchant's handler, under the lease of this token, which is over at `until`, in milliseconds of the store's clock. */
  | { readonly kind: 'handle'; readonly token: string; readonly until: number }
  | { readonly kind: 'sleep'; readonly milliseconds: number }
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
      /** All that is kept of the payment, as this run knows it. */
      readonly known: Known
      /** Why something that happened is not written down: `cause` is what the store said. Absent: all is. */
      readonly unwritten?: { readonly cause: unknown }
      /** Why the store did not take a request, which it may have written down before: it is given back. */
      readonly refused?: { readonly cause: unknown }
    }
  | { readonly kind: 'failed'; readonly cause: unknown }

/** The end of an effect. */
export type Event =
  | { readonly kind: 'began' }
  /** `marks`: absent where this run was not given what reads them. */
  | { readonly kind: 'read'; readonly known: Known; readonly marks?: Marks | undefined }
  | { readonly kind: 'written' }
  /** Another write left the payment as it is; nothing was written. */
  | { readonly kind: 'conflict'; readonly known: Known }
  /** The store did not answer: it was not read, or it may have been written. */
  | { readonly kind: 'unknown'; readonly cause: unknown }
  /** The store says that it was not done, and that trying again does not help. */
  | { readonly kind: 'failed'; readonly cause: unknown }
  | { readonly kind: 'sent'; readonly end: AttemptEnd }
  | { readonly kind: 'asked'; readonly answer: Answer }
  | { readonly kind: 'handled'; readonly end: Handled }
  /** `isWoken`: before its time, since somebody in this process has committed. */
  | { readonly kind: 'slept'; readonly isWoken?: boolean }

/**
 * The end of calling the handler. `committed`: that it was told is durable, together with what it wrote;
 * `known` is what is kept of the payment since. `told`: it is to be written down. `lost`:
 * somebody else has the lease by now, so that nothing was committed.
 */
export type Handled =
  | { readonly kind: 'committed'; readonly known: Pick<Known, 'document'>; readonly wanted: readonly WantedChange[] }
  | { readonly kind: 'told'; readonly wanted: readonly WantedChange[]; readonly isApproval: boolean | undefined }
  | { readonly kind: 'failed' | 'unknown'; readonly cause: unknown }
  | { readonly kind: 'lost' | 'overstayed' }

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
  readonly heard: Omit<Heard, 'passed' | 'lived' | 'isHandling'>
  /** The effect that it waits for. */
  readonly doing: Effect<Result>
  /** The permission that the write under way gives; undefined: that is no gate. */
  readonly gate?: Gate
  /** Whether the write that left what is known is not known by its name: it was made together with the handler's. */
  readonly isStale?: true
  /** The caller hears this once the write under way is durable. */
  readonly saying?: { readonly result: Result }
  /** Why something that happened will not be written down. */
  readonly lost?: { readonly cause: unknown }
  /** Why the store did not take a request that it may have written down before. */
  readonly refused?: { readonly cause: unknown }
}

/** Permission on its way into the store, and what is kept once it is there. */
export type Gate = {
  readonly payment: PaymentDocument
  /** It may have been written already. */
  readonly isDoubtful?: true
} & (
  | { readonly kind: 'request'; readonly attempt: KnownAttempt }
  /** To call the handler. */
  | { readonly kind: 'lease'; readonly token: string }
  /** To go on by what was decided. */
  | { readonly kind: 'append' }
)

/** Nothing is kept of a payment. */
export const nothingKnown: Known = { document: undefined, writeId: undefined }

/**
 * A run that has not begun.
 *
 * @param id Never the same one twice, in any process.
 * @param patience How long the caller waits, in milliseconds.
 * @param staged Everything that has happened before.
 */
export const newRun = <Result>(id: string, patience: number, staged: readonly Staged[] = []): Run<Result> => ({
  id,
  patience,
  writes: 0,
  known: nothingKnown,
  staged,
  heard: { answers: [], isFresh: false, marks: {}, deliveries: [], waited: 0 },
  doing: { kind: 'read' },
})

/** How long a caller waits until what has happened is written down, in milliseconds. It hears of it then, written or not. */
export const longestWriting = 5_000

/** Whether the run waits for the store. */
export const waitsForStore = ({ doing }: Run<unknown>): boolean => doing.kind === 'read' || doing.kind === 'write'

/**
 * Says what the caller hears where it waits for the store no longer. Before anything was sent:
 * nothing was, and nothing will be, since the time is over in which it could. The run goes on until what it has written is known,
 * and gives a request back that it has not sent.
 */
export const heardSoFar = <Result>({ saying, known }: Run<Result>, cause: unknown): Ended<Result> =>
  saying === undefined
    ? { kind: 'failed', cause }
    : { kind: 'done', result: saying.result, known, unwritten: { cause } }

/** The request that is sent, as it is kept. */
export function requestOf(run: Run<unknown>, { request }: { readonly request: string }): KnownAttempt {
  const found = requestIn(run.known, request)
  if (found === undefined) throw new TypeError(`Run ${run.id} sends ${request}, which it has not written down.`)
  return found
}

/** The request of that name, where it is kept. */
export const requestIn = ({ document }: Known, request: string): KnownAttempt | undefined =>
  document?.orders.flatMap(({ attempts }) => attempts).find(({ reservation }) => reservation === request)
