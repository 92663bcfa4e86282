import { setMaxListeners } from 'node:events'
import {
  callbackCame,
  checkKey,
  createDocuments,
  type Decided,
  defaultProfile,
  documentKey,
  findOrder,
  type KeptPayments,
  type KnownOrder,
  overdueSeen,
  quote,
  type ReadDocument,
  type StoreTrouble,
  type ThreeDSecureProgress,
  threeDSecureSeen,
  type WireProfile,
} from '@tillkit/protocol'
import { systemClock, systemId, systemWait, type Wait, withDeadline } from '../config/time.js'
import { warningsOf } from '../config/warnings.js'
import type { Answered, Told } from './asked.js'
import { doubtAboutShape, otherDivisions, type Signed } from './divisions.js'
import { patienceOfLease } from './patience.js'
import { tellUntold, type Untold } from './tell-untold.js'
import { checkSameStore, type Telling } from './telling.js'
import { createUnmatched, type OnUnmatched } from './unmatched.js'

/** Where an order is. */
export interface OrderPlace {
  readonly payments: KeptPayments
  readonly clientOrderId: string
}

/** What a ledger needs besides a store and a handler. */
export interface LedgerOptions<Transaction>
  extends Required<Omit<Telling<Transaction>, 'afterwards' | 'engine'>>,
    Pick<Telling<Transaction>, 'afterwards' | 'engine'> {
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

/**
 * What became of a callback. `other-order`: the store has the order under another id of the gateway. `not-kept`: the store does not have
 * it, and the callback may be one that was divided anew.
 */
export type CallbackCame =
  | { readonly kind: 'kept' | 'unmatched' }
  | { readonly kind: 'not-kept'; readonly why: string }
  | { readonly kind: 'other-order'; readonly order: KnownOrder }

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

/** How long closing waits for tellings, in milliseconds. */
const longestClosing = 5_000

/** Makes what writes into the documents of payments, and tells what they have. */
export function createLedger<Transaction>(options: LedgerOptions<Transaction>) {
  const { store, lease, wait, warn, onUnmatched, profile } = options
  const onTrouble = ({ key, cause }: StoreTrouble) =>
    warn('WARN_STORE_FAILED', { explanation: `It could not read or write ${key}.`, cause })
  const documents = createDocuments({ store, newId: systemId, wait, onTrouble })
  const closed = new AbortController()
  // As many may wait as there are payments under way; Node.js would warn of a leak from the eleventh on.
  setMaxListeners(0, closed.signal)
  const underWay = new Set<Promise<Told>>()
  const untilClosed = { isOver: () => closed.signal.aborted, signal: () => closed.signal }
  const patiently = patienceOfLease({ lease, wait, closed: closed.signal })
  const context = { ...options, documents, patiently, untilClosed }
  const unmatched = createUnmatched({ store, lease, wait, onUnmatched, patiently })

  const locate = ({ payments, clientOrderId }: OrderPlace) => {
    checkSameStore({ payments }, store)
    const about = { clientOrderId, login: payments.login }
    return { key: documentKey(about, payments), about }
  }

  const noteCallback = async (key: string, about: Untold['about'], orderId: string): Promise<CallbackCame> => {
    const decide = ({ document, at }: ReadDocument): Decided<CallbackCame> => {
      const order = document === undefined || document.over !== undefined ? undefined : findOrder(document, about)
      if (order === undefined) return { result: isUnmatched }
      if (order.orderId !== undefined && order.orderId !== orderId) return { result: { kind: 'other-order', order } }
      return { result: { kind: 'kept' }, document: callbackCame(document, about, at) }
    }
    return (await patiently(patience => documents.change(key, decide, { kind: 'fact', patience }))).result
  }

  /** Whether the store has an order with these ids, if only what is left of it, or one whose id of the gateway is not known yet. */
  const isKnown = async (payments: KeptPayments, { clientOrderId, orderId }: Signed): Promise<boolean> => {
    const { key, about } = locate({ payments, clientOrderId })
    if (!isKeepable(key)) return false
    const { document } = await patiently(patience => documents.read(key, patience))
    const order = document === undefined ? undefined : findOrder(document, about)
    return order !== undefined && (order.orderId === undefined || order.orderId === orderId)
  }

  /** Keeps a callback of an order that the store does not have. @returns Why it is not kept; undefined where it is. */
  const keepUnmatched = async (payments: KeptPayments, signed: Signed): Promise<string | undefined> => {
    const doubt = doubtAboutShape(signed, profile)
    if (doubt !== undefined) return `Its ${doubt}`
    for (const division of otherDivisions(signed, profile)) {
      if (await isKnown(payments, division))
        return `The same signed text is that of order ${quote(division.clientOrderId)} (orderid ${quote(division.orderId)}), divided otherwise`
    }
    return unmatched.keep(payments, signed)
  }

  const tellAll = async (place: OrderPlace, replies: readonly Answered[], callbackAt?: number): Promise<Told> =>
    tellUntold({ ...locate(place), replies, callbackAt }, context)

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
     * `unmatched`, unless the callback may be another one that was divided anew.
     */
    async callbackCame(place: OrderPlace, orderId: string, status: string): Promise<CallbackCame> {
      const { key, about } = locate(place)
      const came = isKeepable(key) ? await noteCallback(key, about, orderId) : isUnmatched
      if (came.kind !== 'unmatched') return came
      const why = await keepUnmatched(place.payments, { clientOrderId: place.clientOrderId, orderId, status })
      return why === undefined ? came : { kind: 'not-kept', why }
    },
    /**
     * Writes down what status said of an order, and tells every outcome of its payment that was not told, one after the other.
     *
     * @param callbackAt `callbackAt` of the order before status was asked: that callback has its answer then.
     * @throws {@link StoreError}: what was not told is told the next time.
     */
    tell(place: OrderPlace, replies: readonly Answered[] = [], callbackAt?: number): Promise<Told> {
      const { engine } = options
      // The client has written these replies down already, and an engine reads them there.
      const telling = engine === undefined ? tellAll(place, replies, callbackAt) : engine.tell(locate(place).about)
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
