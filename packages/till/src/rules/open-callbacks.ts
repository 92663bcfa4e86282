/**
 * Callbacks that have no answer of status yet, and what they said where status never showed it: a movement that a later one covered before
 * status was asked, or one that the gateway has taken back since. Nothing is counted by it, and nobody is told of it: a person looks.
 *
 * @module
 */
import { finalOutcome, mayRepeat, type StatusResponse, stageOf, type WireProfile } from '@tillkit/protocol'
import type { PaymentDocument } from '../state/document.js'
import { isSaidByOne, type KnownOrder, type OpenCallback, type UnshownCallback } from '../state/known.js'
import {
  hasNews,
  hour,
  isSaidShown,
  type KnownNow,
  mayTakeBack,
  type SaidByCallback,
  saidBy,
} from './callback-shown.js'
import { attemptBehind } from './orders/expected.js'

/**
 * Says whether the callbacks that are open have their answer: status has shown what those of this process say, and they are an hour old, or
 * status has said something new and has shown what they say. The callbacks at hand may be old ones: whoever has seen one can send it again.
 */
export function areAnswered(
  callbacks: readonly SaidByCallback[],
  { at, now, ...asked }: KnownNow & { readonly now: KnownOrder; readonly at: number },
  profile: WireProfile,
): boolean {
  const { order, replies } = asked
  if (unansweredOf(callbacks, { order: now, replies }, profile).length > 0) return false
  if (at - (order.callbackAt ?? 0) >= hour) return true
  const { called = [] } = now
  return hasNews(asked, profile) && called.every(each => isOpenShown(each, { order: now, replies }, profile))
}

/** Gives the callbacks that status does not show, and that no person is or was asked about. */
export const unansweredOf = (
  callbacks: readonly SaidByCallback[],
  known: KnownNow,
  profile: WireProfile,
): readonly SaidByCallback[] =>
  callbacks.filter(each => {
    const said = saidBy(each, profile)
    return !isSaidShown(said, known, profile) && !isSaidByOne(said, known.order.unshown)
  })

/** Says whether a person is or was asked about what a callback says: it may have happened once more. */
export const isAskedAbout = (callback: SaidByCallback, { unshown }: KnownOrder, profile: WireProfile): boolean =>
  isSaidByOne(saidBy(callback, profile), unshown)

/** Gives the open callbacks of an hour ago that status, asked again, does not show: a person must look. */
export const toLookUp = (
  { order, replies, at }: KnownNow & { readonly at: number },
  profile: WireProfile,
): readonly OpenCallback[] =>
  (order.called ?? []).filter(
    each =>
      at - each.at >= hour &&
      !isOpenShown(each, { order, replies }, profile) &&
      (finalOutcome(each.status, profile) === 'approved' ||
        (mayTakeBack(each, asOf(order, each.at), profile) && !isGainsaid(each, replies, profile))),
  )

const isOpenShown = (callback: OpenCallback, { order, replies }: KnownNow, profile: WireProfile): boolean =>
  isSaidShown(callback, { order: asOf(order, callback.at), replies }, profile)

/** An order without what its later requests made: a callback that came before them was about none of it. */
const asOf = (order: KnownOrder, at: number): KnownOrder => ({
  ...order,
  stages: order.stages.filter(each => (attemptBehind(order, each)?.reservedAt ?? at) <= at),
})

/** Says whether status has the last word on a failure: what happens once stands as status says, and no later movement covers it. */
const isGainsaid = ({ stage }: OpenCallback, replies: readonly StatusResponse[], profile: WireProfile): boolean =>
  stage !== undefined &&
  !mayRepeat(stage) &&
  replies.some(reply => stageOf(reply, profile) === stage && finalOutcome(reply.status, profile) !== undefined)

type Decisions = Pick<PaymentDocument, 'decisions'>

/** Everything that callbacks said of an order, that status has not shown to this day, and that no person has dismissed. */
export const unshownOf = (order: KnownOrder, of: Decisions, profile: WireProfile): readonly UnshownCallback[] =>
  unshownAs(order, of, profile).flatMap(({ callback, decided }) => (decided === 'dismissed' ? [] : [callback]))

/** The part of it that no person has decided about. */
export const undecidedOf = (order: KnownOrder, of: Decisions, profile: WireProfile): readonly UnshownCallback[] =>
  unshownAs(order, of, profile).flatMap(({ callback, decided }) => (decided === undefined ? [callback] : []))

/** What status has not shown to this day, with a person's decision. A decision is about all that there was when it was made. */
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
