import { randomUUID } from 'node:crypto'
import { isGatewayError } from '@tillkit/client'
import {
  type AdoptionRefusal,
  type AdoptionVerdict,
  type AskedReply,
  adoptOrder,
  describeNoId,
  echoesIds,
  isNoId,
  type KnownOrder,
  movedDocument,
  orderPlace,
  type Payment,
  type PaymentDocument,
  type PlaceVerdict,
  type ReadDocument,
  referenceProblem,
  unmatchedKey,
} from '@tillkit/protocol'
import type { AskedOrder } from '../intents/ask.js'
import type { Account, Accounts } from '../payment/accounts.js'
import type { PaymentBook } from '../payment/book.js'

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
  /** Serial numbers of its requests, oldest first, where you kept them: then the stages before the latest one are known as well. */
  readonly serialNumbers?: readonly string[]
}

/** What became of an adoption. */
export type AdoptResult = { readonly payment: Payment } & (
  | {
      readonly kind: 'adopted'
      /** The payment has the order already: nothing was written. */
      readonly again: boolean
    }
  | {
      readonly kind: 'refused'
      readonly because: AdoptionRefusal
      /** One or two sentences for the person. */
      readonly explanation: string
    }
)

/** What adopting needs of the till. */
export interface AdoptContext {
  readonly accounts: Accounts
  readonly payments: PaymentBook
  /** Milliseconds of this process. */
  readonly clock: () => number
  ask(order: KnownOrder, account: Account, at: number): Promise<AskedOrder>
}

type Refused = Extract<AdoptionVerdict, { readonly kind: 'refused' }>

/**
 * Takes up an order that was made elsewhere. The gateway must know it, and what it says of it is what is kept.
 *
 * @throws {TypeError} for ids that are none; a `StoreError` where the store fails: the same again goes on where this one stopped.
 */
export async function adopt(request: AdoptRequest, context: AdoptContext): Promise<AdoptResult> {
  const { reference, clientOrderId } = readRequest(request)
  const { payments, clock } = context
  const key = payments.keyOf(reference)
  const account = accountFor(request, await payments.rawRead(key), context)
  const refuse = async (refused: Refused): Promise<AdoptResult> => ({
    ...refused,
    payment: payments.view(reference, await payments.read(reference)),
  })
  const answered = await ask({ ...request, clientOrderId }, account, clock)
  if ('because' in answered) return refuse(answered)
  const { replies } = answered
  const isForeign = orderPlace(clientOrderId).reference !== reference
  if (isForeign) {
    const placed = await claim({ reference, clientOrderId }, payments)
    if (placed.kind === 'refused')
      return refuse({ kind: 'refused', because: 'belongs-elsewhere', explanation: placed.explanation })
  }
  const { login, client, profile } = account
  const ids = { attemptId: randomUUID(), reservation: randomUUID() }
  const order = { ...ids, reference, clientOrderId, login, baseUrl: client.baseUrl, fingerprint: '' }
  const { result } = await payments.rawDecide<AdoptionVerdict>(key, ({ document, at }) => {
    const aged = replies.map(({ askedAt, ...asked }) => ({ ...asked, age: clock() - askedAt }))
    const verdict = adoptOrder(document, { ...order, replies: aged }, { profile, at })
    return verdict.kind === 'adopted' ? { result: verdict, document: verdict.document } : { result: verdict }
  })
  if (result.kind === 'refused') {
    if (isForeign) await release({ reference, clientOrderId }, payments)
    return refuse(result)
  }
  await matched({ clientOrderId, login, orderId: replies.at(-1)?.reply.orderId ?? '' }, payments)
  await tell({ reference, clientOrderId, account }, context)
  const now = await payments.read(reference)
  return { kind: 'adopted', again: result.again, payment: payments.view(reference, now) }
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
  { document }: ReadDocument,
  { accounts }: AdoptContext,
): Account {
  const known = account ?? document?.orders.at(-1)?.login
  if (known !== undefined) return accounts.choose({ login: known })
  if (accounts.all.length === 1) return accounts.all[0]
  throw new TypeError(`till.adopt: say with "account" which login the order of ${reference} was made with.`)
}

interface Answered extends Omit<AskedReply, 'age'> {
  readonly askedAt: number
}

/** Asks status by every id that is known: by each serial number, and about the latest request. */
async function ask(
  { clientOrderId, orderId, serialNumbers = [] }: AdoptRequest & { readonly clientOrderId: string },
  { client }: Account,
  clock: () => number,
): Promise<{ readonly replies: readonly Answered[] } | Refused> {
  const ids = { clientOrderId, ...(orderId === undefined ? {} : { orderId }) }
  const replies: Answered[] = []
  for (const bySerialNumber of [...serialNumbers, undefined]) {
    const askedAt = clock()
    try {
      const reply = await client.status({
        ...ids,
        ...(bySerialNumber === undefined ? {} : { byRequestSn: bySerialNumber }),
      })
      if (!echoesIds(reply, ids)) return refusedFor('unknown-at-gateway', 'The status reply was about another order.')
      replies.push({ reply, askedAt, bySerialNumber })
    } catch (error) {
      if (!isGatewayError(error)) throw error
      const isRefused = error.code === 'ERR_REQUEST_REFUSED'
      return refusedFor(isRefused ? 'unknown-at-gateway' : 'no-answer', error.message)
    }
  }
  return { replies }
}

const refusedFor = (because: AdoptionRefusal, explanation: string): Refused => ({
  kind: 'refused',
  because,
  explanation,
})

interface Moving {
  readonly reference: string
  readonly clientOrderId: string
}

/** Claims an id for a payment: callbacks and status of that order lead to the payment from then on. */
async function claim(moving: Moving, payments: PaymentBook): Promise<PlaceVerdict> {
  const { result } = await payments.rawDecide<PlaceVerdict>(payments.keyOf(moving.clientOrderId), ({ document }) => {
    const verdict = movedDocument(document, moving)
    return verdict.kind === 'moved' ? { result: verdict, document: verdict.document } : { result: verdict }
  })
  return result
}

/** Gives an id back that was claimed for a payment which did not take its order, unless it has it by now. */
async function release({ reference, clientOrderId }: Moving, payments: PaymentBook): Promise<void> {
  const { document: target } = await payments.rawRead(payments.keyOf(reference))
  if (target?.orders.some(order => order.clientOrderId === clientOrderId) === true) return
  await payments.rawDecide(payments.keyOf(clientOrderId), ({ document }) => {
    if (document?.movedTo !== reference) return { result: undefined }
    const { movedTo: _gone, ...rest } = document
    return { result: undefined, document: rest }
  })
}

/** An order that callbacks came for is unmatched no longer. */
async function matched(
  ids: { readonly clientOrderId: string; readonly login: string; readonly orderId: string },
  payments: PaymentBook,
): Promise<void> {
  const calm = ({ callbackAt: _answered, ...order }: KnownOrder): KnownOrder => order
  await payments.rawDecide(unmatchedKey(ids, payments.place), ({ document }) => {
    if (!document?.orders.some(({ callbackAt }) => callbackAt !== undefined)) return { result: undefined }
    const after: PaymentDocument = { ...document, orders: document.orders.map(calm) }
    return { result: undefined, document: after }
  })
}

/** Tells what became known by it. What fails of that is done by the work in the background. */
async function tell(
  { reference, clientOrderId, account }: Moving & { readonly account: Account },
  { payments, ask }: AdoptContext,
): Promise<void> {
  const { document, at } = await payments.read(reference)
  const order = document?.orders.find(each => each.clientOrderId === clientOrderId)
  if (order !== undefined) await ask(order, account, at)
}
