import { randomUUID } from 'node:crypto'
import { describeNoId, isNoId } from '@tillkit/protocol'
import { type AdoptPlan, adopt as adoptNow } from '../intents/adopt.js'
import { lostOrdersPlan } from '../intents/find-lost.js'
import { planned } from '../intents/next.js'
import type { Account } from '../payment/accounts.js'
import type { PaymentBook } from '../payment/book.js'
import type { ChangeRunContext } from '../payment/change/change-payment.js'
import { kept } from '../payment/deliveries.js'
import type { Answer } from '../rules/answer.js'
import type { Payment } from '../rules/pay/payment.js'
import { movedDocument, type PlaceVerdict, type RefusedAdoption } from '../rules/people/adopt.js'
import type { PaymentDocument } from '../state/document.js'
import type { KnownOrder } from '../state/known.js'
import { orderPlace, referenceProblem, type UnmatchedAbout, unmatchedKey } from '../store/keys.js'

/** An order that was made elsewhere: by code from before the till, by hand, or one that an unmatched callback named. */
export interface AdoptRequest {
  /** Your name of the payment that it belongs to. */
  readonly reference: string
  /** The merchant's id that the order was made with, whatever it looks like. Default: the reference. */
  readonly clientOrderId?: string
  /** The gateway's id of it, where you know it: status is asked by both then. */
  readonly orderId?: string
  /** Login of the account that it was made with. Default: that of the payment so far, else the only one. */
  readonly account?: string
  /**
   * Serial numbers of its requests, oldest first: then the stages before the latest one are known as well. Status shows the latest one
   * alone, so that they bring back what a restored store has lost of an order.
   */
  readonly serialNumbers?: readonly string[]
}

/** The result of an adoption. */
export type AdoptResult = { readonly payment: Payment } & (
  | {
      readonly kind: 'adopted'
      /** The payment had the order already. What status says of it by `serialNumbers` is written down all the same. */
      readonly again: boolean
    }
  | RefusedAdoption
)

/**
 * Takes up an order that was made elsewhere, or what is missing of a known one. The gateway must know it, and what it says is kept.
 *
 * @throws {TypeError} for ids that are none; a `StoreError` where the store fails: the same again goes on where this one stopped.
 */
export async function adopt(request: AdoptRequest, context: ChangeRunContext): Promise<AdoptResult> {
  const { reference, clientOrderId } = readRequest(request)
  const { payments } = context
  const adopted = await takeUp({ ...request, reference, clientOrderId }, context)
  if (adopted.kind === 'adopted') {
    const { login, orderId = '' } = adopted
    await matched({ clientOrderId, login, orderId }, payments)
    const { document } = await payments.read(reference)
    await askAbout(document, clientOrderId, context)
  }
  const payment = payments.view(reference, await payments.read(reference))
  return adopted.kind === 'refused' ? { ...adopted, payment } : { kind: 'adopted', again: adopted.again, payment }
}

/** A request of which both ids are known. */
type NamedRequest = AdoptRequest & Moving

type Taken =
  | RefusedAdoption
  | { readonly kind: 'adopted'; readonly again: boolean; readonly login: string; readonly orderId: string | undefined }

const isForeign = ({ reference, clientOrderId }: Moving): boolean => orderPlace(clientOrderId).reference !== reference

/** Asks, and takes the order up. A foreign id is claimed in between: it leads to the payment from then on, or is given back. */
async function takeUp(request: NamedRequest, context: ChangeRunContext): Promise<Taken> {
  const { reference, clientOrderId, orderId, serialNumbers = [] } = request
  const { accounts, deliveries, payments } = context
  const order = { reference, clientOrderId, attemptId: randomUUID(), reservation: randomUUID(), fingerprint: '' }
  const accountOf: AdoptPlan['accountOf'] = document => {
    const { login, client, profile } = accountFor(request, document, context)
    return { login, baseUrl: client.baseUrl, profile }
  }
  const settle = async (more: Pick<AdoptPlan, 'answers' | 'isTakenUp'>) => {
    const lost = lostOrdersPlan(accounts.all, { madeUp: `never-${randomUUID()}` })
    const next = planned('adopt', { order, orderId, serialNumbers, accountOf, lost, ...more }, adoptNow)
    const { result } = await kept(deliveries.drive(accounts.all[0], payments.keyOf(reference), { next, stays: true }))
    return result
  }
  const take = async (answers?: readonly Answer[]): Promise<Taken> => {
    const result = await settle({ isTakenUp: true, ...(answers === undefined ? {} : { answers }) })
    if (result.kind === 'answered') throw new Error(`The order ${clientOrderId} was only asked about.`)
    return result.kind === 'refused' ? result : { ...result, login: result.account.login }
  }
  if (!isForeign(request)) return take()
  const asked = await settle({ isTakenUp: false })
  if (asked.kind === 'refused') return asked
  const placed = await claim(request, payments)
  if (placed.kind === 'refused')
    return { kind: 'refused', because: 'belongs-elsewhere', explanation: placed.explanation }
  const taken = await take(asked.kind === 'answered' ? asked.answers : undefined)
  if (taken.kind === 'refused') await release(request, payments)
  return taken
}

