import { randomUUID } from 'node:crypto'
import type { WireProfile } from '@tillkit/protocol'
import { type Changed, type Decided, openDocuments, type ReadDocument } from '../rules/kept/documents.js'
import type { Patience } from '../rules/kept/persist.js'
import { type Payment, paymentOf } from '../rules/pay/payment.js'
import { documentKey, orderPlace, type PaymentPlace } from '../store/keys.js'
import type { DocumentStore } from '../store/store.js'

/** How long anything waits for the store, in milliseconds. */
export const longestWait = 10_000

/** How long a merchant waits for the store at each step of a payment, in milliseconds: as long as a request takes at most. */
export const longestPaying = 30_000

/** The payments of a till, read and changed. */
export interface PaymentBook {
  readonly place: PaymentPlace
  /** The key of its document. */
  keyOf(reference: string): string
  /** @throws A `StoreError` where the store does not answer within ten seconds. */
  read(reference: string): Promise<ReadDocument>
  /** Reads the document under a key. @throws As `read` does. */
  readKey(key: string): Promise<ReadDocument>
  /** Decides by the very document under a key, a gate: payments themselves are written by runs. @throws As `read` does. */
  decide<Result>(key: string, decide: (read: ReadDocument) => Decided<Result>): Promise<Changed<Result>>
  /** As `readKey`, of the very document under a key, though its order was adopted into another payment. */
  rawRead(key: string): Promise<ReadDocument>
  /** The payment that an order was adopted into; undefined: this is no such order's id. @throws As `read` does. */
  adopterOf(clientOrderId: string): Promise<string | undefined>
  /** The payment for people. */
  view(reference: string, read: ReadDocument): Payment
}

/** Opens the payments of a till. */
export function openPayments({
  store,
  place,
  profile,
  patience: mostTime,
  wait,
}: {
  readonly store: DocumentStore
  readonly place: PaymentPlace
  readonly profile: WireProfile
  /** After how long without an end a person is needed, in milliseconds. */
  readonly patience: number
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}): PaymentBook {
  const documents = openDocuments({ store, newId: randomUUID, wait })
  const keyOf = (reference: string): string => documentKey({ clientOrderId: reference }, place)
  const patience = (): Patience => {
    const signal = AbortSignal.timeout(longestWait)
    return { isOver: () => signal.aborted, signal: () => signal }
  }
  return {
    place,
    keyOf,
    read: reference => documents.read(keyOf(reference), patience()),
    readKey: key => documents.read(key, patience()),
    decide: (key, decide) => documents.decide(key, decide, patience()),
    rawRead: key => documents.readThere(key, patience()),
    adopterOf: async clientOrderId => {
      const { document } = await documents.read(keyOf(clientOrderId), patience())
      const order = document?.orders.find(each => each.clientOrderId === clientOrderId)
      return order?.adoptedAt === undefined ? undefined : document?.reference
    },
    view: (reference, read) => paymentOf(read.document, { reference, at: read.at, profile, patience: mostTime }),
  }
}

/** The reference of the payment that an order belongs to. */
export const referenceOf = (clientOrderId: string): string => orderPlace(clientOrderId).reference
