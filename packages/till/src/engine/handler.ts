import type { WireProfile } from '@tillkit/protocol'
import { claimedOutcome, toldOutcome } from '../rules/delivery/delivery.js'
import { outcomeToTell, type ReceivedOutcome } from '../rules/delivery/outcome.js'
import type { Told } from '../rules/happening.js'
import { entryOf, readDocument } from '../rules/kept/entry.js'
import { type Payment, paymentOf } from '../rules/pay/payment.js'
import type { PaymentDocument } from '../state/document.js'
import type { WantedChange } from '../state/known.js'
import { type Store, type Stored, StoreError } from '../store/store.js'
import { endOfWait } from './end-of-wait.js'
import type { Handled, Known } from './run.js'

/** Everything that a handler gets besides the outcome. `Transaction` is that of the store. */
export interface OutcomeContext<Transaction = never> {
  /** The same for every time this outcome is told. Hand it on to what you call. */
  readonly idempotencyKey: string
  /** Aborts once `handlerTimeout` is over: another process may be told the outcome from then on. */
  readonly signal: AbortSignal
  /** Higher every time the outcome is told. Let what you write to refuse what comes with a lower one than it has seen. */
  readonly fencingToken: number
  /**
   * Your writes in it are committed together with the mark that you were told, or neither is: exactly once. Undefined if the
   * store has no transactions, as `memoryStore()`.
   */
  readonly transaction: Transaction
  /** The payment as the store has it: its state, its totals, what is possible now. */
  readonly payment: Payment
}

/** A delivery whose lease is durable. */
export interface Delivery {
  /** The key of the payment, in the store. */
  readonly key: string
  /** The payment with the lease. */
  readonly known: Pick<Known, 'document'>
  /** The token of the lease. */
  readonly token: string
  /** The same as the store keeps it. */
  readonly stored: Stored | undefined
  /** In milliseconds of the store's clock. */
  readonly at: number
  /** How long the handler has, in milliseconds. */
  readonly within: number
}

/** Everything that calling the merchant's handler needs. */
export interface HandlerOptions<Transaction> {
  readonly store: Pick<Store<Transaction>, 'commit'>
  readonly onOutcome: (outcome: ReceivedOutcome, context: OutcomeContext<Transaction>) => void | Promise<void>
  /** Gives what the handler that was given this context wants done. It is written together with the mark that the outcome was told. */
  readonly wantedOf: (context: OutcomeContext<Transaction>) => readonly WantedChange[]
  readonly profileOf: (login: string) => WireProfile
  /** Resolves after so many milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Takes the end of a handler that has outstayed its lease: it is to be written down, unless it was committed. */
  readonly late: (key: string, end: Told | Committed) => void
}

/** Calls the merchant's handler. */
export interface Handler {
  /** Calls it once. It does not reject, and it waits until the lease is over: the handler goes on then. */
  handle(delivery: Delivery): Promise<Handled>
  /** Whether a handler that was told of this payment runs here. */
  isHandling(key: string): boolean
}

/** Makes what calls the merchant's handler, which writes in a transaction of the store where that has transactions. */
export function createHandler<Transaction>(options: HandlerOptions<Transaction>): Handler {
  const { store, wait, late, wantedOf } = options
  const running = new Map<string, number>()
  const count = (key: string, more: 1 | -1): void => {
    const now = (running.get(key) ?? 0) + more
    if (now === 0) running.delete(key)
    else running.set(key, now)
  }

  /** It does not reject. */
  const tell = async (delivery: Delivery, signal: AbortSignal): Promise<Handled> => {
    let prepared: Prepared
    try {
      prepared = prepare(delivery, options)
    } catch (cause) {
      return { kind: 'failed', cause }
    }
    const { outcome, about, isApproval } = prepared
    let context: OutcomeContext<Transaction> | undefined
    const wanted = () => (context === undefined ? [] : wantedOf(context))
    let isTooLate = false
    const call = async (transaction: Transaction): Promise<void> => {
      // A store may have let it wait for a connection.
      isTooLate = signal.aborted
      signal.throwIfAborted()
      context = { ...about, signal, transaction }
      // A store that hangs afterwards keeps nobody from telling it again: one of two commits wins.
      count(delivery.key, 1)
      try {
        await options.onOutcome(outcome, context)
      } finally {
        count(delivery.key, -1)
      }
    }
    if (store.commit === undefined) {
      try {
        await call(undefined as Transaction)
        return { kind: 'told', wanted: wanted(), isApproval }
      } catch (cause) {
        return { kind: 'failed', cause }
      }
    }
    /** Why nothing was committed, though the store may say that it does not know. */
    let failed: { readonly cause: unknown } | undefined
    let known: Pick<Known, 'document'> | undefined
    try {
      const written = await store.commit(
        delivery.key,
        async transaction => {
          try {
            await call(transaction)
          } catch (cause) {
            failed = { cause }
            throw cause
          }
        },
        current => {
          try {
            const after = toldOutcome(currentOf(current, delivery), delivery.token, wanted(), isApproval)
            known = after && { document: after }
            return after && entryOf(after)
          } catch (cause) {
            failed = { cause }
            throw cause
          }
        },
        delivery.stored,
      )
      return written.kind === 'written' && known !== undefined
        ? { kind: 'committed', known, wanted: wanted() }
        : { kind: 'lost' }
    } catch (cause) {
      if (isTooLate) return { kind: 'lost' }
      if (failed !== undefined) return { kind: 'failed', ...failed }
      const isUnknown = !(cause instanceof StoreError) || cause.code === 'ERR_STORE_UNKNOWN'
      return { kind: isUnknown ? 'unknown' : 'failed', cause }
    }
  }

  return {
    isHandling: key => running.has(key),
    async handle(delivery) {
      const { key, token, within, at } = delivery
      const overstayed = new AbortController()
      const telling = tell(delivery, overstayed.signal)
      if ((await endOfWait(telling, { most: within, wait, signal: undefined })) === undefined) return telling
      overstayed.abort(new Error(`The ${within} ms for this outcome are over; another process may be told it.`))
      void telling.then(end => {
        if (end.kind === 'told') late(key, { ...end, token })
        if (end.kind === 'committed') late(key, end)
        if (end.kind === 'failed')
          late(key, { kind: 'not-told', token, at: at + within, failure: { error: end.cause } })
      })
      return { kind: 'overstayed' }
    },
  }
}

/** It was committed that the handler was told. */
type Committed = Extract<Handled, { readonly kind: 'committed' }>

type Prepared = ReturnType<typeof prepare>

/** The outcome that is leased, and what the handler hears besides. */
function prepare({ known, stored, token, at }: Delivery, { profileOf }: Pick<HandlerOptions<never>, 'profileOf'>) {
  const { document } = known
  const untold = document === undefined ? undefined : claimedOutcome(document, token)
  if (document === undefined || untold === undefined) throw new TypeError(`There is no lease ${token}.`)
  const profile = profileOf(untold.order.login)
  const outcome = outcomeToTell(document, untold, profile)
  const payment = paymentOf(document, { reference: outcome.reference, at, profile })
  return {
    outcome,
    isApproval: outcome.kind === 'disputed' ? undefined : outcome.outcome === 'approved',
    about: { idempotencyKey: untold.key, fencingToken: stored?.version ?? 0, payment },
  }
}

/** The payment as it is kept now; what nobody has written since is not read again. */
function currentOf(current: Stored | undefined, { known, stored }: Delivery): PaymentDocument | undefined {
  if (current === undefined) return undefined
  return current.writeId === stored?.writeId ? known.document : readDocument(current)
}
