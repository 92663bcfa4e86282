/**
 * One status reply, taken into what is known of an order: as a stage, or as a doubt about the order as a whole.
 *
 * @module
 */
import {
  type AttributionInput,
  attribute,
  echoesIds,
  finalOutcome,
  type Order,
  quote,
  quoteMoney,
  reduceOrder,
  type StatusObservation,
  type StatusResponse,
  serialNumberOf,
  stageOf,
  type WireProfile,
} from '@tillkit/protocol'
import { sameAmount } from '@tillkit/signing'
import { UnreadableReplyError } from '../errors/errors.js'

/** An order after a reply. */
export interface Taken {
  readonly order: Order
  /** What the reply leaves open, in one sentence. */
  readonly doubt?: string
  /** The reply speaks of something that is certainly none of the stages: they are not the whole of the order. */
  readonly isUncounted?: boolean
}

/** A reply, and what it is read with. */
export interface AnswerInput {
  readonly observation: StatusObservation
  readonly profile: WireProfile
  /** Replies of this very question that say which request they speak of. */
  readonly numbered: readonly StatusResponse[]
}

/**
 * Takes one status reply into an order. One that says nothing but what a numbered reply has just said adds nothing.
 *
 * @throws {@link UnreadableReplyError} when it is about another order.
 */
export function takeAnswer(order: Order, { observation, profile, numbered }: AnswerInput): Taken {
  const { reply, bySerialNumber } = observation
  if (!echoesIds(reply, order)) throw otherOrder(order, reply)
  const name = stageOf(reply, profile)
  if (name === undefined) return { order, doubt: 'The status reply names no stage, so nothing was concluded from it.' }
  if (attribute(order.stages, { name, observation, profile }) !== 'ambiguous') {
    return { order: reduceOrder(order, observation, profile) }
  }
  if (bySerialNumber === undefined && numbered.some(each => saysTheSame(each, { reply, profile }))) return { order }
  const about = bySerialNumber === undefined ? 'The latest status reply' : `The reply about ${quote(bySerialNumber)}`
  const isUnsaid = bySerialNumber !== undefined && serialNumberOf(observation, profile) === undefined
  return {
    order,
    isUncounted: !mayBeListed(order, { name, observation, profile }),
    doubt:
      `${about} speaks of a ${name}, ${quote(reply.status)} over ${quoteMoney(reply)}, which may be one of those listed or ` +
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
function saysTheSame(
  numbered: StatusResponse,
  { reply, profile }: { readonly reply: StatusResponse; readonly profile: WireProfile },
): boolean {
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
    `Asked for clientOrderId ${quote(clientOrderId)} and orderId ${quote(orderId)}, the status reply speaks of ` +
      `${quote(reply.clientOrderId)} and ${quote(reply.orderId)}. Nothing was concluded from it.`,
    { operation: 'status', clientOrderId, orderId, httpStatus: 200 },
  )
}
