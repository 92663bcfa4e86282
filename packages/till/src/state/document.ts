import type { Order } from '@tillkit/protocol'
import { type DocumentIds, nameOfAnother, orderPlace } from '../store/keys.js'
import type { KnownDecision } from './decision.js'
import type { Fact } from './facts.js'
import type { KnownOrder, PauseEntry, Telling, Wish } from './known.js'

/** The version of documents that this release writes. It reads no later one. */
export const documentVersion = 1

/**
 * Everything of one payment that must survive a restart. It is plain data: no card number, no key, no signature. Fields that this
 * release does not know are kept.
 */
export interface PaymentDocument {
  readonly v: number
  /** The merchant's name of the payment, as it was first written. */
  readonly reference: string
  /** All that has happened to it, oldest first: the other fields say what that amounts to. */
  readonly facts: readonly Fact[]
  /** Its orders, in the order in which they were opened. */
  readonly orders: readonly KnownOrder[]
  /** The outcome that a handler is being told of. One at a time. */
  readonly telling?: Telling
  /** The wishes of a handler. Each was written together with the mark that the handler was told, and goes once it was done. */
  readonly wishes?: readonly Wish[]
  /** Since when nothing but this document is left of the payment, in milliseconds of the store's clock. It can never begin again. */
  readonly over?: number
  /**
   * The payment that the order with this id was adopted into: its document is the one that counts, and nothing else is in this one.
   * So an order of any id is found by that id alone.
   */
  readonly movedTo?: string
  /** The decisions of people about it, in the order in which they were taken. */
  readonly decisions?: readonly KnownDecision[]
  /** Fields of its history that a later release wrote. They are kept. */
  readonly later?: Readonly<Record<string, unknown>>
  /** Entries of the till's own document: when new money was stopped, and let come again; the latest entry counts. */
  readonly pauses?: readonly PauseEntry[]
}

/** Gives the known document of a payment, or the document that it begins with. */
export const documentOf = (
  known: PaymentDocument | undefined,
  { clientOrderId, orderId, attemptId = '' }: DocumentIds,
): PaymentDocument => known ?? emptyDocument(orderPlace(clientOrderId ?? orderId ?? attemptId).reference)

/** A payment of which nothing is known yet. */
export const emptyDocument = (reference: string): PaymentDocument => ({
  v: documentVersion,
  reference,
  facts: [],
  orders: [],
})

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

/** The till's name of the order that the gateway's ids are about: another one may have the same id of the merchant. */
export function nameIn(
  document: PaymentDocument,
  {
    clientOrderId,
    orderId,
    login,
  }: Pick<Order, 'orderId'> & { readonly clientOrderId?: string | undefined; readonly login: string },
): string | undefined {
  if (clientOrderId === undefined || orderId === undefined) return clientOrderId
  const name = nameOfAnother({ clientOrderId, orderId })
  return findOrder(document, { clientOrderId: name, login }) === undefined ? clientOrderId : name
}
