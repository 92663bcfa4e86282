import type { AskedSettlement, AwaitedOutcome, OutcomeQuestion, PollSchedule, WaitState } from '@tillkit/protocol'
import type { CallOptions } from '../config/options.js'

/** Options of `awaitOutcome` and `watchOutcome`. Those of a call go for every question; `timeout` is of one question. */
export interface AwaitOutcomeOptions extends Omit<CallOptions, 'signal' | 'retries'> {
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

/** One question and what came of it. */
export interface OutcomeObservation {
  /** What status said; absent where the wait was aborted before it did. */
  readonly settlement?: AskedSettlement
  /** How far the wait has got. */
  readonly wait: WaitState
  /** When it will ask again without being woken, in milliseconds since the epoch; absent with the last observation. */
  readonly nextAt?: number
  /** How it ended: with the last observation. */
  readonly outcome?: AwaitedOutcome
}

/** What a client has besides its operations. */
export interface WatchMethods {
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
   * if (ended.kind === 'approved') deliver()
   * ```
   *
   * Nothing is kept of a wait. A process that comes after begins a new one, which sends a customer to the same step once more.
   *
   * @param question The stage that is waited for, or `wait` of an earlier ending, to go on from it.
   * @throws {TypeError} for a question or an option that cannot work.
   */
  awaitOutcome(question: OutcomeQuestion | WaitState, options?: AwaitOutcomeOptions): Promise<AwaitedOutcome>
  /**
   * The same, one observation after the other; the last one carries the `outcome`. Leaving the loop ends the wait, and so
   * does `return()`, in the middle of a pause too.
   */
  watchOutcome(
    question: OutcomeQuestion | WaitState,
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
