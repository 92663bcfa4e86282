import {
  type Answered,
  areAnswered,
  asCallbacksNameIt,
  isAbout,
  isApproval,
  isOtherOrder,
  raisedBy,
  type SignedAndUnsigned,
} from '@tillkit/express-middleware/core'
import {
  callbackAnswered,
  findOrder,
  isUnresolved,
  type KnownOrder,
  overdueSeen,
  type PaymentDocument,
  type WireProfile,
} from '@tillkit/protocol'
import { type Answer, type Question, questionAbout } from '../rules/answer.js'
import { questionAboutOther, questionAfter, unanswered } from './ask.js'
import { type DeliverPlan, type DeliverResult, deliver } from './deliver.js'
import type { Next, Scene } from './next.js'

/** An order that callbacks came for, or that the background looks after. */
export interface CallbackPlan extends DeliverPlan {
  readonly about: { readonly clientOrderId: string; readonly login: string }
  /** The gateway's order id, as the callbacks have it; empty: it is not known. */
  readonly orderId: string
  /** The verified callbacks that this process still has to answer. */
  readonly callbacks: readonly SignedAndUnsigned[]
  readonly profile: WireProfile
}

/** The end of looking after an order. `no-order`: it is not kept, or no more than its ids. `other-order`: the gateway knows it by another id. */
export type CallbackResult =
  | { readonly kind: 'no-order' | 'other-order' }
  | {
      readonly kind: 'asked'
      /** As it was before, with the gateway's id. */
      readonly order: KnownOrder
      readonly delivered: DeliverResult
      /** The answers that are about the order. */
      readonly replies: readonly Answered[]
      /** Absent: every question was answered. */
      readonly failure: { readonly cause: unknown } | undefined
      /** Whether every question was answered, and every answer was about the order. */
      readonly isWhole: boolean
    }

/**
 * Looks after an order: asks status about everything that is open of it and that its callbacks raise, about the other orders of the payment
 * where it was approved, and delivers what was not told. What callbacks say is never believed: it only decides what is asked, and whether the
 * callback has its answer.
 */
export const callback =
  (plan: CallbackPlan): Next<CallbackResult> =>
  scene => {
    const { first } = scene.heard
    const known = first === undefined || first.over !== undefined ? undefined : findOrder(first, plan.about)
    if (first === undefined || known === undefined) return { kind: 'end', result: { kind: 'no-order' } }
    if (isOtherOrder(known, plan.orderId)) return { kind: 'end', result: { kind: 'other-order' } }
    const heard = heardOf(asCallbacksNameIt(known, plan.orderId), scene.heard.answers)
    const isApproved = heard.replies.some(({ reply }) => isApproval(reply, plan.profile))
    const question =
      nextQuestion(plan, heard) ?? (isApproved ? questionAboutOther(known, first, heard.answers) : undefined)
    if (question !== undefined) return { kind: 'ask', question }
    const payment = withAnswers(plan, { ...heard, known }, scene)
    const step = deliver(plan)({ ...scene, payment })
    if (step.kind !== 'end') return step
    const { order, replies, failure, isWhole } = heard
    return { ...step, payment, result: { kind: 'asked', order, delivered: step.result, replies, failure, isWhole } }
  }

/** Everything that was heard of an order. */
interface HeardOfOrder {
  /** As it was before. */
  readonly order: KnownOrder
  /** The answers to questions about it, and all answers. */
  readonly own: readonly Answer[]
  readonly answers: readonly Answer[]
  readonly about: readonly (Answer & { readonly kind: 'reply' })[]
  readonly replies: readonly Answered[]
  readonly failure: { readonly cause: unknown } | undefined
  readonly isWhole: boolean
}

function heardOf(order: KnownOrder, answers: readonly Answer[]): HeardOfOrder {
  const own = answers.filter(({ question }) => question.clientOrderId === order.clientOrderId)
  const all = own.flatMap(each => (each.kind === 'reply' ? [each] : []))
  const about = all.filter(each => isAbout(answeredBy(each), order))
  // A change that nobody knows the end of has a serial number that status may never have seen.
  const doubtful = unanswered(order)
  const failed = own.find(
    ({ kind, question: { bySerialNumber = '' } }) =>
      kind === 'no-answer' || (kind !== 'reply' && !doubtful.includes(bySerialNumber)),
  )
  const failure = failed === undefined || failed.kind === 'reply' ? undefined : { cause: failed.cause }
  const isWhole = failure === undefined && about.length === all.length
  return { order, own, answers, about, replies: about.map(answeredBy), failure, isWhole }
}

const answeredBy = ({ reply, askedAt, question }: Answer & { readonly kind: 'reply' }): Answered => ({
  reply,
  askedAt,
  bySerialNumber: question.bySerialNumber,
})

/** The next question about the order: about all that is open of it, and then about what its callbacks say and no answer has shown. */
function nextQuestion(
  { callbacks, profile }: CallbackPlan,
  { order, own, failure, replies }: HeardOfOrder,
): Question | undefined {
  const open = questionAfter({ order, profile }, own)
  if (open !== undefined || failure !== undefined) return open
  const asked = own.map(({ question }) => question.bySerialNumber)
  const raised = raisedBy(callbacks, { order, replies }, profile).find(each => !asked.includes(each))
  return raised === undefined ? undefined : questionAbout(order, raised)
}

interface InPayment extends HeardOfOrder {
  readonly known: KnownOrder
}

/** The payment, with what follows from the answers: that a callback has its own, and that requests are overdue. */
function withAnswers(
  plan: CallbackPlan,
  { order, known, about, replies, isWhole }: InPayment,
  { payment, at: { earliest: at } }: Scene,
): PaymentDocument | undefined {
  const { callbacks, profile } = plan
  const { callbackAt } = known
  const isAnswered =
    callbackAt !== undefined && isWhole && about.length > 0 && areAnswered(callbacks, { order, replies, at }, profile)
  const answered = payment === undefined || !isAnswered ? payment : callbackAnswered(payment, plan.about, callbackAt)
  return answered !== undefined && known.attempts.some(isUnresolved) ? overdueSeen(answered, at) : answered
}
