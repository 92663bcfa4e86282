import { setMaxListeners } from 'node:events'
import {
  type AskedReply,
  aCount,
  aFunction,
  callbackCame,
  checkKey,
  claimTelling,
  createDocuments,
  type Decided,
  type DocumentStore,
  defaultProfile,
  documentKey,
  entryOf,
  findOrder,
  type KeepingClient,
  type KeptPayments,
  type KnownOrder,
  observationOf,
  outcomeToTell,
  overdueSeen,
  type Patience,
  type Payment,
  type PaymentDocument,
  paymentOf,
  postponeTelling,
  type ReadDocument,
  type ReceivedOutcome,
  readDocument,
  required,
  type Store,
  StoreError,
  type StoreTrouble,
  statusSeen,
  type ThreeDSecureProgress,
  threeDSecureSeen,
  toldOutcome,
  type UntoldOutcome,
  type WantedChange,
  type WireProfile,
} from '@tillkit/protocol'
import { storeOption } from '../config/options.js'
import { systemClock, systemId, systemWait, type Wait, withDeadline } from '../config/time.js'
import { type Warn, warningsOf } from '../config/warnings.js'
import { createUnmatched, type OnUnmatched } from './unmatched.js'

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
}

/** Checks of those options. */
export const tellingOptions = {
  store: required(storeOption),
  onOutcome: required(aFunction),
  lease: aCount({ unit: 'milliseconds' }),
  afterwards: () => undefined,
  warn: () => undefined,
} as const

/** @throws {TypeError} for a client with another store: nothing would ever be found. */
export function checkSameStore({ payments }: Pick<KeepingClient, 'payments'>, store: DocumentStore): void {
  if (payments?.store === store) return
  throw new TypeError(
    '"client" keeps its payments in another store, or in none. Give the same store to createClient and to this.',
  )
}

/** Where an order is. */
export interface OrderPlace {
  readonly payments: KeptPayments
  readonly clientOrderId: string
}

/** What a ledger needs besides a store and a handler. */
export interface LedgerOptions<Transaction>
  extends Required<Omit<Telling<Transaction>, 'afterwards'>>,
    Pick<Telling<Transaction>, 'afterwards'> {
  /** Default: nobody is offered what came of orders that nobody here sent. */
  readonly onUnmatched?: OnUnmatched | undefined
  readonly profile: WireProfile
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly wait: Wait
}

/** Makes the ledger of what customers come back to. */
export const visitLedger = <Transaction>({
  lease = 30_000,
  profile = defaultProfile,
  clock = systemClock,
  ...options
}: Telling<Transaction> & Partial<Pick<LedgerOptions<Transaction>, 'profile' | 'clock'>>): Ledger =>
  createLedger({ ...options, lease, profile, clock, wait: systemWait, warn: warningsOf({ ...options, clock }) })

/** An order as the store has it. */
export interface FoundOrder {
  readonly order: KnownOrder
  /** The other orders of its payment that the gateway may have. */
  readonly others: readonly KnownOrder[]
  /** What the store's clock says, in milliseconds. */
  readonly at: number
}

/** What became of a callback. `other-order`: the store has the order under another id of the gateway. */
export type CallbackCame =
  | { readonly kind: 'kept' | 'unmatched' }
  | { readonly kind: 'other-order'; readonly order: KnownOrder }

/** A status reply, and when it was asked for, in milliseconds of this process's clock. */
export interface Answered extends Omit<AskedReply, 'age'> {
  readonly askedAt: number
}

/** What one telling came to. `failed`: the handler threw, or what it wrote was not taken; it is told again later. */
type Tried =
  | { readonly kind: 'told' | 'busy' }
  | { readonly kind: 'failed'; readonly cause: unknown /** Of the payment. */; readonly reference: string }

/** What telling came to. `busy`: another telling of the payment is under way, or the handler has outstayed its lease. */
export type Told = (Tried | { readonly kind: 'nothing' }) & {
  /** The order as it was left. */
  readonly order: KnownOrder | undefined
}

