import type { Correction, Order, Stage } from '../order/types.js'
import type { RememberedAttempt } from './attempt.js'
import { readAttempt } from './attempt-rules.js'
import { type DocumentIds, orderPlace } from './keys.js'
import { type Stored, StoreError } from './store.js'

/** The version of documents that this release writes. It reads no later one. */
const documentVersion = 1

/**
 * What must survive a restart, of one payment. Plain data: no card data, no key, no signature. Fields that this release does
 * not know are kept.
 */
export interface PaymentDocument {
  readonly v: number
  /** The merchant's name of the payment, as it was first written. */
  readonly reference: string
  /** Its orders, in the order in which they were opened. */
  readonly orders: readonly KnownOrder[]
  /** The outcome that a handler is being told of. One at a time. */
  readonly telling?: Telling
  /** Since when nothing but this document is left of the payment, in milliseconds of the store's clock. It can never begin again. */
  readonly over?: number
}

/** One order of a payment. */
export interface KnownOrder {
  readonly clientOrderId?: string
  readonly login: string
  /** The gateway's id, once it is known. */
  readonly orderId?: string
  /** Requests that create or change it, in the order in which they were reserved. */
  readonly attempts: readonly KnownAttempt[]
  readonly stages: readonly KnownStage[]
  /** Status said more of it than its document has room for: a person must look. */
  readonly crowded?: true
  /** When a verified callback came about which status was not asked since, in milliseconds of the store's clock. */
  readonly callbackAt?: number
  readonly threeDSecure?: ThreeDSecureProgress
}

/** How far a customer is with 3DS. Its times are those of the store's clock. */
export interface ThreeDSecureProgress {
  /** Steps that were handed over or whose result was uploaded. */
  readonly done: readonly string[]
  /** The latest 3DS method. */
  readonly method?: {
    /** Transaction id of the 3DS server. */
    readonly id: string
    /** When its hidden frame was first shown. */
    readonly startedAt: number
    /** When the bank notified us through that frame. */
    readonly notifiedAt?: number
  }
}

/** An attempt as a document has it. Its times are those of the store's clock. */
export interface KnownAttempt extends RememberedAttempt {
  /** Identifies the reservation: of two calls with one `attemptId`, the document says which one has it. */
  readonly reservation: string
  /** No byte of it starts after this moment, in milliseconds since the epoch. */
  readonly sendBy: number
  /** The way to `no-trace`, as far as it was gone. */
  readonly absence?: AbsencePosition
}

/** Where the way to `no-trace` stands, in milliseconds since the epoch. */
export interface AbsencePosition {
  /** Since when nothing of the request can be on its way from here. */
  readonly quietSince: number
  /** When the first answer of absence that counts had come. */
  readonly neverSeenAt?: number
}

/** A stage, and how many of its words were told, see {@link wordsOf}. Absent: none. */
export interface KnownStage extends Stage {
  readonly corrections: readonly KnownCorrection[]
  readonly told?: number
}

/** A correction, and which one of its stage it is, from 0 on, where some before it were not kept. Absent: one more than that before it. */
export interface KnownCorrection extends Correction {
  readonly nth?: number
}

/** The right to tell an outcome. */
export interface Telling {
  readonly token: string
  /** Place of the order in `orders`, and of the stage in its `stages`: neither list ever loses an element. */
  readonly order: number
  readonly stage: number
  /** How many words of the stage are told then. */
  readonly words: number
  /** No other claim is given before this moment, in milliseconds of the store's clock. */
  readonly until: number
}

/**
 * Reads what a store keeps.
 *
 * @throws {StoreError} `ERR_STORE_DOCUMENT` for what is no document, or one of a later release: nothing may be sent or told
 * about it here.
 */
export function readDocument({ key, body }: Stored): PaymentDocument {
  const unreadable = (why: string, cause?: unknown) =>
    new StoreError(
      'ERR_STORE_DOCUMENT',
      `What the store keeps under ${JSON.stringify(key)} ${why}. Nothing was sent, told or written about it.`,
      { cause },
    )
  let document: Partial<PaymentDocument> | null
  try {
    document = JSON.parse(body)
  } catch (cause) {
    throw unreadable('is no JSON: somebody else wrote it, or it was damaged. Restore it from a backup', cause)
  }
  const { v, reference, orders } = document ?? {}
  if (typeof v !== 'number' || typeof reference !== 'string' || !Array.isArray(orders))
    throw unreadable('is no payment document')
  if (v > documentVersion) {
    throw unreadable(
      `was written by a later release (version ${v}; this one reads up to ${documentVersion}): update this process`,
    )
  }
  try {
    for (const order of orders as readonly KnownOrder[]) for (const attempt of order.attempts) readAttempt(attempt)
  } catch (cause) {
    throw unreadable('has an attempt that cannot be read', cause)
  }
  return document as PaymentDocument
}

/** What is known of a payment, or the document that it begins with. */
export const documentOf = (
  known: PaymentDocument | undefined,
  { clientOrderId, orderId, attemptId = '' }: DocumentIds,
): PaymentDocument => known ?? emptyDocument(orderPlace(clientOrderId ?? orderId ?? attemptId).reference)

/** A payment of which nothing is known yet. */
export const emptyDocument = (reference: string): PaymentDocument => ({ v: documentVersion, reference, orders: [] })

/**
 * What is left of a payment once it no longer need be kept: its ids, so that it never becomes new again, and nothing of a person.
 *
 * @param at Milliseconds of the store's clock.
 */
export function tombstoneOf({ v, reference, orders }: PaymentDocument, at: number): PaymentDocument {
  const ids = orders.map(({ clientOrderId, orderId, login }) => ({
    clientOrderId,
    orderId,
    login,
    attempts: [],
    stages: [],
  }))
  return { v, reference, orders: ids as readonly KnownOrder[], over: at }
}

/** From when on no byte of an attempt can be on its way: every wait for its answer is over by then. */
export const quietFrom = ({ sendBy, reservedAt }: Pick<KnownAttempt, 'sendBy' | 'reservedAt'>): number =>
  sendBy + Math.max(0, sendBy - reservedAt)

/** Whether the gateway contradicted itself about a stage. */
export const isDisputed = ({ corrections, restated }: Stage): boolean =>
  corrections.length > 0 || restated !== undefined

/** Which correction of its stage each is, counted from 0: one before it may not have been kept. */
export function placesOf(corrections: readonly KnownCorrection[]): readonly number[] {
  let next = 0
  return corrections.map(({ nth = next }) => {
    next = nth + 1
    return nth
  })
}

/** How many words a stage has had that somebody must hear: its final one, each correction, and that it was over other money. */
export const wordsOf = ({ outcome, corrections, restated }: KnownStage): number =>
  outcome === undefined ? 0 : 2 + (placesOf(corrections).at(-1) ?? -1) + (restated === undefined ? 0 : 1)

/** Whether a stage has a word that was not told. */
export const isUntold = (stage: KnownStage): boolean => (stage.told ?? 0) < wordsOf(stage)

/** The order of a document that ids are about. The gateway's id counts where the merchant's is not given. */
export function findOrder(
  { orders }: PaymentDocument,
  {
    clientOrderId,
    orderId,
    login,
  }: Pick<Order, 'orderId'> & { readonly clientOrderId?: string | undefined; readonly login: string },
): KnownOrder | undefined {
  return orders.find(
    order =>
      order.login === login &&
      (clientOrderId === undefined ? order.orderId === orderId : order.clientOrderId === clientOrderId),
  )
}
