import { sameAmount } from '@tillkit/signing'
import type { StatusResponse } from '../operations/records/replies.js'
import type { StageName } from '../operations/stages.js'
import { defaultProfile } from '../profile/profile.js'
import type { FinalOutcome, WireProfile } from '../profile/types.js'
import { maskCardNumbers } from '../redaction/mask-card-number.js'
import { describeNoId, isNoId, noIdAmong, notText, withoutNulls } from '../reply/read-reply.js'
import { attribute, finalOutcome, observedStage, serialNumberOf, wordOf } from './attribution.js'
import type { Order, Stage, StatusObservation } from './types.js'

/**
 * When a question about an order counts as asked. What is known before it is asked is not newer than its answer, even where
 * a machine whose clock is ahead learned it.
 *
 * @param now Milliseconds since the epoch.
 * @returns `now`, or the latest `askedAt` of the order's stages if that is later.
 */
export function askedAfter({ stages }: Pick<Order, 'stages'>, now: number): number {
  return stages.reduce((latest, { askedAt }) => Math.max(latest, askedAt), now)
}

/**
 * An order of which nothing is known yet. White space at the ends of ids is dropped, as it is when they are sent.
 *
 * @throws {TypeError} without the merchant's order id, and for an id that could not be sent as it is.
 */
export function emptyOrder(ids: { readonly clientOrderId: string; readonly orderId?: string | undefined }): Order {
  if (typeof ids?.clientOrderId !== 'string' || ids.clientOrderId.trim() === '') {
    throw new TypeError("emptyOrder needs the merchant's order id: emptyOrder({ clientOrderId: 'order-1001' }).")
  }
  const { clientOrderId } = ids
  // A database writes null where there was none.
  const orderId = ids.orderId ?? undefined
  const known = orderId === undefined ? {} : { orderId: readId('orderId', orderId) }
  return { clientOrderId: readId('clientOrderId', clientOrderId), ...known, stages: [] }
}

function readId(name: string, id: unknown): string {
  if (typeof id !== 'string') throw new TypeError(`"${name}" is of type ${typeof id}. Write ids as text.`)
  const text = id.trim()
  if (isNoId(text)) throw new TypeError(`"${name}" is ${describeNoId(text)}. Leave it out where it is not known.`)
  if (!/\p{Cc}/u.test(text)) return text
  throw new TypeError(`"${name}" has a line break, a tab or another control character in it. Ids are printable text.`)
}

/**
 * Applies one status reply to an order.
 *
 * A reply that does not echo the order's ids, names no stage, or is older than what is known changes nothing. A stage
 * moves forward only: once it has ended, a word that is not final changes nothing, and a different final word is
 * appended as a correction. A reply that cannot be attributed to one of several equal stages, or that echoes another
 * serial number than was asked about, changes nothing.
 */
export function reduceOrder(
  known: Order,
  observation: StatusObservation,
  profile: WireProfile = defaultProfile,
): Order {
  const order = readOrder('order', known)
  const { reply } = observation
  const stage = observedStage(observation, { stages: order.stages, profile })
  if (stage === undefined || !echoesIds(reply, order)) return order
  const found = attribute(order.stages, { name: stage, observation, profile })
  if (found === 'ambiguous') return order
  const next = found === undefined ? startStage(stage, observation, profile) : advance(found, observation, profile)
  if (next === found) return order
  const stages =
    found === undefined ? [...order.stages, next] : order.stages.map(each => (each === found ? next : each))
  return { ...order, ...(reply.orderId === undefined ? {} : { orderId: reply.orderId }), stages }
}

/** Whether a reply is about this order: both ids echoed exactly, the gateway's as far as it is known. */
export function echoesIds(
  reply: Pick<StatusResponse, 'clientOrderId' | 'orderId'>,
  ids: Pick<Order, 'clientOrderId' | 'orderId'>,
): boolean {
  if (reply.clientOrderId !== ids.clientOrderId || reply.orderId === undefined) return false
  return ids.orderId === undefined || reply.orderId === ids.orderId
}

