import {
  type AnyOperation,
  echoesIds,
  operations,
  serialNumberOf,
  snapshotOf,
  type WireProfile,
} from '@tillkit/protocol'
import { changedOrderKey, isUnresolved } from '../state/attempt-rules.js'
import { findOrder, type PaymentDocument } from '../state/document.js'
import { type AbsencePosition, type KnownAttempt, type KnownOrder, quietFrom } from '../state/known.js'
import type { Answer, NeverSeen } from './answer.js'
import type { Happening, StatusAnswer } from './happening.js'
import { judgeAbsence, quietSinceOf } from './orders/absence.js'
import { doubtsAboutChange, doubtsAboutNamed } from './resolve/change-doubts.js'
import { doubtsAboutCreation } from './resolve/creation-doubts.js'

/** How long nothing of a request may have been on its way before an answer of absence counts, and how far apart two of them are, in milliseconds. */
export interface AbsenceTimes {
  readonly quietPeriod: number
  readonly apart: number
}

/** The times that a till goes by. */
export const absenceTimes: AbsenceTimes = { quietPeriod: 900_000, apart: 300_000 }

/** Everything that an answer is looked at with. */
interface Learning extends AbsenceTimes {
  readonly profile: WireProfile
  /** The answers to the same run before. */
  readonly before: readonly Answer[]
}

/**
 * Reads what happened out of an answer of status: what it says of the order, and what became of requests of the order whose end is not known. Only
 * of such ones of which nothing can be on its way any more.
 */
export function learnt(payment: PaymentDocument | undefined, answer: Answer, learning: Learning): readonly Happening[] {
  const { question } = answer
  const order = payment === undefined ? undefined : findOrder(payment, question)
  if (order === undefined) return []
  const ended = order.attempts
    .filter(each => isUnresolved(each) && answer.askedAt >= quietFrom(each) && canBeShown(each, learning.profile))
    .flatMap(attempt => becameOf(attempt, { order, answer, learning }) ?? [])
  return answer.kind === 'reply' ? [...ended, { kind: 'status', answer }] : ended
}

/** Whether status shows what a request of that kind does. */
export function canBeShown(
  { operation, stages }: KnownAttempt,
  { statusFindsRecurringPayments }: WireProfile,
): boolean {
  if (stages.length > 0) return true
  const rows: { readonly [name: string]: AnyOperation } = operations
  const row = Object.hasOwn(rows, operation) ? rows[operation] : undefined
  return row?.whenUnknown === 'profile' && statusFindsRecurringPayments.value
}

interface Asked {
  readonly order: KnownOrder
  readonly answer: Answer
  readonly learning: Learning
}

/** Reads what became of a request. @returns Undefined where the answer does not tell. */
function becameOf(attempt: KnownAttempt, { order, answer, learning }: Asked): Happening | undefined {
  const { bySerialNumber } = answer.question
  if (attempt.effect === 'creates') {
    if (bySerialNumber !== undefined) return undefined
    return answer.kind === 'reply'
      ? createdBy(attempt, answer, learning.profile)
      : answer.kind === 'never-seen'
        ? absent(attempt, { order, answer, times: learning })
        : undefined
  }
  return answer.kind === 'reply' ? changedBy(attempt, { order, answer, learning }) : undefined
}

/** The ids of a request's order, as far as they are known. */
function idsOf({ clientOrderId = '', orderId, end }: KnownAttempt) {
  const known = orderId ?? end?.orderId
  return { clientOrderId, ...(known === undefined ? {} : { orderId: known }) }
}

