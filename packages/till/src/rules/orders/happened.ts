import {
  type AttemptEnd,
  echoesIds,
  finalOutcome,
  type Order,
  observedStage,
  reduceOrder,
  type StatusObservation,
  type StatusResponse,
  stageOf,
  type WireProfile,
} from '@tillkit/protocol'
import { attemptKey, laterEnd, mayHaveArrived } from '../../state/attempt-rules.js'
import { documentOf, findOrder, type PaymentDocument } from '../../state/document.js'
import { evolve } from '../../state/evolve.js'
import { idsOf, nameOf, type OrderName } from '../../state/facts.js'
import {
  type AbsencePosition,
  type CallbackSaid,
  isSaidByOne,
  type KnownAttempt,
  type KnownOrder,
  type KnownStage,
  type OpenCallback,
  type ThreeDSecureProgress,
  wordsOf,
} from '../../state/known.js'
import { briefEnd, briefReply, fewCorrections, hasRoom, hasShortIds } from '../../state/room.js'
import { isSame, present } from '../../state/values.js'
import { isDisputedStage } from './dispute.js'
import { isAsMuch, isAwaitedChange, isUnclear, numbered, otherStages, type SaidByNumber } from './expected.js'
import { requested } from './reserve.js'
import { statusFacts } from './status-facts.js'

/**
 * How an attempt ended. A fact: it is merged into whatever the document is by now. Where the document does not have the attempt,
 * the fact brings it along: a reservation that was given up, and is still on its way to the store, then finds another write.
 *
 * Status shows the doing of an attempt that may have arrived. An attempt that did nothing, or that the document does not have any
 * more, stays so where another one was sent in its place. A purged payment keeps nothing but its ids.
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
  const { end: before, absence: _over, ...bare } = own ?? attempt
  const document = own === undefined ? requested(begun, bare) : begun
  const order = findOrder(document, attempt)
  if (order === undefined) return document
  const after = laterEnd(before, briefEnd(end))
  const isLearnt = order.orderId === undefined && end.kind === 'accepted' && hasShortIds([end.orderId])
  const orderId = isLearnt ? end.orderId : undefined
  const isNews = own === undefined || own.absence !== undefined || orderId !== undefined || !isSame(after, before)
  if (!isNews) return document
  const about = { order: nameOf(order), request: attempt.reservation }
  return evolve(document, { kind: 'answered', ...about, end: after, ...present({ orderId }) })
}

/** Whether another attempt with the same identity may have arrived. */
function isReplaced(document: PaymentDocument, attempt: KnownAttempt): boolean {
  const key = attemptKey(attempt)
  const attempts = findOrder(document, attempt)?.attempts ?? []
  return attempts.some(
    each => each.reservation !== attempt.reservation && mayHaveArrived(each) && attemptKey(each) === key,
  )
}

/** The order that a fact is about. */
export interface FactAbout extends Pick<Order, 'clientOrderId' | 'orderId'> {
  readonly login: string
}

interface Seen {
  readonly observation: StatusObservation
  /** Serial numbers of requests that the reply is not about: status was asked by them, and says another word. Default: none. */
  readonly notAbout?: readonly string[] | undefined
  readonly profile: WireProfile
}

/**
 * Writes down the words of a status reply. A fact: replies are merged by when they were asked for, in whatever order they are written. A
 * reply whose ids no document can keep changes nothing; where the document has no room left, its order is marked as full.
 *
 * @returns The very document where the reply changes nothing: then nothing need be written.
 */
