/**
 * Payments as a merchant's client leaves them in a store, without a client.
 *
 * @module
 */
import {
  type AttemptEnd,
  attemptEnded,
  type DocumentStore,
  defaultProfile,
  documentKey,
  entryOf,
  findOrder,
  type KeptPayments,
  type KnownAttempt,
  observationOf,
  type PaymentDocument,
  readDocument,
  type StatusResponse,
  statusSeen,
} from '@tillkit/protocol'

/** A moment before the clocks of the tests begin, in milliseconds. */
const earlier = 1_700_000_000_000

/** The sale of order `o-1` over 10.00 EUR: taken by the gateway as its order 77, unless told otherwise. */
export const sale: KnownAttempt = {
  attemptId: 'a-1',
  reservation: 'r-1',
  operation: 'sale',
  effect: 'creates',
  stages: ['sale'],
  login: 'merchant',
  baseUrl: 'https://gate.example/paynet',
  endpointId: '39',
  clientOrderId: 'o-1',
  amount: '10.00',
  currency: 'EUR',
  fingerprint: 'f',
  reservedAt: earlier,
  sendBy: earlier + 30_000,
}

/** A return of 3.00 EUR of that order, to which the gateway gave that serial number. */
export const partialReturn = (serialNumber: string, amount = '3.00'): Partial<KnownAttempt> => ({
  operation: 'return',
  effect: 'changes',
  stages: ['cancel', 'reversal'],
  orderId: '77',
  amount,
  end: { kind: 'accepted', at: earlier, serialNumber },
})

/** Where a merchant keeps its payments. */
export const paymentsIn = (store: DocumentStore, login = 'merchant'): KeptPayments => ({
  store,
  name: login,
  environment: 'test',
  login,
})

/** Writes one payment, by the requests that were sent and what status has said since. It was in no store before. */
export async function keepPayment(
  { store, name, environment, login }: KeptPayments,
  attempts: readonly Partial<KnownAttempt>[] = [{}],
  replies: readonly StatusResponse[] = [],
): Promise<void> {
  let document: PaymentDocument | undefined
  for (const [at, own] of attempts.entries()) {
    const { end = { kind: 'accepted', at: earlier, orderId: '77' }, ...attempt } = { ...sale, login, ...own }
    const ids = { attemptId: `a-${at + 1}`, reservation: `r-${at + 1}` }
    document = attemptEnded(document, { ...attempt, ...ids }, end)
  }
  const about = { login, clientOrderId: attempts[0]?.clientOrderId ?? sale.clientOrderId ?? '' }
  for (const [at, reply] of replies.entries()) {
    const order = document === undefined ? undefined : findOrder(document, about)
    if (order === undefined) throw new Error('No request made that order.')
    const observation = observationOf(order, { reply, age: 0, bySerialNumber: reply.byRequestSn }, earlier + at)
    document = statusSeen(document, about, { observation, profile: defaultProfile })
  }
  if (document === undefined) throw new Error('A payment begins with a request.')
  const key = documentKey(about, { name, environment })
  await store.write(key, entryOf(document), { id: `kept:${about.clientOrderId}` })
}

/** Writes down that an attempt of order `o-1` was answered only now. */
export async function keepAnswer(payments: KeptPayments, attemptId: string, end: AttemptEnd): Promise<void> {
  const key = documentKey({ clientOrderId: 'o-1' }, payments)
  const { stored } = await payments.store.read(key)
  const document = stored === undefined ? undefined : readDocument(stored)
  const attempt = document?.orders[0]?.attempts.find(each => each.attemptId === attemptId)
  if (stored === undefined || attempt === undefined) throw new Error('It was never sent.')
  const { version, writeId: after } = stored
  await payments.store.write(key, entryOf(attemptEnded(document, attempt, end)), { after, id: `answered:${version}` })
}

/** What a store has of a payment. */
export async function paymentOf(
  { store, name, environment }: KeptPayments,
  clientOrderId = 'o-1',
): Promise<PaymentDocument | undefined> {
  const { stored } = await store.read(documentKey({ clientOrderId }, { name, environment }))
  return stored === undefined ? undefined : readDocument(stored)
}