function accepted(attempt: KnownAttempt, { reply, answeredAt }: StatusAnswer): Happening {
  const { orderId } = reply
  const serialNumber = attempt.end?.serialNumber
  const end = {
    kind: 'accepted',
    basis: 'status',
    ...(orderId === undefined ? {} : { orderId }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
    at: answeredAt,
  } as const
  return { kind: 'ended', attempt, end }
}

function createdBy(attempt: KnownAttempt, answer: StatusAnswer, profile: WireProfile): Happening | undefined {
  const { reply, askedAt } = answer
  if (!echoesIds(reply, idsOf(attempt))) return undefined
  const isDoubtful = doubtsAboutCreation(attempt, snapshotOf(reply, { askedAt, profile })) !== undefined
  return isDoubtful ? undefined : accepted(attempt, answer)
}

/** Two answers of absence, some time apart, say that a request did nothing, once nothing of it had been on its way for long. */
function absent(
  attempt: KnownAttempt,
  {
    order,
    answer,
    times,
  }: { readonly order: KnownOrder; readonly answer: Answer & NeverSeen; readonly times: AbsenceTimes },
): Happening | undefined {
  const { askedAt, answeredAt, before } = answer
  const { absence: position, baseUrl } = attempt
  // A gateway that showed the order or gave it an id has seen it.
  if (isThere(order) || idsOf(attempt).orderId !== undefined || baseUrl !== answer.baseUrl) return undefined
  if (!isSameEndpoint(attempt, answer.question)) return undefined
  const quietSince = quietSinceOf(attempt) ?? (position && Math.min(position.quietSince, askedAt))
  const heardFor = before.find(each => each.answeredAt === position?.neverSeenAt)?.ago
  const verdict = judgeAbsence({ position, askedAt, answeredAt, quietSince, heardFor, ...times })
  switch (verdict.kind) {
    case 'no-trace':
      return { kind: 'ended', attempt, end: { kind: 'no-trace', basis: 'status', at: answeredAt } }
    case 'connection-open':
      return undefined
    default: {
      const absence: AbsencePosition = verdict.position
      return { kind: 'absent', attempt, absence }
    }
  }
}

/** Whether a status reply or an accepted request says that there is an order. */
export const isThere = ({ orderId, stages, attempts }: KnownOrder): boolean =>
  orderId !== undefined || stages.length > 0 || attempts.some(({ end }) => end?.kind === 'accepted')

/** Another endpoint may never have seen the order. */
const isSameEndpoint = (
  { endpointId, endpointGroupId }: Pick<KnownAttempt, 'endpointId' | 'endpointGroupId'>,
  asked: Answer['question'],
): boolean => endpointId === asked.endpointId && endpointGroupId === asked.endpointGroupId

/** A change of an order: "it did nothing" is never what follows. */
function changedBy(
  attempt: KnownAttempt,
  {
    order,
    answer,
    learning: { profile, before },
  }: { readonly order: KnownOrder; readonly answer: StatusAnswer; readonly learning: Learning },
): Happening | undefined {
  const { reply, askedAt, question } = answer
  const { bySerialNumber } = question
  const serialNumber = attempt.end?.serialNumber
  if (!echoesIds(reply, idsOf(attempt))) return undefined
  if (bySerialNumber !== undefined && bySerialNumber !== serialNumber) return undefined
  // An answer about the very request counts, and not one about the latest request.
  const isAnswered = before.some(each => each.kind === 'reply' && each.question.bySerialNumber === serialNumber)
  if (bySerialNumber === undefined && serialNumber !== undefined && isAnswered) return undefined
  const shown = snapshotOf(reply, { askedAt, profile })
  const others = order.attempts.filter(
    each => changedOrderKey(each) !== undefined && each.reservation !== attempt.reservation,
  )
  const isNamed =
    bySerialNumber !== undefined && serialNumberOf({ reply, askedAt, bySerialNumber }, profile) !== undefined
  const named = isNamed ? doubtsAboutNamed({ attempt, reply: shown, others }) : 'not-named'
  const doubts = named === 'not-named' ? doubtsAboutChange({ attempt, reply: shown, others, profile }) : named
  return doubts === undefined ? accepted(attempt, answer) : undefined
}
