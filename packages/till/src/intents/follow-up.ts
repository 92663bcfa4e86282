import { followUpGone } from '../rules/delivery/delivery.js'
import { type GiveBackStep, giveBackStep, untilKnown } from '../rules/delivery/give-back.js'
import { isChangeSent } from '../rules/pay/change-step.js'
import { standingOf } from '../rules/pay/standing.js'
import { findOrder, type PaymentDocument } from '../state/document.js'
import type { KnownOrder, Wish } from '../state/known.js'
import { askingAbout } from './ask.js'
import { type ChangePlan, type ChangeResult, change } from './change.js'
import type { Next, Profiles, Scene, Step } from './next.js'

/** The follow-ups of a payment: changes that a handler wanted, or the till itself, and that are written down. */
export interface FollowUpPlan extends Profiles {
  /** The change that a follow-up is. */
  readonly changeFor: (followUp: Wish) => ChangePlan
}

/**
 * The end of a run that carries out the first follow-up of a payment. `done`: it is sent, or need not be; `gone`: it must not be any more.
 * After both it is struck from the list, in the write that says how its request ended. `open`: it stands there still.
 */
export interface FollowUpResult {
  readonly kind: 'done' | 'gone' | 'open'
  /** Undefined: the payment has none, or another process has carried it out. */
  readonly followUp: Wish | undefined
  /** How its change ended; or how a surplus order stands that is not given back now. */
  readonly came: ChangeResult | { readonly kind: 'surplus'; readonly step: NotGivenBack } | undefined
  /** There are others, which come after it. */
  readonly goesOn: boolean
}

type NotGivenBack = Exclude<GiveBackStep, 'give-back'>

/**
 * Carries out the first follow-up of a payment. The money of a surplus order goes back only while another order keeps its own:
 * status is asked about every order of the payment that has money, for a person may have given one of them back at the gateway.
 */
export const followUp =
  (plan: FollowUpPlan): Next<FollowUpResult> =>
  scene => {
    const { payment, heard } = scene
    const [wish] = heard.first?.wishes ?? []
    const isThere = payment !== undefined && wish !== undefined && followUpGone(payment, wish) !== payment
    if (payment === undefined || wish === undefined || (!isThere && heard.request === undefined))
      return { kind: 'end', result: { kind: 'done', followUp: undefined, came: undefined, goesOn: isMore(payment) } }
    const end = (kind: FollowUpResult['kind'], came: FollowUpResult['came']): Step<FollowUpResult> => {
      const after = kind === 'open' ? payment : followUpGone(payment, wish)
      return {
        kind: 'end',
        result: { kind, followUp: wish, came, goesOn: kind !== 'open' && isMore(after) },
        payment: after,
      }
    }
    const changePlan = plan.changeFor(wish)
    const order = payment.orders.find(each => each.clientOrderId === wish.clientOrderId)
    // By a request that may have arrived it is given back already, however the other orders stand.
    const isSent = order !== undefined && isChangeSent(payment, order, changePlan.terms)
    if (wish.because === 'surplus' && heard.request === undefined && !isSent) {
      const step = surplusStep({ payment, wish, plan, scene })
      if (typeof step !== 'string') return step
      if (step !== 'give-back') return end(surplusCame[step], { kind: 'surplus', step })
    }
    const step = change(changePlan)(scene)
    return step.kind === 'end' ? end(isTaken(step.result) ? 'done' : 'open', step.result) : step
  }

/** Strikes a follow-up that would be refused again, and again. */
export const strike =
  (wish: Wish): Next<Pick<FollowUpResult, 'goesOn'>> =>
  ({ payment }) => {
    const after = payment && followUpGone(payment, wish)
    return { kind: 'end', result: { goesOn: isMore(after) }, payment: after }
  }

const isMore = (payment: PaymentDocument | undefined): boolean => (payment?.wishes ?? []).length > 0

const surplusCame = {
  given: 'done',
  wait: 'open',
  kept: 'gone',
  person: 'gone',
} as const satisfies Record<NotGivenBack, FollowUpResult['kind']>

/** The gateway has taken a change. One that was not answered is sent again once it is known to have done nothing. */
const isTaken = (result: ChangeResult): boolean =>
  result.kind === 'again' ? result.isAccepted : result.kind === 'ended' && result.end.kind === 'accepted'

/** Says whether a surplus order is still to be given back. Without an answer nothing is. */
function surplusStep({
  payment,
  wish: { clientOrderId },
  plan: { profile, profileOf },
  scene,
}: {
  readonly payment: PaymentDocument
  readonly wish: Wish
  readonly plan: FollowUpPlan
  readonly scene: Scene
}): Extract<Step<never>, { readonly kind: 'ask' }> | GiveBackStep {
  const { kept, at } = scene
  const hasMoney = (order: KnownOrder | undefined): boolean =>
    order !== undefined && standingOf(order, at.earliest, profile) === 'approved'
  // One that had money, and by what status says has none, is asked about to the end as well.
  const withMoney = payment.orders.filter(each => hasMoney(each) || hasMoney(kept && findOrder(kept, each)))
  const others = withMoney.filter(each => each.clientOrderId !== clientOrderId)
  for (const order of withMoney) {
    const profileOfOrder = profileOf(order.login)
    if (profileOfOrder === undefined) return untilKnown(others, profile)
    const asking = askingAbout(order, profileOfOrder, scene)
    if ('question' in asking) return { kind: 'ask', ...asking }
    if (asking.came === 'no-answer' || asking.came === 'not-known') return untilKnown(others, profile)
  }
  return giveBackStep(payment, clientOrderId, profile)
}
