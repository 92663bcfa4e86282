import type { JournalledMethods, JournalledSend } from '../../engine/journal.js'

/** Says which account a call is for. */
export interface OfAccount {
  /**
   * The login of one of the till's accounts. Default: the account of the order that the call is about, where the store has that order; else
   * the first one that takes the currency; else the first one.
   */
  readonly account?: string | undefined
}

/**
 * A client of all accounts of a till: each call finds its account. Each request that creates or changes is written down in the till's store
 * before its first byte, and is sent once; the answer of `status` is written down where the till has the order.
 *
 * How an order ended is told by `onOutcome`, and by `till.wait` and `till.ask`; what became of a request that was not answered,
 * by the work in the background and by `till.ask`. Where nothing else can tell, a person does, by `till.decide`.
 */
export interface TillClient extends JournalledMethods<OfAccount> {
  /** That of the first account. */
  readonly baseUrl: string
  /** As the methods, for an operation of your own, see `operation()` of `@tillkit/protocol`. */
  readonly send: JournalledSend<OfAccount>
}