const isUnmatched: CallbackCame = { kind: 'unmatched' }

/** Whether a store can have a document under a key. No request was sent for an order whose key it cannot have. */
function isKeepable(key: string): boolean {
  try {
    checkKey(key)
    return true
  } catch {
    return false
  }
}

/** Pause before another look at a payment that somebody else tells of, in milliseconds. */
const lookAgain = 250

/** How long closing waits for tellings, in milliseconds. */
const longestClosing = 5_000

/** Makes what writes into the documents of payments, and tells what they have. */
export function createLedger<Transaction>(options: LedgerOptions<Transaction>) {
  const { store, onOutcome, lease, profile, clock, wait, warn, afterwards, onUnmatched } = options
  const onTrouble = ({ key, cause }: StoreTrouble) =>
    warn('WARN_STORE_FAILED', { explanation: `It could not read or write ${key}.`, cause })
  const documents = createDocuments({ store, newId: systemId, wait, onTrouble })
  const closed = new AbortController()
  // As many may wait as there are payments under way; Node.js would warn of a leak from the eleventh on.
  setMaxListeners(0, closed.signal)
  const underWay = new Set<Promise<Told>>()
  const untilClosed: Patience = { isOver: () => closed.signal.aborted, signal: () => closed.signal }

  const locate = ({ payments, clientOrderId }: OrderPlace) => {
    checkSameStore({ payments }, store)
    const about = { clientOrderId, login: payments.login }
    return { key: documentKey(about, payments), about }
  }

  /** As long as a lease from the first failure of the store on: whoever waits longer is told elsewhere. */
  const patiently = async <Result>(work: (patience: Patience) => Promise<Result>): Promise<Result> => {
    const done = new AbortController()
    let over: AbortController | undefined
    const begin = (): AbortController => {
      const begun = new AbortController()
      const end = () => begun.abort()
      wait(lease, done.signal).then(end, end)
      return begun
    }
    try {
      return await work({
        isOver: () => over?.signal.aborted === true || closed.signal.aborted,
        signal() {
          over ??= begin()
          return AbortSignal.any([over.signal, closed.signal])
        },
      })
    } finally {
      if (over !== undefined) done.abort()
    }
  }

  const unmatched = createUnmatched({ store, lease, wait, onUnmatched, patiently })

  const merged = (
    document: PaymentDocument | undefined,
    at: number,
    { about, replies, callbackAt }: Merging,
  ): PaymentDocument | undefined => {
    let after = document
    for (const { askedAt, ...asked } of replies) {
      const order = after === undefined ? undefined : findOrder(after, about)
      if (order === undefined) break
      const observation = observationOf(order, { ...asked, age: clock() - askedAt }, at)
      after = statusSeen(after, about, { observation, profile, callbackAt })
    }
    return after
  }

  const noteCallback = async (key: string, about: Merging['about'], orderId: string): Promise<CallbackCame> => {
    const decide = ({ document, at }: ReadDocument): Decided<CallbackCame> => {
      const order = document === undefined || document.over !== undefined ? undefined : findOrder(document, about)
      if (order === undefined) return { result: isUnmatched }
      if (order.orderId !== undefined && order.orderId !== orderId) return { result: { kind: 'other-order', order } }
      return { result: { kind: 'kept' }, document: callbackCame(document, about, at) }
    }
    return (await patiently(patience => documents.change(key, decide, { kind: 'fact', patience }))).result
  }

  /** Runs the handler, and marks that it was told. */
  const tellClaimed = async (
    claimed: { readonly document: PaymentDocument; readonly untold: UntoldOutcome },
    { key, token, read, signal }: Claim,
  ): Promise<Tried> => {
    const { document, untold } = claimed
    const outcome = outcomeToTell(document, untold, profile)
    const isApproval = outcome.kind === 'disputed' ? undefined : outcome.outcome === 'approved'
    const payment = paymentOf(document, { reference: outcome.reference, at: read.at, profile })
    const about = { idempotencyKey: untold.key, fencingToken: read.version, signal, payment }
    let context: OutcomeContext<Transaction> | undefined
    const tell = (transaction: Transaction) => {
      context = { ...about, transaction }
      return onOutcome(outcome, context)
    }
    const wanted = () => (context === undefined ? [] : (afterwards?.wantedOf(context) ?? []))
    const isTold = (): Tried => {
      afterwards?.told(key)
      // What fails of it is done by the work in the background.
      if (wanted().length > 0) void afterwards?.carryOut({ key, reference: document.reference }).catch(() => undefined)
      return { kind: 'told' }
    }
    const failed = async (cause: unknown): Promise<Tried> => {
      await giveBack(cause)
      return { kind: 'failed', cause, reference: document.reference }
    }
    const giveBack = (error: unknown) =>
      documents
        .change(
          key,
          ({ document, at }) => ({
            result: undefined,
            document: postponeTelling(document, token, at, { at, error }),
          }),
          { kind: 'fact', patience: untilClosed },
        )
        // Where that fails too, the lease ends it.
        .catch(() => undefined)
    if (store.commit === undefined) {
      try {
        await tell(undefined as Transaction)
      } catch (error) {
        return failed(error)
      }
      const { result } = await documents.change(
        key,
        ({ document }) => {
          const after = toldOutcome(document, token, wanted(), isApproval)
          return { result: after !== undefined, document: after }
        },
        { kind: 'fact', patience: untilClosed },
      )
      return result ? isTold() : { kind: 'busy' }
    }
    let thrown: { readonly error: unknown } | undefined
    try {
      const written = await store.commit(
        key,
        async transaction => {
          try {
            await tell(transaction)
          } catch (error) {
            thrown = { error }
            throw error
          }
        },
        current => {
          const known = current === undefined ? undefined : readDocument(current)
          const after = toldOutcome(known, token, wanted(), isApproval)
          return after === undefined ? undefined : entryOf(after)
        },
      )
      return written.kind === 'written' ? isTold() : { kind: 'busy' }
    } catch (error) {
      // It may have been committed: the document says so once the lease is over.
      const isUnknown = !(error instanceof StoreError) || error.code === 'ERR_STORE_UNKNOWN'
      if (thrown !== undefined || !isUnknown) return failed(thrown === undefined ? error : thrown.error)
      throw error
    }
  }

  /** Claims the next outcome and tells it. `held`: somebody else tells one of the payment now. */
  const tellNext = async (key: string, merging: Merging): Promise<Told | (Pick<Told, 'order'> & { kind: 'held' })> => {
    const token = systemId()
    const { result: claim, read } = await patiently(patience =>
      documents.change(
        key,
        ({ document, at }) => {
          const after = merged(document, at, merging)
          if (after === undefined) return { result: undefined }
          const decision = claimTelling(after, { token, at, lease })
          return { result: decision, document: decision.kind === 'claimed' ? decision.document : after }
        },
        { kind: 'gate', patience },
      ),
    )
    const order = read.document === undefined ? undefined : findOrder(read.document, merging.about)
    if (claim?.kind !== 'claimed') return { kind: claim?.kind === 'busy' ? 'held' : 'nothing', order }
    const overstayed = new AbortController()
    const late = (): Tried => {
      overstayed.abort(new Error(`The lease of ${lease} ms on this outcome is over; it may be told again.`))
      return { kind: 'busy' }
    }
    const telling = tellClaimed(claim, { key: read.key ?? key, token, read, signal: overstayed.signal })
    return { ...(await withDeadline(telling, { milliseconds: lease, wait, late })), order }
  }

  const tellAll = async (
    place: OrderPlace,
    replies: readonly Answered[],
    callbackAt: number | undefined,
  ): Promise<Told> => {
    const { key, about } = locate(place)
    let isTold = false
    for (let waited = 0; waited <= lease; ) {
      const next = await tellNext(key, { about, replies, callbackAt })
      if (next.kind === 'nothing') return { kind: isTold ? 'told' : 'nothing', order: next.order }
      if (next.kind === 'busy' || next.kind === 'failed') return next
      if (next.kind === 'told') {
        isTold = true
        continue
      }
      await wait(lookAgain, closed.signal)
      waited += lookAgain
    }
    return { kind: 'busy', order: undefined }
  }

  return {
    /** Finds an order. @returns undefined where the store does not have it, or nothing but its ids any more. */
    async find(place: OrderPlace): Promise<FoundOrder | undefined> {
      const { key, about } = locate(place)
      if (!isKeepable(key)) return undefined
      const { document, at } = await patiently(patience => documents.read(key, patience))
      const order = document === undefined || document.over !== undefined ? undefined : findOrder(document, about)
      if (document === undefined || order === undefined) return undefined
      const mayBeThere = (each: KnownOrder) => each.orderId !== undefined || each.stages.length > 0
      return { order, at, others: document.orders.filter(each => each !== order && mayBeThere(each)) }
    },
    /**
     * Writes down that a verified callback came. Of an order that the store does not have it keeps the ids, on the list
     * `unmatched`.
     */
    async callbackCame(place: OrderPlace, orderId: string, status: string): Promise<CallbackCame> {
      const { key, about } = locate(place)
      const came = isKeepable(key) ? await noteCallback(key, about, orderId) : isUnmatched
      if (came.kind === 'unmatched')
        await unmatched.keep(place.payments, { clientOrderId: place.clientOrderId, orderId, status })
      return came
    },
    /**
     * Writes down what status said of an order, and tells every outcome of its payment that was not told, one after the other.
     *
     * @param callbackAt `callbackAt` of the order before status was asked: that callback has its answer then.
     * @throws {@link StoreError}: what was not told is told the next time.
     */
    tell(place: OrderPlace, replies: readonly Answered[] = [], callbackAt?: number): Promise<Told> {
      const telling = tellAll(place, replies, callbackAt)
      const over = () => underWay.delete(telling)
      underWay.add(telling)
      telling.then(over, over)
      return telling
    },
    /** Notices requests of the payment whose end nobody wrote down, when every wait for their answer is over. */
    async overdueSeen(place: OrderPlace): Promise<void> {
      const { key } = locate(place)
      const decide = ({ document, at }: ReadDocument): Decided<undefined> => ({
        result: undefined,
        document: document === undefined ? undefined : overdueSeen(document, at),
      })
      await patiently(patience => documents.change(key, decide, { kind: 'fact', patience }))
    },
    /** Offers what came of an order that nobody here sent. */
    offerUnmatched: unmatched.offer,
    /** Writes down how far a customer was brought with 3DS. */
    async threeDSecureSeen(place: OrderPlace, seen: (at: number) => Partial<ThreeDSecureProgress>): Promise<void> {
      const { key, about } = locate(place)
      await patiently(patience =>
        documents.change(
          key,
          ({ document, at }) => ({ result: undefined, document: threeDSecureSeen(document, about, seen(at)) }),
          { kind: 'fact', patience },
        ),
      )
    },
    /** Waits for tellings under way, for five seconds at most. What is not written or told by then is, by the next process. */
    async close(): Promise<void> {
      const all = Promise.allSettled([...underWay])
      await withDeadline<unknown>(all, { milliseconds: longestClosing, wait, late: () => undefined })
      closed.abort()
    },
  }
}

export type Ledger = ReturnType<typeof createLedger>

interface Merging {
  readonly about: { readonly clientOrderId: string; readonly login: string }
  readonly replies: readonly Answered[]
  readonly callbackAt: number | undefined
}

interface Claim {
  readonly key: string
  readonly token: string
  readonly read: ReadDocument
  readonly signal: AbortSignal
}
