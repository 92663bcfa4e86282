/**
 * An order in a store, as a client leaves it there whose one request the gateway has taken.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import {
  attemptEnded,
  type DocumentStore,
  documentKey,
  entryOf,
  type KeptPayments,
  type KnownAttempt,
  memoryStore,
  type PaymentDocument,
  readDocument,
  reserveAttempt,
} from '@tillkit/protocol'

/** What the request was, where it was not the sale of order `o-1`. */
export interface KeptOrder extends Partial<Omit<KnownAttempt, 'orderId'>> {
  readonly store?: DocumentStore
  /** The gateway's id; null where its answer was lost. */
  readonly orderId?: string | null
}

/** Keeps an order. @returns Where it is, as `payments` of a client says it. */
export async function keepOrder({ store = memoryStore(), orderId = '77', ...own }: KeptOrder = {}) {
  const payments: KeptPayments = { store, name: 'merchant', environment: 'test', login: 'merchant' }
  const { clientOrderId = 'o-1' } = own
  const key = documentKey({ clientOrderId }, payments)
  const { at, stored } = await store.read(key)
  const attempt: KnownAttempt = {
    attemptId: `${clientOrderId} sale`,
    reservation: randomUUID(),
    operation: 'sale',
    effect: 'creates',
    stages: ['sale'],
    login: payments.login,
    baseUrl: 'https://gate.example/paynet',
    endpointId: '39',
    clientOrderId,
    amount: '10.00',
    currency: 'EUR',
    fingerprint: 'f',
    reservedAt: at,
    sendBy: at + 30_000,
    ...own,
  }
  const reserved = reserveAttempt(stored && readDocument(stored), attempt)
  if (reserved.kind !== 'reserved' || reserved.document === undefined) throw new Error(`It is ${reserved.kind}.`)
  const end = orderId === null ? ({ kind: 'unknown', at } as const) : ({ kind: 'accepted', orderId, at } as const)
  const entry = entryOf(attemptEnded(reserved.document, attempt, end))
  const written = await store.write(key, entry, { version: stored?.version ?? 0, id: randomUUID() })
  if (written.kind !== 'written') throw new Error('Somebody else writes into this store.')
  return payments
}

/** What a store has of the payment of an order. */
export async function documentOf(payments: KeptPayments, clientOrderId = 'o-1'): Promise<PaymentDocument | undefined> {
  const { stored } = await payments.store.read(documentKey({ clientOrderId }, payments))
  return stored && readDocument(stored)
}
