import {
  finalOutcome,
  mayRepeat,
  operations,
  type StageName,
  type StatusResponse,
  stageOf,
  type WireProfile,
} from '@tillkit/protocol'
import { sameAmount } from '@tillkit/signing'
import { emptyDocument, findOrder, type PaymentDocument } from '../../state/document.js'
import { evolve } from '../../state/evolve.js'
import { nameOf } from '../../state/facts.js'
import type { KnownOrder, KnownStage } from '../../state/known.js'
import { hasRoom, hasShortIds } from '../../state/room.js'
import { orderIdFor, orderPlace } from '../../store/keys.js'
import { creationOf } from '../orders/expected.js'
import { type AskedReply, repliedTo } from '../orders/happened.js'
import { statusFacts } from '../orders/status-facts.js'
import { isForm } from '../pay/next-step.js'
import { beginnings, type LostRequest, takeUpOrder } from '../pay/take-up.js'

/** An order that was made elsewhere, and what status says of it. */
export interface AdoptedOrder extends Omit<LostRequest, 'operation' | 'purpose'> {
  readonly reference: string
  /** Replies to the questions by serial number, oldest first, and at last the one about the latest request. */
  readonly replies: readonly AskedReply[]
}

/**
 * Why an order was not adopted.
 *
 * `unknown-at-gateway`: the gateway does not know it. `no-answer`: status did not answer. `belongs-elsewhere`: it is an order of another
 * payment of the store. `other-payment`: the payment has another purpose, currency or account, or its reference differs in case. `skipped`:
 * the gateway has an earlier order of the payment that the payment lacks, or the payment lacks more than 20. `over`: only the name of the
 * payment is kept. `full`: its document has no room.
 */
export type AdoptionRefusal =
  | 'unknown-at-gateway'
  | 'no-answer'
  | 'belongs-elsewhere'
  | 'other-payment'
  | 'skipped'
  | 'over'
  | 'full'

/** An order that was not adopted. */
export interface RefusedAdoption {
  readonly kind: 'refused'
  readonly because: AdoptionRefusal
  /** One or two sentences for the person. */
  readonly explanation: string
}

/** The result of adopting an order. `again`: it was adopted, or sent from here, before; what status says of it is taken up all the same. */
export type AdoptionVerdict =
  | { readonly kind: 'adopted'; readonly again: boolean; readonly document: PaymentDocument }
  | RefusedAdoption

export const refused = (because: AdoptionRefusal, explanation: string): RefusedAdoption => ({
  kind: 'refused',
  because,
  explanation,
})

/**
 * Takes an order that was made elsewhere into a payment, with what status says of it: nothing is kept that the gateway did not say. A gate.
 *
 * @param at What the store's clock says, in milliseconds.
 */
export function adoptOrder(
  known: PaymentDocument | undefined,
  { reference, replies, ...request }: AdoptedOrder,
  { profile, at }: { readonly profile: WireProfile; readonly at: number },
): AdoptionVerdict {
  const document = known ?? emptyDocument(reference)
  const { clientOrderId, login } = request
  if (document.over !== undefined) return refused('over', 'The payment was over long ago, and only its name is kept.')
  if (document.movedTo !== undefined)
    return refused('belongs-elsewhere', `${reference} is itself the id of an order of payment ${document.movedTo}.`)
  if (document.reference !== reference)
    return refused('other-payment', `Payment ${document.reference} is there already, and differs in case only.`)
  const about = { clientOrderId, login }
  const there = findOrder(document, about)
  const seen = (before: PaymentDocument, answers: typeof replies): PaymentDocument =>
    answers.reduce((after, asked) => repliedTo(after, about, { asked, profile, at }), before)
  const fitting = (after: PaymentDocument, again: boolean): AdoptionVerdict =>
    findOrder(after, about)?.crowded === true || !hasRoom(after, 'status')
      ? refused('full', 'The document of the payment has no room for what status says.')
      : { kind: 'adopted', again, document: after }
  if (there !== undefined && (there.attempts.length > 0 || there.stages.length > 0)) {
    const own = replies.filter(each => !isPerhapsLatest(each, replies.at(-1)))
    return fitting(seen(numberedBy(document, there, { replies: own, profile }), own), true)
  }
  const [first] = replies
  const latest = replies.at(-1)
  if (first === undefined || latest === undefined || !hasShortIds([latest.reply.orderId]))
    return refused('unknown-at-gateway', 'The gateway gave it no id that can be kept.')
  const { orderId, currency } = latest.reply
  if (document.orders.some(each => each.login === login && orderId !== undefined && each.orderId === orderId))
    return refused('belongs-elsewhere', 'Another order of the payment has that id of the gateway.')
  const purpose = purposeOf(document, replies, profile)
  const other = otherPayment(document, { purpose, currency, login })
  if (other !== undefined) return refused('other-payment', `The payment has another ${other}.`)
  const taken = takeUpOrder(
    document,
    { ...request, operation: operationFor(purpose), purpose },
    { asked: first, profile, at },
  )
  const order = findOrder(taken, about)
  if (order === undefined) return refused('over', 'The payment takes no order any more.')
  const begun = evolve(taken, { kind: 'adopted', order: nameOf(order), at })
  return fitting(seen(begun, replies.slice(1)), false)
}

/** The ids of earlier orders than this one that a payment lacks. */
export function skippedBy(
  known: PaymentDocument | undefined,
  { reference, clientOrderId }: Pick<AdoptedOrder, 'reference' | 'clientOrderId'>,
): readonly string[] {
  const place = orderPlace(clientOrderId)
  if (place.reference !== reference) return []
  const there = new Set(known?.orders.map(each => each.clientOrderId))
  if (there.has(clientOrderId)) return []
  const earlier = Array.from({ length: place.attempt - 1 }, (_, nth) => orderIdFor({ reference, attempt: nth + 1 }))
  return earlier.filter(each => !there.has(each))
}

