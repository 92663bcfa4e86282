import {
  type AllowedNow,
  type AttributionInput,
  allowedNow,
  askedAfter,
  attribute,
  describeValue,
  echoesIds,
  emptyOrder,
  finalOutcome,
  isNoId,
  nearName,
  type Order,
  type OrderTotals,
  orderTotals,
  quote,
  quoteMoney,
  readOrder,
  reduceOrder,
  type StatusObservation,
  type StatusResponse,
  serialNumberOf,
  stageOf,
  type WireProfile,
} from '@tillkit/protocol'
import { sameAmount } from '@tillkit/signing'
import type { AskStatus } from '../attempts/attempt.js'
import { unseenChanges } from '../attempts/order-changes.js'
import type { CallOptions } from '../config/options.js'
import type { Settings } from '../config/settings.js'
import { UnreadableReplyError } from '../errors/errors.js'
import type { OrderQuestion, OrderView } from './types.js'

/**
 * Asks status about an order: once by each serial number, and once for its latest stage. It fails where any of the questions
 * does, or an answer is about another order: part of an order is never shown for the whole.
 */
export async function askOrder(
  asked: OrderQuestion,
  options: CallOptions,
  { status, settings }: { readonly status: AskStatus; readonly settings: Settings },
): Promise<OrderView> {
  const question = checkedQuestion(asked)
  const { clock, profile } = settings
  let order = startOrder(question)
  let askedAt = clock()
  const doubts: string[] = []
  const numbered: StatusResponse[] = []
  let isWhole = true
  for (const bySerialNumber of [...serialNumbers(question, order), undefined]) {
    askedAt = clock()
    const observedAt = askedAfter(order, askedAt)
    const { clientOrderId, orderId } = order
    const ids = { clientOrderId, ...(orderId === undefined ? {} : { orderId }) }
    const reply = await status(bySerialNumber === undefined ? ids : { ...ids, byRequestSn: bySerialNumber }, options)
    const observation = { reply, askedAt: observedAt, ...(bySerialNumber === undefined ? {} : { bySerialNumber }) }
    const taken = takeAnswer(order, observation, { profile, numbered })
    order = taken.order
    if (serialNumberOf(observation, profile) !== undefined) numbered.push(reply)
    if (taken.doubt !== undefined) doubts.push(taken.doubt)
    if (taken.isUncounted === true) isWhole = false
  }
  const unseen = await unseenChanges(order, { options, settings })
  if (unseen.length > 0) isWhole = false
  const totals = isWhole ? orderTotals(order, profile) : undefined
  return {
    order,
    stages: order.stages,
    totals,
    allowed: isWhole ? allowedNow(order, profile) : nothing,
    evidence: 'status-reply',
    askedAt,
    remarks: [...doubts, ...unseen, ...orderRemarks(order, totals)],
  }
}

const nothing: AllowedNow = Object.freeze({ capture: false, void: false, return: undefined })

function startOrder({ clientOrderId, orderId, known }: OrderQuestion): Order {
  const asked = emptyOrder({ clientOrderId, ...(orderId === undefined ? {} : { orderId }) })
  if (known === undefined) return asked
  const isOther =
    known.clientOrderId !== asked.clientOrderId ||
    (asked.orderId !== undefined && known.orderId !== undefined && known.orderId !== asked.orderId)
  if (!isOther) return { ...known, ...asked, stages: known.stages }
  throw new TypeError(
    `"known" is order ${quote(known.clientOrderId)} / ${quote(known.orderId)}, asked was for ${quote(clientOrderId)} / ` +
      `${quote(orderId)}. Nothing was asked.`,
  )
}

/** Those that were handed over, and those of known stages that had not ended. */
function serialNumbers(question: OrderQuestion, { stages }: Order): readonly string[] {
  const open = stages.flatMap(({ outcome, serialNumber }) => (outcome === undefined ? (serialNumber ?? []) : []))
  return [...new Set([...(question.serialNumbers ?? []), ...open])]
}

/** An order after a reply. */
interface Taken {
  readonly order: Order
  /** What the reply leaves open, in one sentence. */
  readonly doubt?: string
  /** The reply shows something that is certainly not among the stages: they are not the whole of the order. */
  readonly isUncounted?: boolean
}

/**
 * Takes one status reply into an order. One that says nothing but what a numbered reply has just said adds nothing.
 *
 * @param numbered Replies to this very question that say which request they are about.
 */
function takeAnswer(
  order: Order,
  observation: StatusObservation,
  { profile, numbered }: { readonly profile: WireProfile; readonly numbered: readonly StatusResponse[] },
): Taken {
  const { reply, bySerialNumber } = observation
  if (!echoesIds(reply, order)) throw otherOrder(order, reply)
  const name = stageOf(reply, profile)
  if (name === undefined) return { order, doubt: 'The status reply names no stage, so nothing was concluded from it.' }
  if (attribute(order.stages, { name, observation, profile }) !== 'ambiguous') {
    return { order: reduceOrder(order, observation, profile) }
  }
  if (bySerialNumber === undefined && numbered.some(each => saysTheSame(each, reply, profile))) return { order }
  const about = bySerialNumber === undefined ? 'The latest status reply' : `The reply about ${quote(bySerialNumber)}`
  const isUnsaid = bySerialNumber !== undefined && serialNumberOf(observation, profile) === undefined
  return {
    order,
    isUncounted: !mayBeListed(order, { name, observation, profile }),
    doubt:
      `${about} shows a ${name}, ${quote(reply.status)} over ${quoteMoney(reply)}, which may be one of those listed or ` +
      'another; it was not counted. Ask with the serial numbers of all requests about this order.' +
      (isUnsaid
        ? ' It does not echo the one it was asked about; if this gateway never does, say so with ' +
          'defineProfile({ statusEchoesSerialNumber: false }).'
        : ''),
  }
}

