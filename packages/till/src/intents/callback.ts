import { echoesIds, type StatusResponse, type WireProfile } from '@tillkit/protocol'
import { type Answer, isSameQuestion, type Question, questionAbout } from '../rules/answer.js'
import { doubtAboutShape } from '../rules/divisions.js'
import { overdueSeen } from '../rules/orders/absence.js'
import {
  asCallbacksNameIt,
  type HeardCallback,
  hour,
  isAbout,
  isApproval,
  isOtherOrder,
  isOverruled,
  raisedBy,
  saidBy,
} from '../rules/orders/callback-shown.js'
import { isAwaited } from '../rules/orders/expected.js'
import { callbackAnswered, callbackCame, notShownAnHour } from '../rules/orders/happened.js'
import { areAnswered, isAskedAbout, toLookUp, unansweredOf } from '../rules/orders/open-callbacks.js'
import { takeUpAnother } from '../rules/pay/take-up.js'
import { isUnresolved } from '../state/attempt-rules.js'
import { findOrder, type PaymentDocument } from '../state/document.js'
import type { KnownOrder } from '../state/known.js'
import { nameOfAnother } from '../store/keys.js'
import { questionAboutOther, questionAfter, unanswered } from './ask.js'
import { type DeliverPlan, type DeliverResult, deliver } from './deliver.js'
import { findLater, type LostOrdersPlan } from './find-lost.js'
import type { Next, Scene, Step } from './next.js'

/** An order that callbacks came for, or that the background looks after. */
export interface CallbackPlan extends DeliverPlan {
  readonly about: { readonly clientOrderId: string; readonly login: string }
  /** The gateway's order id, as the callbacks have it; empty: it is not known. */
  readonly orderId: string
  /** The verified callbacks that this process still has to answer. */
  readonly callbacks: readonly HeardCallback[]
  readonly profile: WireProfile
  /** How orders are looked for that a restored store may have lost. Absent: nobody looks. */
  readonly lost?: LostOrdersPlan | undefined
}

/**
 * The end of looking after an order. `no-order`: it is not kept, or no more than its ids. `other-order`: the callbacks name another order
 * of the gateway than the known one, and it was not taken up; `isShown`: status shows it.
 */
export type CallbackResult =
  | { readonly kind: 'no-order' }
  | { readonly kind: 'other-order'; readonly order: KnownOrder; readonly isShown: boolean }
  | LookedAfter

/** An order that status was asked about, and the end of delivering what was not told. */
export interface LookedAfter {
  readonly kind: 'asked'
  /** As it was before, with the gateway's id; and as it is now. */
  readonly order: KnownOrder
  readonly now: KnownOrder
  readonly delivered: DeliverResult
  /** The replies that are about the order. */
  readonly replies: readonly StatusResponse[]
  /** Absent: every question was answered. */
  readonly failure: { readonly cause: unknown } | undefined
  /** Whether every question was answered, and every answer was about the order. */
  readonly isWhole: boolean
}

/**
 * Looks after an order: asks status about everything that is open of it and that its callbacks raise, about the other orders of the payment
 * where it was approved, and delivers what was not told. In a restored store it looks for later orders of the payment as well. What
 * callbacks say is never believed: it only decides what is asked, and whether the callback has its answer. One that has none is written
 * down, so that the work in the background asks again.
 */
export const callback =
  (plan: CallbackPlan): Next<CallbackResult> =>
  scene => {
    const { first } = scene.heard
    const known = first === undefined || first.over !== undefined ? undefined : findOrder(first, plan.about)
    if (first === undefined || known === undefined) return { kind: 'end', result: { kind: 'no-order' } }
    if (isOtherOrder(known, plan.orderId)) return lookAtAnother(known, plan, scene)
    const heard = heardOf(asCallbacksNameIt(known, plan.orderId), scene.heard.answers)
    const isApproved = heard.replies.some(reply => isApproval(reply, plan.profile))
    const question =
      nextQuestion(plan, heard) ?? (isApproved ? questionAboutOther(known, first, heard.answers) : undefined)
    if (question !== undefined) return { kind: 'ask', question }
    const payment = withAnswers(plan, { ...heard, known }, scene)
    const step = deliver(plan)({ ...scene, payment })
    if (step.kind !== 'end') return step
    const looking = plan.lost && findLater(plan.lost, known, scene)
    if (looking !== undefined) return looking
    const { order, replies, failure, isWhole } = heard
    const now = (payment && findOrder(payment, plan.about)) ?? order
    const result: LookedAfter = { kind: 'asked', order, now, delivered: step.result, replies, failure, isWhole }
    if (payment === undefined || !isLeftOpen(plan, result, scene.at.earliest)) return { ...step, payment, result }
    const { callbacks, profile } = plan
    const said = unansweredOf(callbacks, { order: now, replies }, profile).map(each => saidBy(each, profile))
    return { ...step, payment: callbackCame(payment, plan.about, scene.at.earliest, said), result }
  }

/**
 * Looks after an order that the gateway has under an id of ours, and that is not the known one: its money is the payment's as well. Status
 * is asked by both ids; an order that it shows is taken up.
 */