export function statusSeen(
  known: PaymentDocument | undefined,
  about: FactAbout,
  { observation, notAbout = [], profile }: Seen,
): PaymentDocument {
  const { document, order } = orderIn(known, about)
  const { reply, bySerialNumber } = observation
  if (!hasShortIds([reply.orderId, reply.byRequestSn, bySerialNumber])) return document
  const { orderId, stages, ...rest } = order
  const ids = { clientOrderId: about.clientOrderId, ...present({ orderId }) }
  const said = saidByNumber(observation, { ids, profile })
  const before = numbered(order, said)
  const briefly = { ...observation, reply: briefReply(reply) }
  const name = observedStage(briefly, { stages: before.stages, profile })
  const isAwaited = name === undefined || isAwaitedChange(before, name)
  const brief = isAwaited ? briefly : { ...briefly, noneAwaited: true as const }
  const isUnnumbered = name !== undefined && bySerialNumber === undefined
  const others = isUnnumbered ? otherStages(before, { stage: name, amount: brief.reply.amount }) : []
  const possible = before.stages.filter(
    each => !others.includes(each) && (each.serialNumber === undefined || !notAbout.includes(each.serialNumber)),
  )
  const after = reduceOrder({ ...ids, stages: possible }, brief, profile)
  // Somebody tried in vain just what we had done: that is no stage of its own.
  const isTried = before.stages.some(
    each => each.stage === name && !possible.includes(each) && !others.includes(each) && isAsMuch(each, reply),
  )
  const begun = !isTried && after.stages.length > possible.length ? after.stages.at(-1) : undefined
  const next = before.stages.map(each => after.stages[possible.indexOf(each)] ?? each)
  // One request has one stage, however status is asked about it: what has a number is asked for by it.
  const shown = begun === undefined || isUnclear(before, begun) ? next : [...next, begun]
  const named = numbered({ ...order, stages: shown }, said).stages.map(each => fewCorrections(each, profile))
  const seen = named.map((each, place) =>
    amountCame(order, { ...order, stages: named }, { place, profile }) ? { ...each, amountCame: true as const } : each,
  )
  if (isConfirmed(stages, seen)) return document
  const now = { ...rest, ...present({ orderId: after.orderId }), stages: seen }
  const noted = evolve(document, ...statusFacts(findOrder(document, about), now))
  if (hasRoom(noted, 'status')) return noted
  return order.crowded === true ? document : evolve(document, { kind: 'full', order: nameIn(document, order) })
}

/** The word of status about the number that it was asked by; undefined where its reply is about something else. */
function saidByNumber(
  { reply, bySerialNumber }: StatusObservation,
  { ids, profile }: { readonly ids: Pick<Order, 'clientOrderId' | 'orderId'>; readonly profile: WireProfile },
): SaidByNumber | undefined {
  const { byRequestSn = bySerialNumber, amount } = reply
  if (bySerialNumber === undefined || byRequestSn !== bySerialNumber || !echoesIds(reply, ids)) return undefined
  const outcome = finalOutcome(reply.status, profile)
  return { serialNumber: bySerialNumber, stage: stageOf(reply, profile), outcome, amount }
}

/** Whether the amount or the currency of a stage that was over came, and with it the reason for a person to look is gone. */
function amountCame(
  before: KnownOrder,
  after: KnownOrder,
  { place, profile }: { readonly place: number; readonly profile: WireProfile },
): boolean {
  const [known, now] = [before.stages[place], after.stages[place]]
  if (known === undefined || now === undefined || wordsOf(known) !== wordsOf(now)) return false
  const isNew = (field: 'amount' | 'currency') => known[field] === undefined && now[field] !== undefined
  const came = isNew('amount') || isNew('currency')
  return came && isDisputedStage(before, known, profile) && !isDisputedStage(after, now, profile)
}

/** A status reply, and when it was asked for. */
export interface AskedReply {
  readonly reply: StatusResponse
  /** How long ago it was asked for, in milliseconds. */
  readonly age: number
  /** The serial number that was asked about, if one was. */
  readonly bySerialNumber?: string | undefined
  /** Serial numbers of requests that it is not about. */
  readonly notAbout?: readonly string[] | undefined
}

/**
 * A status reply as an order of a document takes it. It was asked for by the store's clock: those of two machines are never compared.
 *
 * @param at What the store's clock says now, in milliseconds.
 */
export function observationOf(
  order: KnownOrder,
  { reply, age, bySerialNumber }: AskedReply,
  at: number,
): StatusObservation {
  // A reply that names no stage is about the only one that there can be, or about none.
  const possible = new Set(order.attempts.filter(mayHaveArrived).flatMap(({ stages }) => stages))
  const [createdBy] = possible.size === 1 ? possible : []
  return {
    reply,
    askedAt: Math.floor(at - Math.max(0, age)),
    ...present({ bySerialNumber, createdBy }),
  }
}

/** Writes down a reply about an order of a payment. @returns The very document where it changes nothing, or does not have the order. */
export function repliedTo(
  document: PaymentDocument,
  about: FactAbout,
  { asked, profile, at }: { readonly asked: AskedReply; readonly profile: WireProfile; readonly at: number },
): PaymentDocument {
  const order = findOrder(document, about)
  if (order === undefined) return document
  return statusSeen(document, about, {
    observation: observationOf(order, asked, at),
    notAbout: asked.notAbout,
    profile,
  })
}

/** Whether nothing changed but when it was asked: a poll that changes nothing writes nothing. */
function isConfirmed(before: readonly KnownStage[], after: readonly KnownStage[]): boolean {
  if (before.length !== after.length) return false
  return before.every((each, at) => isSame(each, { ...after[at], askedAt: each.askedAt }))
}