/** @throws {TypeError} for ids that are none. */
function readRequest({ reference, clientOrderId = reference, orderId, serialNumbers = [] }: AdoptRequest) {
  const wrong = (field: string, problem: string) => new TypeError(`till.adopt: "${field}" ${problem}.`)
  const check = (field: string, id: unknown): void => {
    if (typeof id !== 'string' || id.length > 200) throw wrong(field, 'must be text of at most 200 characters')
    if (isNoId(id)) throw wrong(field, `is ${describeNoId(id)}`)
    if (id !== id.trim()) throw wrong(field, 'has white space around it')
  }
  check('reference', reference)
  check('clientOrderId', clientOrderId)
  if (orderId !== undefined) check('orderId', orderId)
  for (const each of serialNumbers) check('serialNumbers', each)
  if (serialNumbers.length > 20) throw wrong('serialNumbers', 'has more than 20 entries')
  for (const [field, id] of Object.entries({ reference, clientOrderId })) {
    const problem = referenceProblem(id)
    if (problem !== undefined) throw wrong(field, `cannot be kept: ${problem}`)
  }
  if (orderPlace(reference).attempt > 1) throw wrong('reference', 'is the id of a later order: name the payment')
  const place = orderPlace(clientOrderId)
  const isCaseOnly = place.reference !== reference && place.reference.toLowerCase() === reference.toLowerCase()
  if (isCaseOnly) throw wrong('clientOrderId', 'differs from the reference in case only')
  if (place.attempt > 1 && place.reference !== reference)
    throw wrong('clientOrderId', `is the id of a later order of payment ${place.reference}: adopt it there`)
  return { reference, clientOrderId }
}

/** @throws {TypeError} where it is not known which account the order was made with. */
function accountFor(
  { account, reference }: AdoptRequest,
  document: PaymentDocument | undefined,
  { accounts }: ChangeRunContext,
): Account {
  const known = account ?? document?.orders.at(-1)?.login
  if (known !== undefined) return accounts.choose({ login: known })
  if (accounts.all.length === 1) return accounts.all[0]
  throw new TypeError(`till.adopt: say with "account" which login the order of ${reference} was made with.`)
}

/**
 * Asks about an order whose payment has news, and tells what became known. What fails of that is done by the work in the background.
 *
 * @returns Whether there was anybody to ask.
 */
export async function askAbout(
  payment: PaymentDocument | undefined,
  clientOrderId: string,
  { accounts, deliveries }: Pick<ChangeRunContext, 'accounts' | 'deliveries'>,
): Promise<boolean> {
  const order = payment?.orders.find(each => each.clientOrderId === clientOrderId)
  const account = order && accounts.ofLogin(order.login)
  if (order === undefined || account === undefined) return false
  await deliveries.ask(order, account)
  return true
}

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
export async function matched(ids: UnmatchedAbout, payments: PaymentBook): Promise<void> {
  const calm = ({ callbackAt: _answered, ...order }: KnownOrder): KnownOrder => order
  await payments.decide(unmatchedKey(ids, payments.place), ({ document }) => {
    if (!document?.orders.some(({ callbackAt }) => callbackAt !== undefined)) return { result: undefined }
    const after: PaymentDocument = { ...document, orders: document.orders.map(calm) }
    return { result: undefined, document: after }
  })
}