function lookAtAnother(known: KnownOrder, plan: CallbackPlan, scene: Scene): Step<CallbackResult> {
  const { payment, heard, at, gate } = scene
  const { login } = known
  const clientOrderId = nameOfAnother({ ...plan.about, orderId: plan.orderId })
  const about = { clientOrderId, login }
  if (payment !== undefined && findOrder(payment, about) !== undefined)
    return callback({ ...plan, about })({ ...scene, heard: { ...heard, first: payment } })
  const { profile } = plan
  // A callback that somebody has divided anew must not make a question.
  const isPossible = plan.callbacks.some(({ signed }) => doubtAboutShape(signed, profile) === undefined)
  if (!isPossible) return { kind: 'end', result: { kind: 'other-order', order: known, isShown: false } }
  const question = { ...questionAbout(known), clientOrderId, orderId: plan.orderId }
  const answer = heard.answers.find(each => isSameQuestion(each.question, question))
  if (answer === undefined) return { kind: 'ask', question }
  const isShown = answer.kind === 'reply' && echoesIds(answer.reply, question)
  const asked = isShown && { reply: answer.reply, age: Math.max(0, at.earliest - answer.askedAt) }
  const taken =
    payment === undefined || asked === false
      ? undefined
      : takeUpAnother(payment, known, { clientOrderId, reservation: gate, asked, profile, at: at.earliest })
  return taken === undefined
    ? { kind: 'end', result: { kind: 'other-order', order: known, isShown } }
    : { kind: 'append', payment: taken }
}

/**
 * Gives the first callback that status does not show yet, though it shows an end of the order: a callback can overtake status.
 * If it shows no end, the order is asked about again without it. One that a person is or was asked about is answered.
 */
export const notShown = (
  { callbacks, profile }: Pick<CallbackPlan, 'callbacks' | 'profile'>,
  { now: order, replies, isWhole }: LookedAfter,
): HeardCallback | undefined =>
  isWhole && !isAwaited(order) ? unansweredOf(callbacks, { order, replies }, profile)[0] : undefined

/**
 * Says whether callbacks are left open: status was not heard of them. Whether or not they come again, their order is asked about again.
 * One that says an earlier word of status, or what a person was asked about, is answered, and leaves its order open as well. Anybody who
 * has seen an old one can send it again and again: the till writes it down twice in an hour at most.
 */
function isLeftOpen({ callbacks, profile }: CallbackPlan, result: LookedAfter, at: number): boolean {
  const { delivered, failure, now, isWhole } = result
  if (callbacks.length === 0 || delivered.kind === 'unknown' || delivered.kind === 'busy') return false
  if (failure !== undefined || notShown({ callbacks, profile }, result) !== undefined) return true
  const isFresh = now.callbackAt !== undefined && at - now.callbackAt < hour / 2
  const mayBeNew = (each: HeardCallback) =>
    isOverruled(each, { order: now, at }, profile) || isAskedAbout(each, now, profile)
  return isWhole && !isFresh && !isAwaited(now) && callbacks.some(mayBeNew)
}

/** Everything that was heard of an order. */
interface HeardOfOrder {
  /** As it was before. */
  readonly order: KnownOrder
  /** The answers to questions about it, and all answers. */
  readonly own: readonly Answer[]
  readonly answers: readonly Answer[]
  readonly replies: readonly StatusResponse[]
  readonly failure: { readonly cause: unknown } | undefined
  readonly isWhole: boolean
}

function heardOf(order: KnownOrder, answers: readonly Answer[]): HeardOfOrder {
  const own = answers.filter(({ question }) => question.clientOrderId === order.clientOrderId)
  const all = own.flatMap(each => (each.kind === 'reply' ? [each.reply] : []))
  const replies = all.filter(each => isAbout(each, order))
  // A change that nobody knows the end of has a serial number that status may never have seen.
  const doubtful = unanswered(order)
  const failed = own.find(
    ({ kind, question: { bySerialNumber = '' } }) =>
      kind === 'no-answer' || (kind !== 'reply' && !doubtful.includes(bySerialNumber)),
  )
  const failure = failed === undefined || failed.kind === 'reply' ? undefined : { cause: failed.cause }
  const isWhole = failure === undefined && replies.length === all.length
  return { order, own, answers, replies, failure, isWhole }
}

/** The next question about the order: about all that is open of it, and then about what its callbacks say and no answer has shown. */
function nextQuestion(
  { callbacks, profile }: CallbackPlan,
  { order, own, failure, replies }: HeardOfOrder,
): Question | undefined {
  const open = questionAfter({ order, profile }, own)
  if (open !== undefined || failure !== undefined) return open
  const asked = own.map(({ question }) => question.bySerialNumber)
  const said = callbacks.map(each => saidBy(each, profile))
  const raised = raisedBy(said, { order, replies }, profile).find(each => !asked.includes(each))
  return raised === undefined ? undefined : questionAbout(order, raised)
}

interface InPayment extends HeardOfOrder {
  readonly known: KnownOrder
}

/** The payment, with what follows from the answers: that a callback has its own, and that requests are overdue. */
function withAnswers(
  plan: CallbackPlan,
  { order, known, replies, isWhole }: InPayment,
  { payment, at: { earliest: at } }: Scene,
): PaymentDocument | undefined {
  const { callbacks, profile } = plan
  const { callbackAt } = known
  const now = (payment && findOrder(payment, plan.about)) ?? order
  const isHeard = isWhole && replies.length > 0
  // An order under way is asked about anyway, and may show it yet.
  const isJudged = callbackAt !== undefined && !(now.called !== undefined && isHeard && isAwaited(now))
  const left = isJudged ? toLookUp({ order: now, replies, at, isHeard }, profile) : []
  const seen = payment && notShownAnHour(payment, plan.about, left, at)
  const isAnswered = isJudged && isHeard && areAnswered(callbacks, { order, replies, now, at }, profile)
  const answered = isAnswered && seen !== undefined ? callbackAnswered(seen, plan.about, callbackAt) : seen
  return answered !== undefined && known.attempts.some(isUnresolved) ? overdueSeen(answered, at) : answered
}