function startStage(stage: StageName, observation: StatusObservation, profile: WireProfile): Stage {
  const { reply, askedAt } = observation
  const serialNumber = serialNumberOf(observation, profile)
  const word = wordOf(reply, stage)
  return {
    stage,
    ...(word === undefined ? {} : { word }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
    ...reportedFields(reply, profile),
    ...reportedCodes(reply),
    askedAt,
    corrections: [],
  }
}

function advance(known: Stage, observation: StatusObservation, profile: WireProfile): Stage {
  const { reply, askedAt } = observation
  const serialNumber = serialNumberOf(observation, profile)
  const numbered = known.serialNumber === undefined && serialNumber !== undefined ? { ...known, serialNumber } : known
  const outcome = finalOutcome(reply.status, profile)
  if (askedAt < known.askedAt || (askedAt === known.askedAt && saidBefore(known, outcome, profile))) return numbered
  if (known.outcome === undefined) {
    // What an earlier reply said of the amount is no evidence of what this one ends with.
    const { amount: _amount, currency: _currency, ...rest } = numbered
    return { ...rest, ...reportedFields(reply, profile), ...reportedCodes(reply), askedAt }
  }
  if (outcome === undefined) return numbered
  const lastWord = known.corrections.at(-1)?.to ?? known.status
  // Approved in the end, perhaps, over other money than the word before it was about.
  const restated =
    outcome === 'approved' && isOtherMoney(known, reply) ? { restated: { ...reportedMoney(reply), askedAt } } : {}
  if (finalOutcome(lastWord, profile) === outcome) {
    const money = known.amount === undefined ? reportedMoney(reply) : {}
    const first = 'restated' in restated ? saidFirst(known) : {}
    return { ...reportedCodes(reply), ...numbered, ...money, ...first, ...restated, askedAt }
  }
  const corrections = [...known.corrections, { from: lastWord, to: reply.status, askedAt }]
  // People find the movement by the codes of its approval.
  const approval = outcome === 'approved' ? reportedCodes(reply) : {}
  return { ...numbered, ...approval, ...saidFirst(known), askedAt, corrections, ...restated }
}

/** When the first word was said, which a later reply contradicts. Known while nothing has contradicted it yet. */
const saidFirst = ({ askedAt, corrections, restated }: Stage): Pick<Stage, 'statusAskedAt'> =>
  corrections.length === 0 && restated === undefined ? { statusAskedAt: askedAt } : {}

/** Of two replies asked for at the same time neither is the later one: the same word changes nothing when it comes again. */
function saidBefore(known: Stage, outcome: FinalOutcome | undefined, profile: WireProfile): boolean {
  if (outcome === undefined) return true
  const { status, corrections } = known
  const words = corrections.length === 0 ? [] : [status, ...corrections.map(({ to }) => to)]
  return words.some(word => finalOutcome(word, profile) === outcome)
}

/** Whether a reply states money that contradicts what is known; what either leaves out contradicts nothing. */
function isOtherMoney(known: Stage, { amount, currency }: StatusResponse): boolean {
  const isOtherCurrency = known.currency !== undefined && currency !== undefined && known.currency !== currency
  if (known.amount === undefined || amount === undefined || known.amount === amount) return isOtherCurrency
  return isOtherCurrency || !sameAmount(known.amount, amount)
}

function reportedFields(reply: StatusResponse, profile: WireProfile) {
  const outcome = finalOutcome(reply.status, profile)
  return {
    status: reply.status,
    ...(outcome === undefined ? {} : { outcome }),
    ...reportedMoney(reply),
    ...(reply.errorCode === undefined ? {} : { errorCode: reply.errorCode }),
    // An order is kept, and a gateway that quotes the request may quote a card number.
    ...(reply.errorMessage === undefined ? {} : { errorMessage: maskCardNumbers(reply.errorMessage) }),
  }
}

/** Fields of a reply by which people find a movement of money: at the acquirer, on a statement, on a card. */
const codes = ['processorRrn', 'approvalCode', 'cardType', 'lastFourDigits', 'descriptor'] as const

/** An order is kept, and none of these may have a card number in it. */
const reportedCodes = (reply: StatusResponse): Pick<Stage, (typeof codes)[number]> =>
  Object.fromEntries(codes.flatMap(name => (reply[name] === undefined ? [] : [[name, maskCardNumbers(reply[name])]])))

function reportedMoney({ amount, currency }: StatusResponse) {
  return { ...(amount === undefined ? {} : { amount }), ...(currency === undefined ? {} : { currency }) }
}

/**
 * Reads an order that was kept. A field that is null is absent: what is not known must not count as something.
 *
 * @param field Name of what holds it, for the message.
 * @returns The very order where nothing in it is null.
 * @throws {TypeError} when it is not an order, or one of its stages or ids is not one.
 */
export function readOrder(field: string, order: Order): Order {
  if (typeof order !== 'object' || order === null) {
    throw new TypeError(`"${field}" is not an order. Pass an order as it was returned.`)
  }
  if (!Array.isArray(order.stages)) {
    throw new TypeError(`"${field}.stages" is not a list. Pass an order as it was returned.`)
  }
  const stages = order.stages.map((stage, at) => readStage(`${field}.stages[${at}]`, stage))
  const read = withoutNulls(order)
  const wrong = noIdAmong(read, ['clientOrderId', 'orderId'])
  if (wrong !== undefined) throw new TypeError(`"${field}.${wrong.field}" is ${wrong.found}.`)
  return stages.every((stage, at) => stage === read.stages[at]) ? read : { ...read, stages }
}

/** Fields of a stage that are text where they are known. */
export const stageTexts = [
  'word',
  'serialNumber',
  'outcome',
  'amount',
  'currency',
  'processorRrn',
  'approvalCode',
  'cardType',
  'lastFourDigits',
  'descriptor',
  'errorCode',
  'errorMessage',
] as const satisfies readonly (keyof Stage)[]

function readStage(field: string, value: unknown): Stage {
  const stage = typeof value === 'object' && value !== null ? withoutNulls(value) : undefined
  if (stage === undefined || !isStage(stage)) {
    throw new TypeError(`"${field}" is not a stage. Pass an order as it was returned.`)
  }
  const wrong = notText(stage, stageTexts)
  if (wrong === undefined) return stage
  throw new TypeError(
    `"${field}.${wrong.field}" is ${wrong.found}. Keep it as the text that it was: a number loses digits.`,
  )
}

function isStage(value: { readonly [Field in keyof Stage]?: unknown }): value is Stage {
  const { stage, status, askedAt, corrections } = value
  return (
    typeof stage === 'string' && typeof status === 'string' && Number.isFinite(askedAt) && Array.isArray(corrections)
  )
}
