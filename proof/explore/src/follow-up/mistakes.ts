/** Intents that carry follow-ups out, and are mistaken. */

import { change } from '../../../../packages/till/src/intents/change.js'
import { type FollowUpPlan, followUp } from '../../../../packages/till/src/intents/follow-up.js'
import type { Scene, Step } from '../../../../packages/till/src/intents/next.js'
import { followUpGone } from '../../../../packages/till/src/rules/delivery/delivery.js'
import { giveBackStep } from '../../../../packages/till/src/rules/delivery/give-back.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import type { Wish } from '../../../../packages/till/src/state/known.js'
import { carrierOf, followUpPlan } from '../change/change.js'
import type { Carrying } from '../change/world.js'

type FollowUp = ReturnType<typeof followUp>
type Result = ReturnType<FollowUp> extends Step<infer Came> ? Came : never

/** The shipped runner of an intent that is mistaken. */
const mistaken = (mistake: (next: FollowUp) => FollowUp, plan: Partial<FollowUpPlan> = {}): Carrying =>
  carrierOf(mistake(followUp({ ...followUpPlan, ...plan })))

const wishOf = ({ heard }: Scene): Wish | undefined => heard.first?.wishes?.[0]

/** The follow-up is struck from the list before its request has ended. */
export const strikesFirst = mistaken(next => scene => {
  const step = next(scene)
  const wish = wishOf(scene)
  return step.kind === 'send' && wish !== undefined ? { ...step, payment: followUpGone(step.payment, wish) } : step
})

/** The follow-up is struck wherever an end is of that kind. */
const strikesAt = (isIt: (result: Result) => boolean): Carrying =>
  mistaken(next => scene => {
    const step = next(scene)
    const wish = wishOf(scene)
    if (step.kind !== 'end' || !isIt(step.result) || wish === undefined || scene.payment === undefined) return step
    return { ...step, payment: followUpGone(scene.payment, wish) }
  })

/** The follow-up is struck whatever became of its request. */
export const strikesSent = strikesAt(({ came }) => came?.kind === 'ended')

/** A surplus order is given up while it is not known whether the other one keeps its money. */
export const strikesWaiting = strikesAt(({ came }) => came?.kind === 'surplus' && came.step === 'wait')

/** A follow-up is sent again where it failed. */
const again: Partial<FollowUpPlan> = {
  changeFor(wish) {
    const plan = followUpPlan.changeFor(wish)
    return { ...plan, terms: { ...plan.terms, before: undefined } }
  },
}

export const sendsFailed = mistaken(next => next, again)

/** A follow-up is carried out that another process has carried out, and struck. */
export const carriesStruck = mistaken(
  next => scene => {
    const wish = wishOf(scene)
    const { payment } = scene
    if (wish === undefined || payment === undefined || followUpGone(payment, wish) !== payment) return next(scene)
    const step = next({ ...scene, payment: { ...payment, wishes: [wish, ...(payment.wishes ?? [])] } })
    return step.kind === 'send' ? { ...step, payment: followUpGone(step.payment, wish) } : step
  },
  again,
)

/** A surplus order goes back as any other one does. */
export const asksNobody = mistaken(
  next => scene =>
    next({
      ...scene,
      heard: { ...scene.heard, first: scene.heard.first && withoutCause(scene.heard.first) },
    }),
)

const withoutCause = (payment: PaymentDocument): PaymentDocument => ({
  ...payment,
  wishes: (payment.wishes ?? []).map(({ because: _surplus, ...wish }) => wish),
})

/** A surplus order goes back by what a payment says, without a question about the other one. */
const goesBy = (said: (scene: Scene) => PaymentDocument | undefined): Carrying =>
  mistaken(next => scene => {
    const wish = wishOf(scene)
    const { payment, heard } = scene
    const document = said(scene)
    const isThere = wish !== undefined && payment !== undefined && followUpGone(payment, wish) !== payment
    if (!isThere || document === undefined || heard.request !== undefined) return next(scene)
    if (giveBackStep(document, wish.clientOrderId, followUpPlan.profile) !== 'give-back') return next(scene)
    const step = change(followUpPlan.changeFor(wish))(scene)
    return step.kind === 'end' ? next(scene) : step
  })

/** A surplus order goes back by what is kept of the other one: nobody asks about it. */
export const asksNothing = goesBy(({ payment }) => payment)

/** A surplus order goes back by what the run read first, whatever was written meanwhile. */
export const goesByFirst = goesBy(({ heard }) => heard.first)

/** A decision is kept although somebody else wrote meanwhile. */
export const keepsDecision: Carrying = (run, event, at) =>
  carrierOf(followUp(followUpPlan))(run, event.kind === 'conflict' ? { kind: 'written' } : event, at)