/**
 * Whether two replies are the same, field by field, but for the numbers of the requests. Approval code, reference and date
 * tell equal returns apart where the gateway sends them.
 */
function saysTheSame(numbered: StatusResponse, reply: StatusResponse, profile: WireProfile): boolean {
  const { serialNumber, byRequestSn } = profile.replyFields.value
  const numbers = [...serialNumber, ...byRequestSn]
  const names = new Set([...Object.keys(numbered.raw), ...Object.keys(reply.raw)])
  return [...names].every(name => numbers.includes(name) || numbered.raw[name] === reply.raw[name])
}

/** Whether one of the stages ended as the reply says, over as much as it says. */
function mayBeListed(order: Order, { name, observation, profile }: AttributionInput): boolean {
  const { amount, status } = observation.reply
  const outcome = finalOutcome(status, profile)
  return order.stages.some(
    known =>
      known.stage === name &&
      known.outcome === outcome &&
      (amount === undefined || known.amount === undefined || sameAmount(known.amount, amount)),
  )
}

function otherOrder({ clientOrderId, orderId }: Order, reply: StatusResponse): UnreadableReplyError {
  return new UnreadableReplyError(
    `Asked for clientOrderId ${quote(clientOrderId)} and orderId ${quote(orderId)}, the status reply is about ` +
      `${quote(reply.clientOrderId)} and ${quote(reply.orderId)}. Nothing was concluded from it.`,
    { operation: 'status', clientOrderId, orderId, httpStatus: 200 },
  )
}

/** Remarks on an order's stages, and on totals that there are none of. */
function orderRemarks({ stages }: Order, totals: OrderTotals | undefined): readonly string[] {
  const disputed = stages.filter(({ corrections }) => corrections.length > 0)
  const restated = stages.filter(stage => stage.restated !== undefined)
  const open = stages.filter(({ outcome }) => outcome === undefined)
  const foreign = stages.filter(({ stage, outcome }) => stage === 'unrecognized' && outcome === 'approved')
  return [
    ...foreign.map(
      ({ word }) =>
        `The gateway approved a ${quote(word)}, and what that does to money is not known here. Look it up at the ` +
        'gateway; if it is one of the stages of this library, say so with defineProfile({ stages }).',
    ),
    ...disputed.map(
      ({ stage, status, corrections }) =>
        `The gateway contradicted itself about the ${stage}: ${[status, ...corrections.map(({ to }) => to)].map(quote).join(', then ')}. A person must look.`,
    ),
    ...restated.map(
      each =>
        `The ${each.stage} was approved over ${quoteMoney(each)}, and a later reply said ${quoteMoney(each.restated ?? {})}. ` +
        'Which of them moved is not known: a person must look.',
    ),
    ...open.map(({ stage, word = stage, status }) => `The ${word} is ${quote(status)}, so nothing is allowed now.`),
    ...(totals === undefined && stages.length > 0
      ? [
          'Totals would be a guess: an earlier stage was not seen, an amount is missing, the gateway contradicted itself, or ' +
            'a change of the order was seen without its serial number and may stand for several. Hand over "serialNumbers": those of all ' +
            'requests about this order.',
        ]
      : []),
  ]
}

/** Checks a question. What a store gives back as null in a known order is absent. */
function checkedQuestion(question: OrderQuestion): OrderQuestion {
  if (typeof question !== 'object' || question === null) {
    throw new TypeError(
      `The question is ${describeValue(question)}. Ask for an order with { clientOrderId: 'order-1001', orderId }.`,
    )
  }
  for (const field of Object.keys(question)) {
    const near =
      field === 'known' || field === 'serialNumbers' ? undefined : nearName(field, ['serialNumbers', 'known'])
    if (near === undefined) continue
    throw new TypeError(`A question about an order has no "${field.slice(0, 60)}". Did you mean "${near}"?`)
  }
  const { serialNumbers, known }: { readonly [Field in keyof OrderQuestion]?: unknown } = question
  if (serialNumbers !== undefined && !(Array.isArray(serialNumbers) && serialNumbers.every(isWritten))) {
    throw new TypeError(
      '"serialNumbers" must list the serial numbers of requests as text, e.g. [reply.serialNumber]: none of them empty, a word for nothing, or with white space ' +
        'at its ends, which no reply echoes.',
    )
  }
  if (known === undefined) return question
  if (typeof known !== 'object' || known === null) {
    throw new TypeError(`"known" is ${describeValue(known)}. Hand over an order as it was returned, or leave it out.`)
  }
  return { ...question, known: readOrder('known', known as Order) }
}

const isWritten = (value: unknown): boolean => typeof value === 'string' && !isNoId(value) && value === value.trim()
