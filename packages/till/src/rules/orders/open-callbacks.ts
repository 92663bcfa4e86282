/**
 * Callbacks that have no answer of status yet, and what they said where status never showed it: a movement that a later one covered before
 * status was asked, or one that the gateway has taken back since. Nothing is counted by it, and nobody is told of it: a person looks.
 *
 * @module
 */
import {
  finalOutcome,
  mayRepeat,
  type StageName,
  type StatusResponse,
  stageOf,
  type WireProfile,
} from '@tillkit/protocol'
import type { PaymentDocument } from '../../state/document.js'
import {
  isSaidByOne,
  type KnownOrder,
  type KnownStage,
  type OpenCallback,
  type UnshownCallback,
} from '../../state/known.js'
import { latestOutcome } from '../../state/late-approval.js'
import { type HeardCallback, hasNews, hour, isSaidShown, type KnownNow, mayTakeBack, saidBy } from './callback-shown.js'
import { attemptBehind } from './expected.js'

/**
 * Says whether the open callbacks are answered. Status must have shown what the callbacks of this process say. Then either an hour has
 * passed, or status has said something new, and has shown what the kept ones say. The callbacks of this process may be old ones: whoever
 * has seen one can send it again.
 */
export function areAnswered(
  callbacks: readonly HeardCallback[],
  { at, now, ...asked }: KnownNow & { readonly now: KnownOrder; readonly at: number },
  profile: WireProfile,
): boolean {
  const { order, replies } = asked
  if (unansweredOf(callbacks, { order: now, replies }, profile).length > 0) return false
  if (at - (order.callbackAt ?? 0) >= hour) return true
  const { called = [] } = now
  return hasNews(asked, profile) && !called.some(each => mustBeShown(each, { order: now, replies }, profile))
}

/** Gives the callbacks that status does not show, and that no person is or was asked about. */
export const unansweredOf = (
  callbacks: readonly HeardCallback[],
  known: KnownNow,
  profile: WireProfile,
): readonly HeardCallback[] =>
  callbacks.filter(each => {
    const said = saidBy(each, profile)
    return !isSaidShown(said, known, profile) && !isSaidByOne(said, known.order.unshown)
  })

/** Says whether a person is or was asked about what a callback says: it may have happened once more. */
export const isAskedAbout = (callback: HeardCallback, { unshown }: KnownOrder, profile: WireProfile): boolean =>
  isSaidByOne(saidBy(callback, profile), unshown)

/** How long a callback stays open while status does not answer, in milliseconds. */
const day = 24 * hour

/**
 * Gives the open callbacks of an hour ago that status, asked again, does not show: a person must look.
 *
 * @param isHeard Whether status has answered everything that it was asked now. Else a day must have passed.
 */
export const toLookUp = (
  { order, replies, at, isHeard }: KnownNow & { readonly at: number; readonly isHeard: boolean },
  profile: WireProfile,
): readonly OpenCallback[] =>
  (order.called ?? []).filter(
    each => at - each.at >= (isHeard ? hour : day) && mustBeShown(each, { order, replies }, profile),
  )

/** Whether status still has to show what a callback says: it was approved, or may take back what was. */
function mustBeShown(callback: OpenCallback, known: KnownNow, profile: WireProfile): boolean {
  if (isOpenShown(callback, known, profile) || isSpokenOf(callback, known.replies, profile)) return false
  if (callback.outcome === 'approved') return true
  return mayTakeBack(callback, asOf(known.order, callback), profile) && !isGainsaid(callback, known, profile)
}

/** Says whether status tells now how that very movement stands, by the bank's number. */
const isSpokenOf = (
  { stage, processorRrn }: OpenCallback,
  replies: readonly StatusResponse[],
  profile: WireProfile,
): boolean =>
  processorRrn !== undefined &&
  replies.some(
    reply =>
      reply.processorRrn === processorRrn &&
      stageOf(reply, profile) === stage &&
      finalOutcome(reply.status, profile) !== undefined,
  )

const isOpenShown = (callback: OpenCallback, { order, replies }: KnownNow, profile: WireProfile): boolean =>
  isSaidShown(callback, { order: asOf(order, callback), replies }, profile)

/** By how much the store's clock may have gone back between a callback and a request, in milliseconds. */
const slack = 60_000

/**
 * An order without the movements that a callback cannot be about: those that the till asked for later, and those of somebody else that came
 * to light after a person was asked, unless a person has named their numbers.
 */
function asOf(order: KnownOrder, { at, since = Number.POSITIVE_INFINITY }: OpenCallback & Partial<UnshownCallback>) {
  const mayBeMeant = (stage: KnownStage): boolean => {
    if (!mayRepeat(stage.stage)) return true
    const request = attemptBehind(order, stage)
    if (request !== undefined) return request.reservedAt <= at + slack
    return stage.serialNumber !== undefined || (stage.statusAskedAt ?? stage.askedAt) <= since
  }
  return { ...order, stages: order.stages.filter(mayBeMeant) }
}

/**
 * Says whether a failure cannot be so any more: status says how what happens once stands, or a capture, return or void was approved, which
 * nothing that had failed allows.
 */
const isGainsaid = ({ stage }: OpenCallback, { order, replies }: KnownNow, profile: WireProfile): boolean => {
  if (stage !== undefined && mayRepeat(stage)) return false
  const isAboutIt = (name: StageName | undefined) =>
    stage === undefined ? name !== undefined && !mayRepeat(name) : name === stage
  return (
    replies.some(reply => isAboutIt(stageOf(reply, profile)) && finalOutcome(reply.status, profile) !== undefined) ||
    order.stages.some(each => mayRepeat(each.stage) && latestOutcome(each, profile) === 'approved')
  )
}

type Decisions = Pick<PaymentDocument, 'decisions'>

/** Everything that callbacks said of an order, that status has not shown to this day, and that no person has dismissed. */
export const unshownOf = (order: KnownOrder, of: Decisions, profile: WireProfile): readonly UnshownCallback[] =>
  unshownAs(order, of, profile).flatMap(({ callback, decided }) => (decided === 'dismissed' ? [] : [callback]))

/** The part of it that no person has decided about. */
export const undecidedOf = (order: KnownOrder, of: Decisions, profile: WireProfile): readonly UnshownCallback[] =>
  unshownAs(order, of, profile).flatMap(({ callback, decided }) => (decided === undefined ? [callback] : []))

/** Everything that status has not shown, each with a person's decision. A decision is about all that there was when it was made. */
function unshownAs(order: KnownOrder, { decisions = [] }: Decisions, profile: WireProfile) {
  const decided = decisions.flatMap(({ matter, proposal }) =>
    (matter.kind === 'noted' || matter.kind === 'dismissed') &&
    matter.clientOrderId === order.clientOrderId &&
    proposal === undefined
      ? [matter]
      : [],
  )
  return (order.unshown ?? []).flatMap((callback, place) =>
    isOpenShown(callback, { order, replies: [] }, profile)
      ? []
      : [{ callback, decided: decided.find(({ callbacks }) => callbacks > place)?.kind }],
  )
}
