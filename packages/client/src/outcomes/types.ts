import type {
  AllowedNow,
  AskedSettlement,
  AwaitedOutcome,
  Order,
  OrderTotals,
  OutcomeQuestion,
  PollSchedule,
  Stage,
  WaitState,
} from '@tillkit/protocol'
import type { CallOptions } from '../config/options.js'

/** Which order, and what is known of it. */
export interface OrderQuestion {
  readonly clientOrderId: string
  /** The gateway's order id; leave it out only if it was never received. */
  readonly orderId?: string | undefined
  /**
   * Serial numbers of requests about this order, that of the sale or preauth among them: each is asked about, so that its
   * stage is in the view.
   */
  readonly serialNumbers?: readonly string[] | undefined
  /** What you kept: `order` of an earlier view, or of an outcome. Stages that had not ended are asked about again. */
  readonly known?: Order | undefined
}

/** An order as status shows it, together with what was known. */
export interface OrderView {
  /** To keep, and to hand over as `known` or as the order of an outcome that is waited for. */
  readonly order: Order
  /** What is known to have happened, in the order in which it became known. */
  readonly stages: readonly Stage[]
  /** Held, captured, returned, of the stages seen. Undefined where a sum would be a guess; `remarks` says why. */
  readonly totals: OrderTotals | undefined
  /** What the rules of section 3 allow, going by the stages seen. */
  readonly allowed: AllowedNow
  readonly evidence: 'status-reply'
  /** When the last question was asked, in milliseconds since the epoch. */
  readonly askedAt: number
  /** What this view cannot tell, one sentence each; empty when nothing is in doubt about the stages seen. */
  readonly remarks: readonly string[]
}

/** Options of `awaitOutcome` and `watchOutcome`. Those of a call go for every question; `timeout` is of one question. */
export interface AwaitOutcomeOptions
  extends Omit<CallOptions, 'attemptId' | 'person' | 'onlyWhile' | 'signal' | 'retries'> {
  /**
   * When to stop, in milliseconds since the epoch; it asks a last time then, and once more where a callback comes meanwhile,
   * and ends two seconds later at the latest. Once the schedule is over it waits until then for a callback only. Default:
   * when the schedule is over.
   */
  readonly deadline?: number | undefined
  /** When to ask; an answer with `Retry-After` is heeded first, up to an hour. Default: the profile's `pollSchedule`. */
  readonly schedule?: PollSchedule | undefined
  /** Ends the wait as `still-unknown`. */
  readonly signal?: AbortSignal | undefined
}

/** An order of which the store knows what is waited for: its last request that has not come to an end. */
export interface StoredQuestion {
  readonly clientOrderId: string
}

/** One question and what came of it. */
export interface OutcomeObservation {
  /** What status said; absent where the wait was aborted before it did. */
  readonly settlement?: AskedSettlement
  /** To go on from, here or in another process. */
  readonly wait: WaitState
  /** When it will ask again without being woken, in milliseconds since the epoch; absent with the last observation. */
  readonly nextAt?: number
  /** How it ended: with the last observation. */
  readonly outcome?: AwaitedOutcome
}

/** What a client has besides its operations. */
export interface WatchMethods {
  /**
   * Shows an order: its stages, what they add up to, and what they allow now.
   *
   * A status reply shows one stage, so hand over `known` or `serialNumbers` for the whole of it; `remarks` says what
   * cannot be told.
   *
   * @see Interface specification, sections 3 and 4, "status"
   */
  order(question: OrderQuestion, options?: CallOptions): Promise<OrderView>
  /**
   * Waits until the outcome of one stage is known. It asks status on the public schedule, at once when it is told of a
   * callback, and rests on nothing but a status reply about this very stage that echoes both ids.
   *
   * Ends as `approved`, `declined`, `filtered`, `error`; as `needs-customer` (3DS: hand `step` over, then wait again with
   * `wait`); as `needs-person` (nothing to deliver, nothing to repeat); or as `still-unknown`, which is no "no".
   *
   * @example
   * ```ts
   * const { orderId } = await client.sale(request)
   * const ended = await client.awaitOutcome({
   *   order: { clientOrderId: 'o-1', orderId },
   *   expected: { stages: ['sale'], amount: '10.00', currency: 'EUR' },
   * })
   * if (ended.outcome === 'approved') deliver()
   * ```
   *
   * Where there is a store, `{ clientOrderId }` is enough, in a process that knows nothing else of the order too: what is waited for is
   * worked out of its document. A customer who has to do something is then sent to the same step once more.
   *
   * @param question What is waited for, or the saved state of a wait to go on from; or the order, where there is a store.
   * @throws {TypeError} for a question or an option that cannot work; an {@link InvalidRequestError} where the store knows of nothing to
   * wait for, a {@link NotSentError} where it does not answer.
   */
  awaitOutcome(
    question: OutcomeQuestion | WaitState | StoredQuestion,
    options?: AwaitOutcomeOptions,
  ): Promise<AwaitedOutcome>
  /**
   * The same, one observation after the other; the last one carries the `outcome`. Leaving the loop ends the wait, and so
   * does `return()`, in the middle of a pause too.
   */
  watchOutcome(
    question: OutcomeQuestion | WaitState | StoredQuestion,
    options?: AwaitOutcomeOptions,
  ): AsyncGenerator<OutcomeObservation, void, undefined>
  /**
   * Wakes every wait of this client for an outcome of this order, so that status is asked at once. Call it with what a
   * verified callback says; nothing is believed of it but that it is worth asking.
   *
   * @returns How many waits were woken.
   * @throws {TypeError} when it does not say which order it is about.
   */
  wake(callback: { readonly clientOrderId: string }): number
}
