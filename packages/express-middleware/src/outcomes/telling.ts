import {
  aCount,
  aFunction,
  type DocumentStore,
  type KeepingClient,
  type Payment,
  type ReceivedOutcome,
  required,
  type Store,
  type WantedChange,
} from '@tillkit/protocol'
import { storeOption } from '../config/options.js'
import type { Warn } from '../config/warnings.js'
import type { TellingEngine } from './asked.js'

/** What a handler gets besides the outcome. `Transaction` is that of the store. */
export interface OutcomeContext<Transaction = never> {
  /** The same for every time this outcome is told. Hand it on to what you call. */
  readonly idempotencyKey: string
  /** Aborts when the lease is over: the outcome may be told again from then on. */
  readonly signal: AbortSignal
  /** Higher every time the outcome is told. Let what you write to refuse what comes with a lower one than it has seen. */
  readonly fencingToken: number
  /**
   * What you write in it is committed together with the mark that you were told, or neither is: exactly once. Undefined where the
   * store has no transactions, as `memoryStore()`.
   */
  readonly transaction: Transaction
  /** The payment as the store has it: its state, its totals, what is possible now. */
  readonly payment: Payment
}

/** The merchant's handler. */
export type OnOutcome<Transaction = never> = (
  outcome: ReceivedOutcome,
  context: OutcomeContext<Transaction>,
) => void | Promise<void>

/** What a handler wants done once it is committed that it was told, and who does it. */
export interface Afterwards<Transaction = never> {
  /** What the handler that was given this context wants. It is written together with the mark that the outcome was told. */
  wantedOf(context: OutcomeContext<Transaction>): readonly WantedChange[]
  /** Does what is written of a payment. `open`: some of it is left. `foreign`: it is somebody else's. */
  carryOut(payment: { readonly key: string; readonly reference: string }): Promise<'done' | 'open' | 'foreign'>
  /** Called each time a telling was committed, with the key of its document. */
  told(key: string): void
}

/** The store that outcomes are in, and whom to tell. */
export interface Telling<Transaction = never> {
  /** The store of your client: `sqliteStore` or `postgresStore` of `@tillkit/till`, or `memoryStore()` in a test. */
  readonly store: Store<Transaction>
  /**
   * Told of every outcome, in the order in which they became known: exactly once for what it does in `transaction`, once or more
   * often for anything else. One that throws is told again.
   */
  readonly onOutcome: OnOutcome<Transaction>
  /** How long a handler may take before the outcome may be told elsewhere, in milliseconds. Default: 30000. */
  readonly lease?: number
  /** For `@tillkit/till`. Default: handlers want nothing. */
  readonly afterwards?: Afterwards<Transaction>
  /**
   * For `@tillkit/till`, which warns once however it heard of something: where a handler failed, an answer to a callback says no more of
   * it. Default: warnings of its own.
   */
  readonly warn?: Warn
  /** For `@tillkit/till`. Default: this package asks and tells itself. */
  readonly engine?: TellingEngine | undefined
}

/** Checks of those options. */
export const tellingOptions = {
  store: required(storeOption),
  onOutcome: required(aFunction),
  lease: aCount({ unit: 'milliseconds' }),
  afterwards: () => undefined,
  warn: () => undefined,
  engine: () => undefined,
} as const

/** @throws {TypeError} for a client with another store: nothing would ever be found. */
export function checkSameStore({ payments }: Pick<KeepingClient, 'payments'>, store: DocumentStore): void {
  if (payments?.store === store) return
  throw new TypeError(
    '"client" keeps its payments in another store, or in none. Give the same store to createClient and to this.',
  )
}
