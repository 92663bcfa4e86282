/**
 * The ids of orders that were made elsewhere, and lead to the payments that took them up.
 *
 * @module
 */

import type { PaymentBook } from '../payment/book.js'
import { movedDocument, type PlaceVerdict } from '../rules/people/adopt.js'
import type { PaymentDocument } from '../state/document.js'
import type { KnownOrder } from '../state/known.js'
import { unmatchedKey } from '../store/keys.js'

/** An order that moves into a payment. */
export interface Moving {
  readonly reference: string
  readonly clientOrderId: string
}

/** Claims an id for a payment: callbacks and status of that order lead to the payment from then on. */
export async function claim(moving: Moving, payments: PaymentBook): Promise<PlaceVerdict> {
  const { result } = await payments.decide<PlaceVerdict>(payments.keyOf(moving.clientOrderId), ({ document }) => {
    const verdict = movedDocument(document, moving)
    return verdict.kind === 'moved' ? { result: verdict, document: verdict.document } : { result: verdict }
  })
  return result
}

/** Gives an id back that was claimed for a payment which did not take its order, unless it has it by now. */
export async function release({ reference, clientOrderId }: Moving, payments: PaymentBook): Promise<void> {
  const { document: target } = await payments.rawRead(payments.keyOf(reference))
  if (target?.orders.some(order => order.clientOrderId === clientOrderId) === true) return
  await payments.decide(payments.keyOf(clientOrderId), ({ document }) => {
    if (document?.movedTo !== reference) return { result: undefined }
    const { movedTo: _gone, ...rest } = document
    return { result: undefined, document: rest }
  })
}

/** An order that callbacks came for is unmatched no longer. */
export async function matched(
  ids: { readonly clientOrderId: string; readonly login: string; readonly orderId: string },
  payments: PaymentBook,
): Promise<void> {
  const calm = ({ callbackAt: _answered, ...order }: KnownOrder): KnownOrder => order
  await payments.decide(unmatchedKey(ids, payments.place), ({ document }) => {
    if (!document?.orders.some(({ callbackAt }) => callbackAt !== undefined)) return { result: undefined }
    const after: PaymentDocument = { ...document, orders: document.orders.map(calm) }
    return { result: undefined, document: after }
  })
}
