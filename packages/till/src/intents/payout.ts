import type { AttemptEnd } from '@tillkit/protocol'
import { questionAbout } from '../rules/answer.js'
import { permissionToSend, type SendPermission } from '../rules/orders/reserve.js'
import { hasLostChange } from '../rules/pay/change-step.js'
import { currentOrder, paymentOf } from '../rules/pay/payment.js'
import { mayHaveArrived } from '../state/attempt-rules.js'
import type { PaymentDocument } from '../state/document.js'
import type { KnownOrder, PauseEntry } from '../state/known.js'
import { askingAbout, lastAnswerAbout } from './ask.js'
import { deliveringFirst } from './deliver.js'
import { isRestored, type Next, type Profiles, type Scene, type Step } from './next.js'
import { wasThere } from './pay-facts.js'
import { type RequestPlan, requested, shown } from './send.js'

/** A payout whose recipient was checked, and whose money is to be sent. */
export interface PayoutPlan extends Profiles {
  readonly reference: string
  /**
   * Checks and builds the request for the money of an order. The last one that was made is the one that is sent.
   *
   * @throws for one that cannot be sent.
   */
  readonly requestFor: (order: NamedOrder) => Pick<RequestPlan, 'attempt' | 'timeout'>
  /** How long the handler has for one outcome, in milliseconds. Absent: another process tells. */
  readonly lease: number | undefined
}

/** An order of which both ids are known. */
export interface NamedOrder extends Pick<KnownOrder, 'login' | 'stages'> {
  readonly clientOrderId: string
  readonly orderId: string
}

/**
 * The end of sending the money of a payout. `ended`: this is how its request ended. `waits`:
 * there is no checked order now, or it is not known that nothing else was paid; nothing was sent. `paused`: a person stopped new money.
 * `not-reserved`: what is kept of the payment forbids the request.
 */
export type PayoutResult =
  | { readonly kind: 'ended'; readonly end: AttemptEnd }
  | { readonly kind: 'waits' }
  /** The request cannot be made, or the marks of the till cannot be read. */
  | { readonly kind: 'not-made'; readonly cause: unknown }
  | { readonly kind: 'paused'; readonly pause: PauseEntry }
  | { readonly kind: 'not-reserved'; readonly why: Exclude<SendPermission, { readonly kind: 'reserved' }> }

/**
 * Sends the money of a payout that was checked, once for each order, and only where every other order of the payout is known to have
 * failed: those are asked about once more before.
 */
export const payOut =
  (plan: PayoutPlan): Next<PayoutResult> =>
  scene =>
    deliveringFirst(plan.lease, scene, nextStep(plan, scene))

function nextStep(plan: PayoutPlan, scene: Scene): Step<PayoutResult> {
  const { payment, heard, at, gate } = scene
  const { answers, isFresh, marks, end } = heard
  if (end !== undefined) return ending({ kind: 'ended', end })
  const found = findChecked(payment, plan, at.earliest)
  if (found === undefined) return ending({ kind: 'waits' })
  const { order, before } = found
  const wasRestored = isRestored(scene)
  // The money itself may have been sent after the backup was made.
  const doubtful = wasRestored ? [...before, order] : before
  const asking = doubtful.map(each => asked(each, plan, scene)).find(each => each !== 'clear')
  if (asking !== undefined) return asking === 'unclear' ? ending({ kind: 'waits' }) : asking
  // A change that moves money is known by what status showed before it.
  const answer = lastAnswerAbout(answers, order)
  if (answer === undefined) return { kind: 'ask', question: questionAbout(order), isBrief: true }
  if (wasRestored && hasLostChange(order)) return ending({ kind: 'waits' })
  if (!isFresh) return { kind: 'look' }
  if (marks.unreadable !== undefined) return ending({ kind: 'not-made', ...marks.unreadable })
  const wasSent = order.attempts.some(each => each.operation === 'payoutPay' && mayHaveArrived(each))
  if (marks.pause !== undefined && !wasSent) return ending({ kind: 'paused', pause: marks.pause })
  let made: ReturnType<PayoutPlan['requestFor']>
  try {
    made = plan.requestFor(order)
  } catch (cause) {
    return ending({ kind: 'not-made', cause })
  }
  const { attempt, timeout } = made
  const request = requested(attempt, { gate, at, timeout, baseline: shown(answer, found.profile) })
  const decision = permissionToSend(payment, request)
  if (decision.kind !== 'reserved') return ending({ kind: 'not-reserved', why: decision })
  if (decision.document === undefined) throw new Error(`The request ${gate} is there already.`)
  return { kind: 'send', attempt: request, payment: decision.document }
}

const ending = (result: PayoutResult): Step<PayoutResult> => ({ kind: 'end', result })

/** The order of a payout whose recipient was checked, and the others. @returns Undefined where there is no such order now. */
function findChecked(payment: PaymentDocument | undefined, { reference, profile, profileOf }: PayoutPlan, at: number) {
  if (payment === undefined) return undefined
  const { order } = currentOrder(payment, at, profile) ?? {}
  const { state } = paymentOf(payment, { reference, at, profile })
  if (order === undefined || state !== 'verified') return undefined
  const { clientOrderId, orderId, login } = order
  const own = profileOf(login)
  if (clientOrderId === undefined || orderId === undefined || own === undefined) return undefined
  const before = payment.orders.filter(each => each !== order)
  return { order: { ...order, clientOrderId, orderId }, profile: own, before }
}

/**
 * Asks about an order of the payout.
 *
 * @returns `clear`: its questions were answered, and nothing more than is known says that it brought money. `unclear`: nobody can say.
 */
function asked(order: KnownOrder, { profileOf }: PayoutPlan, scene: Scene): Step<PayoutResult> | 'clear' | 'unclear' {
  const profile = profileOf(order.login)
  if (profile === undefined) return 'unclear'
  const asking = askingAbout(order, profile, scene)
  if ('question' in asking) return { kind: 'ask', ...asking }
  const { came, order: known } = asking
  const isUnclear = came === 'no-answer' || came === 'brings-money' || (came === 'not-known' && wasThere(known))
  return isUnclear ? 'unclear' : 'clear'
}