/**
 * A verified callback came. A fact: it says that status is worth asking, and keeps what status has not shown.
 *
 * @param at Milliseconds of the store's clock.
 * @param said What callbacks say and status has not shown. What is open already is not written down again.
 */
export function callbackCame(
  known: PaymentDocument | undefined,
  about: FactAbout,
  at: number,
  said: readonly CallbackSaid[] = [],
): PaymentDocument {
  const { document, order } = orderIn(known, about)
  const { called = [], callbackAt = -1 } = order
  const fact = { kind: 'callback', order: nameIn(document, order), at: Math.max(at, callbackAt) } as const
  const each = said.filter((one, place) => said.findIndex(other => isSame(one, other)) === place)
  const news = each.filter(one => !isSaidByOne(one, called)).slice(0, mostCalled - called.length)
  const after = evolve(document, ...news.map(said => ({ ...fact, said })))
  if (news.length > 0 && hasRoom(after, 'reservation')) return after
  const isKnown = callbackAt >= at || (said.length > 0 && news.length === 0)
  return isKnown ? document : evolve(document, fact)
}

/** How many things that callbacks said are kept of an order: while they are open, and for a person. Anybody can alter a callback. */
const [mostCalled, mostUnshown] = [3, 10]

/**
 * Status did not show for an hour what callbacks said. A fact.
 *
 * @param since Milliseconds of the store's clock.
 * @returns The very document where there is none of them.
 */
export function notShownAnHour(
  document: PaymentDocument,
  about: FactAbout,
  callbacks: readonly OpenCallback[],
  since: number,
): PaymentDocument {
  const order = findOrder(document, about)
  const kept = callbacks.slice(0, mostUnshown - (order?.unshown?.length ?? 0))
  if (order === undefined || kept.length === 0) return document
  const facts = kept.map(({ at, ...said }) => ({ kind: 'not-shown', order: nameOf(order), at, since, said }) as const)
  return evolve(document, ...facts)
}

/** The name of an order in a fact about it. The first one has all its ids. */
const nameIn = ({ orders }: PaymentDocument, order: KnownOrder): OrderName =>
  orders.includes(order) ? nameOf(order) : idsOf(order)

/**
 * Notices that the callback which came at that moment has its answer. A fact.
 *
 * @returns The very document where another one came since, or it was answered before.
 */
export function callbackAnswered(document: PaymentDocument, about: FactAbout, came: number): PaymentDocument {
  const order = findOrder(document, about)
  if (order === undefined || order.callbackAt !== came) return document
  const { callbackAt: _answered, called: _said, ...rest } = order
  return evolve(document, ...statusFacts(order, rest))
}

function orderIn(
  known: PaymentDocument | undefined,
  about: FactAbout,
): { readonly document: PaymentDocument; readonly order: KnownOrder } {
  const document = documentOf(known, about)
  const { clientOrderId, orderId, login } = about
  const order = findOrder(document, about)
  return { document, order: order ?? { clientOrderId, ...present({ orderId }), login, attempts: [], stages: [] } }
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
  const about = { order: nameOf(order), request: attempt.reservation }
  return evolve(document, { kind: 'never-seen', ...about, quietSince, ...present({ neverSeenAt }) })
}

/**
 * How far a customer was brought with 3DS. A fact: what is done stays done, and a 3DS method keeps the moments at which it was
 * first shown and first notified.
 *
 * @returns The very document where it changes nothing, or does not have the order.
 */
export function threeDSecureSeen(
  document: PaymentDocument | undefined,
  about: FactAbout,
  seen: Partial<ThreeDSecureProgress>,
): PaymentDocument | undefined {
  const order = document === undefined ? undefined : findOrder(document, about)
  if (document === undefined || order === undefined) return document
  const { threeDSecure: before } = order
  const done = [...new Set(seen.done)].filter(each => before?.done.includes(each) !== true)
  const later = laterMethod(before?.method, seen.method)
  const method = isSame(later, before?.method) ? undefined : later
  if (done.length === 0 && method === undefined) return document
  const news = present({ done: done.length === 0 ? undefined : done, method })
  return evolve(document, { kind: 'three-d-secure', order: nameOf(order), ...news })
}

/** Picks the one of two 3DS methods that began later: a notice of an earlier one that comes late takes nothing from it. */
function laterMethod(
  known: ThreeDSecureProgress['method'],
  seen: ThreeDSecureProgress['method'],
): ThreeDSecureProgress['method'] {
  if (known === undefined || seen === undefined) return seen ?? known
  if (seen.id === known.id) return { ...seen, ...known }
  return seen.startedAt < known.startedAt ? known : seen
}