/**
 * Whether a reply does not say that it is about the number that was asked about, and says what the latest one says: a gateway that does not
 * know the number may have answered about the latest request.
 */
const isPerhapsLatest = ({ bySerialNumber, reply }: AskedReply, latest: AskedReply | undefined): boolean =>
  bySerialNumber !== undefined &&
  reply.byRequestSn === undefined &&
  latest !== undefined &&
  (['status', 'transactionType', 'orderStage', 'amount', 'processorRrn'] as const).every(
    field => reply[field] === latest.reply[field],
  )

/**
 * The payment in which stages without a number have those that a person has looked up: of two movements that nothing tells apart it does
 * not matter which has which. Without that they would be told once more.
 */
function numberedBy(
  document: PaymentDocument,
  order: KnownOrder,
  { replies, profile }: { readonly replies: AdoptedOrder['replies']; readonly profile: WireProfile },
): PaymentDocument {
  const left = new Map(
    replies.flatMap(({ reply, bySerialNumber }) => {
      const isKnown = order.stages.some(({ serialNumber }) => serialNumber === bySerialNumber)
      return bySerialNumber === undefined || isKnown ? [] : [[bySerialNumber, reply] as const]
    }),
  )
  const stages = order.stages.map(stage => {
    if (stage.serialNumber !== undefined || !mayRepeat(stage.stage)) return stage
    const [serialNumber] = [...left].find(([, reply]) => isSameMovement(stage, reply, profile)) ?? []
    if (serialNumber === undefined) return stage
    left.delete(serialNumber)
    return { ...stage, serialNumber }
  })
  return evolve(document, ...statusFacts(order, { ...order, stages }))
}

/** Whether a reply is about a stage, as far as anything tells. */
function isSameMovement(stage: KnownStage, reply: StatusResponse, profile: WireProfile): boolean {
  const isOther = (field: 'processorRrn' | 'approvalCode') =>
    stage[field] !== undefined && reply[field] !== undefined && stage[field] !== reply[field]
  const isAmount = stage.amount !== undefined && reply.amount !== undefined && sameAmount(stage.amount, reply.amount)
  const isWord = stage.corrections.length === 0 && stage.outcome === finalOutcome(reply.status, profile)
  return (
    stageOf(reply, profile) === stage.stage &&
    isAmount &&
    isWord &&
    !isOther('processorRrn') &&
    !isOther('approvalCode')
  )
}

/** The stage that made an order, as a later stage shows it; the other later stages can come after several. */
const madeBy: { readonly [Stage in StageName]?: StageName } = { capture: 'preauth', void: 'preauth' }

/** Finds the purpose of the order, by what status says of it; else the purpose of the payment. */
function purposeOf({ orders }: PaymentDocument, replies: AdoptedOrder['replies'], profile: WireProfile): StageName {
  const seen = replies.flatMap(({ reply }) => stageOf(reply, profile) ?? [])
  const first = seen.find(each => beginnings.has(each))
  const before = orders.flatMap(each => creationOf(each)?.attempt.stages[0] ?? [])
  return first ?? seen.flatMap(each => madeBy[each] ?? [])[0] ?? before[0] ?? 'sale'
}

/** An operation that makes such orders. A form has a customer, of whom nothing is known here. */
function operationFor(purpose: StageName): string {
  const makes = Object.entries(operations).filter(
    ([, { effect, stages }]) => effect === 'creates' && stages.some(each => each === purpose),
  )
  const direct = makes.filter(([operation]) => !isForm({ operation }))
  const [name] = direct.find(([operation]) => operation === purpose) ?? direct[0] ?? makes[0] ?? []
  return name ?? 'sale'
}

interface Terms {
  readonly purpose: StageName
  readonly currency: string | undefined
  readonly login: string
}

function otherPayment({ orders }: PaymentDocument, { purpose, currency, login }: Terms): string | undefined {
  for (const order of orders) {
    const attempt = creationOf(order)?.attempt ?? order.attempts.find(({ effect }) => effect === 'creates')
    if (attempt === undefined) continue
    if (!attempt.stages.includes(purpose)) return `purpose (${attempt.stages.join(' or ')})`
    if (attempt.login !== login) return `account (${attempt.login})`
    const isOtherCurrency = attempt.currency !== undefined && currency !== undefined && attempt.currency !== currency
    if (isOtherCurrency) return `currency (${attempt.currency})`
  }
  return undefined
}

/** The result of marking an id as that of an order of a payment. */
export type PlaceVerdict =
  | { readonly kind: 'moved'; readonly document: PaymentDocument }
  | { readonly kind: 'refused'; readonly explanation: string }

/**
 * Marks that the order of this id belongs to another payment, in the document that the id would have. Of two who claim one id for two
 * payments one wins. A gate.
 */
export function movedDocument(
  known: PaymentDocument | undefined,
  { clientOrderId, reference }: { readonly clientOrderId: string; readonly reference: string },
): PlaceVerdict {
  const document = known ?? emptyDocument(clientOrderId)
  if (document.movedTo === reference && document.reference === clientOrderId) return { kind: 'moved', document }
  if (document.movedTo !== undefined)
    return { kind: 'refused', explanation: `Order ${document.reference} is one of payment ${document.movedTo}.` }
  if (document.over !== undefined || document.orders.length > 0)
    return { kind: 'refused', explanation: `Order ${clientOrderId} is one of payment ${document.reference}.` }
  return { kind: 'moved', document: { ...document, reference: clientOrderId, movedTo: reference } }
}
