import { reduceOrder } from '../order/order.js'
import type { Order, StatusObservation } from '../order/types.js'
import type { WireProfile } from '../profile/types.js'
import type { AttemptEnd } from './attempt.js'
import { attemptKey, laterEnd, mayHaveArrived } from './attempt-rules.js'
import {
  type AbsencePosition,
  documentOf,
  findOrder,
  type KnownAttempt,
  type KnownOrder,
  type KnownStage,
  type PaymentDocument,
} from './document.js'
import { withAttempt, withOrder } from './reserve.js'
import { briefEnd, briefReply, fewCorrections, hasRoom, hasShortIds } from './room.js'

/**
 * How an attempt ended. A fact: it is merged into whatever the document is by now. Where the document does not have the attempt,
 * the fact brings it along: a reservation that was given up, and is still on its way to the store, then finds another version.
 *
 * What status shows is the doing of an attempt that may have arrived. One that did nothing, or that the document does not have any
 * more, stays so where another one was sent in its place.
 *
 * @param end Its `at` is of the store's clock.
 */
export function attemptEnded(
  known: PaymentDocument | undefined,
  attempt: KnownAttempt,
  end: AttemptEnd,
): PaymentDocument {
  const begun = documentOf(known, attempt)
  const own = findOrder(begun, attempt)?.attempts.find(each => each.reservation === attempt.reservation)
  if (end.basis === 'status' && (own === undefined || !mayHaveArrived(own)) && isReplaced(begun, attempt)) return begun
  const document = own === undefined ? withAttempt(begun, attempt) : begun
  const order = findOrder(document, attempt)
  if (order === undefined) return document
  const brief = briefEnd(end)
  const attempts = order.attempts.map(each => {
    if (each.reservation !== attempt.reservation) return each
    const { absence: _over, ...rest } = each
    return { ...rest, end: laterEnd(each.end, brief) }
  })
  const orderId = order.orderId ?? (end.kind === 'accepted' && hasShortIds([end.orderId]) ? end.orderId : undefined)
  return withOrder(document, order, { ...order, ...(orderId === undefined ? {} : { orderId }), attempts })
}

/** Whether another attempt with the same identity may have arrived. */
function isReplaced(document: PaymentDocument, attempt: KnownAttempt): boolean {
  const key = attemptKey(attempt)
  const attempts = findOrder(document, attempt)?.attempts ?? []
  return attempts.some(
    each => each.reservation !== attempt.reservation && mayHaveArrived(each) && attemptKey(each) === key,
  )
}

/** Whose order a fact is about. */
export interface FactAbout extends Pick<Order, 'clientOrderId' | 'orderId'> {
  readonly login: string
}

/** What a status reply said, and what it answers. */
export interface StatusFact {
  readonly observation: StatusObservation
  readonly profile: WireProfile
  /** `callbackAt` of the order as it was before status was asked: that callback has its answer now. */
  readonly callbackAt?: number | undefined
}

/**
 * What a status reply said. A fact: replies are merged by when they were asked for, in whatever order they are written. One whose ids no
 * document can keep changes nothing; where the document has no room left, its order is marked as `crowded`.
 *
 * @returns The very document where the reply changes nothing: then nothing need be written.
 */
export function statusSeen(
  known: PaymentDocument | undefined,
  about: FactAbout,
  { observation, profile, callbackAt: answered }: StatusFact,
): PaymentDocument {
  const { document, order } = orderIn(known, about)
  const { reply, bySerialNumber } = observation
  if (!hasShortIds([reply.orderId, reply.byRequestSn, bySerialNumber])) return document
  const { orderId, stages, callbackAt, ...rest } = order
  const ids = { clientOrderId: about.clientOrderId, ...(orderId === undefined ? {} : { orderId }) }
  const after = reduceOrder({ ...ids, stages }, { ...observation, reply: briefReply(reply) }, profile)
  const seen = after.stages.map(each => fewCorrections(each, profile))
  const isOpen = callbackAt !== undefined && callbackAt !== answered
  if (isOpen === (callbackAt !== undefined) && isConfirmed(stages, seen)) return document
  const there = findOrder(document, about)
  const noted = withOrder(document, there, {
    ...rest,
    ...(after.orderId === undefined ? {} : { orderId: after.orderId }),
    ...(isOpen ? { callbackAt } : {}),
    stages: seen,
  })
  if (hasRoom(noted, 'status')) return noted
  return order.crowded === true ? document : withOrder(document, there, { ...order, crowded: true })
}

/** Whether nothing changed but when it was asked: a poll that changes nothing writes nothing. */
function isConfirmed(before: readonly KnownStage[], after: readonly KnownStage[]): boolean {
  if (before.length !== after.length) return false
  return before.every((each, at) => {
    const now = after[at]
    return now !== undefined && each.outcome === now.outcome && textOf(each) === textOf(now)
  })
}

/** What a stage says besides when it was asked for, in whatever order its fields are. */
const textOf = (stage: KnownStage): string =>
  JSON.stringify(Object.entries({ ...stage, askedAt: 0 }).sort(([one], [other]) => (one < other ? -1 : 1)))

/**
 * A verified callback came. A fact: it says that status is worth asking, and nothing more.
 *
 * @param at Milliseconds of the store's clock.
 */
export function callbackCame(known: PaymentDocument | undefined, about: FactAbout, at: number): PaymentDocument {
  const { document, order } = orderIn(known, about)
  if (order.callbackAt !== undefined && order.callbackAt >= at) return document
  return withOrder(document, findOrder(document, about), { ...order, callbackAt: at })
}

function orderIn(
  known: PaymentDocument | undefined,
  about: FactAbout,
): { readonly document: PaymentDocument; readonly order: KnownOrder } {
  const document = documentOf(known, about)
  const { clientOrderId, orderId, login } = about
  const order = findOrder(document, about)
  const own = orderId === undefined ? {} : { orderId }
  return { document, order: order ?? { clientOrderId, ...own, login, attempts: [], stages: [] } }
}

/**
 * How far the way to `no-trace` was gone, as `judgeAbsence` says.
 *
 * @returns The very document where it has gone no further: then nothing need be written.
 */
export function absenceSeen(
  document: PaymentDocument | undefined,
  attempt: KnownAttempt,
  absence: AbsencePosition,
): PaymentDocument | undefined {
  const order = document === undefined ? undefined : findOrder(document, attempt)
  if (document === undefined || order === undefined) return document
  const { quietSince, neverSeenAt } = absence
  const isNews = (each: KnownAttempt): boolean =>
    each.reservation === attempt.reservation &&
    (each.absence?.quietSince !== quietSince || each.absence.neverSeenAt !== neverSeenAt)
  if (!order.attempts.some(isNews)) return document
  const attempts = order.attempts.map(each => (isNews(each) ? { ...each, absence } : each))
  return withOrder(document, order, { ...order, attempts })
}
