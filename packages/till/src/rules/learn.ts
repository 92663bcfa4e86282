import {
  type AnyOperation,
  echoesIds,
  finalOutcome,
  mayRepeat,
  operations,
  serialNumberOf,
  snapshotOf,
  stageOf,
  type WireProfile,
} from '@tillkit/protocol'
import { changedOrderKey, isUnresolved } from '../state/attempt-rules.js'
import { findOrder, type PaymentDocument } from '../state/document.js'
import { type KnownAttempt, type KnownOrder, quietFrom } from '../state/known.js'
import { present } from '../state/values.js'
import type { Answer, NeverSeen } from './answer.js'
import type { Happening, StatusAnswer } from './happening.js'
import { judgeAbsence, quietSinceOf } from './orders/absence.js'
import { isAbout } from './orders/callback-shown.js'
import { doubtAboutCreation, showsChange } from './orders/shown.js'

/**
 * How long nothing of a request may have been on its way before an answer of absence counts, and how far apart two of them are,
 * in milliseconds.
 */
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
 * Reads what happened out of an answer of status: what it says of the order, and what became of requests of the order whose end is not
 * known. Only of such ones of which nothing can be on its way any more.
 */
export function learnt(payment: PaymentDocument | undefined, answer: Answer, learning: Learning): readonly Happening[] {
  const { question } = answer
  const order = payment === undefined ? undefined : findOrder(payment, question)
  if (order === undefined) return []
  const ended = order.attempts
    .filter(each => isUnresolved(each) && answer.askedAt >= quietFrom(each) && canBeShown(each, learning.profile))
    .flatMap(attempt => becameOf(attempt, { order, answer, learning }) ?? [])
  if (answer.kind !== 'reply') return ended
  const heard = { kind: 'status', answer } as const
  // A failure that was heard before, by no number, was about another change if this one has not failed by its number.
  if (approvedNumber(answer, learning.profile) === undefined) return [...ended, heard]
  const replies = [...learning.before, answer].filter(each => isReplyAbout(each, order))
  const again = replies.flatMap((each, place): readonly Happening[] => {
    if (!isFailure(each, learning.profile)) return []
    const notAbout = replies.slice(place).flatMap(later => approvedNumber(later, learning.profile) ?? [])
    return [{ kind: 'status', answer: each, notAbout }]
  })
  return [...ended, heard, ...again]
}

const isReplyAbout = (answer: Answer, order: KnownOrder): answer is StatusAnswer =>
  answer.kind === 'reply' && answer.question.login === order.login && isAbout(answer.reply, order)

/** The serial number that a reply says of that its request was approved. */
function approvedNumber({ reply, askedAt, question }: StatusAnswer, profile: WireProfile): string | undefined {
  if (finalOutcome(reply.status, profile) !== 'approved') return undefined
  return serialNumberOf({ reply, askedAt, ...present({ bySerialNumber: question.bySerialNumber }) }, profile)
}

/** Whether a reply says, by no number, that a change failed. */
function isFailure({ reply, question }: StatusAnswer, profile: WireProfile): boolean {
  const [name, outcome] = [stageOf(reply, profile), finalOutcome(reply.status, profile)]
  const isChange = question.bySerialNumber === undefined && name !== undefined && mayRepeat(name)
  return isChange && outcome !== undefined && outcome !== 'approved'
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

interface Asked<Of extends Answer = Answer> {
  readonly order: KnownOrder
  readonly answer: Of
  readonly learning: Learning
}

/** Reads what became of a request. @returns Undefined where the answer does not tell. */
function becameOf(attempt: KnownAttempt, { order, answer, learning }: Asked): Happening | undefined {
  const { bySerialNumber } = answer.question
  const isChange = attempt.effect === 'changes'
  if (isChange) return answer.kind === 'reply' ? changedBy(attempt, { order, answer, learning }) : undefined
  if (bySerialNumber !== undefined) return undefined
  if (answer.kind === 'never-seen') return absent(attempt, { order, answer, learning })
  return answer.kind === 'reply' ? createdBy(attempt, answer, learning.profile) : undefined
}

/** The ids of a request's order, as far as they are known. */
const idsOf = ({ clientOrderId = '', orderId, end }: KnownAttempt) => ({
  clientOrderId,
  ...present({ orderId: orderId ?? end?.orderId }),
})

function accepted(attempt: KnownAttempt, { reply: { orderId }, answeredAt: at }: StatusAnswer): Happening {
  const ids = present({ orderId, serialNumber: attempt.end?.serialNumber })
  return { kind: 'ended', attempt, end: { kind: 'accepted', basis: 'status', ...ids, at } }
}

function createdBy(attempt: KnownAttempt, answer: StatusAnswer, profile: WireProfile): Happening | undefined {
  const { reply, askedAt } = answer
  if (!echoesIds(reply, idsOf(attempt))) return undefined
  const doubt = doubtAboutCreation(attempt, snapshotOf(reply, { askedAt, profile }))
  return doubt === undefined ? accepted(attempt, answer) : undefined
}

/** Two answers of absence, some time apart, say that a request did nothing, once nothing of it had been on its way for long. */
function absent(attempt: KnownAttempt, { order, answer, learning }: Asked<Answer & NeverSeen>): Happening | undefined {
  const { askedAt, answeredAt, before } = answer
  const { absence: position, baseUrl } = attempt
  // A gateway that showed the order or gave it an id has seen it.
  if (isThere(order) || idsOf(attempt).orderId !== undefined || baseUrl !== answer.baseUrl) return undefined
  if (!isSameEndpoint(attempt, answer.question)) return undefined
  const quietSince = quietSinceOf(attempt) ?? (position && Math.min(position.quietSince, askedAt))
  const heardFor = before.find(each => each.answeredAt === position?.neverSeenAt)?.ago
  const verdict = judgeAbsence({ position, askedAt, answeredAt, quietSince, heardFor, ...learning })
  if (verdict === 'no-trace')
    return { kind: 'ended', attempt, end: { kind: 'no-trace', basis: 'status', at: answeredAt } }
  return verdict && { kind: 'absent', attempt, absence: verdict }
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
function changedBy(attempt: KnownAttempt, { order, answer, learning }: Asked<StatusAnswer>): Happening | undefined {
  const { reply, askedAt, question } = answer
  const { profile, before } = learning
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
  return showsChange({ attempt, reply: shown, isNamed, others, profile }) ? accepted(attempt, answer) : undefined
}
