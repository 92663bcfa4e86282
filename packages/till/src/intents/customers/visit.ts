import { type AskedSettlement, finalOutcome, type Order, settleAnswer, type WireProfile } from '@tillkit/protocol'
import { type Answer, type Question, questionAbout } from '../../rules/answer.js'
import { awaitedOf, isOver as isSettledNow, pauseAfterQuestion } from '../../rules/visit.js'
import { findOrder } from '../../state/document.js'
import type { KnownOrder } from '../../state/known.js'
import { questionAboutOther } from '../ask.js'
import { type DeliverPlan, type DeliverResult, deliver } from '../deliver.js'
import type { Heard, Next } from '../next.js'

/** The order as it was kept before, and what status says. */
export interface SettledVisit {
  readonly order: Order
  readonly settlement: AskedSettlement
}

/** An order that a customer comes back for, or whose page of 3DS a customer looks at. */
export interface VisitPlan extends DeliverPlan {
  readonly about: { readonly clientOrderId: string; readonly login: string }
  /** Says whether it stops for a settlement that settles nothing. Default: for none. */
  readonly until?: ((settlement: AskedSettlement) => boolean) | undefined
  /** Most questions. */
  readonly attempts: number
  /** Longest pause between two questions, in milliseconds. */
  readonly interval: number
  readonly profile: WireProfile
}

/** The end of a visit. `no-order`: it is not kept, or no more than its ids. `not-awaited`: no request can have made it. */
export type VisitResult =
  | { readonly kind: 'no-order' | 'not-awaited' }
  | { readonly kind: 'asked'; readonly delivered: DeliverResult }

/**
 * Asks status about an order for a customer who waits, until that settles it, a person must look, the visit stops for what it says,
 * or it was asked often enough; then about the other orders of the payment where it was approved; and delivers what was not told.
 * After each pause the payment is read again: others write meanwhile.
 */
export const visit =
  (plan: VisitPlan): Next<VisitResult> =>
  scene => {
    const { heard } = scene
    const asked = askedOf(plan, heard)
    if (typeof asked === 'string') return { kind: 'end', result: { kind: asked } }
    if (!isOver(plan, asked))
      return heard.waited < asked.pauses
        ? { kind: 'wait', milliseconds: asked.pause }
        : { kind: 'ask', question: questionAbout(asked.named) }
    if (asked.other !== undefined) return { kind: 'ask', question: asked.other }
    // The pauses between its questions were no waiting for others who deliver.
    const step = deliver(plan)({ ...scene, heard: { ...heard, waited: heard.waited - asked.pauses } })
    return step.kind === 'end' ? { ...step, result: { kind: 'asked', delivered: step.result } } : step
  }

/** Gives what a visit shows the customer. @returns Undefined while status is asked about the order, and where nothing is awaited of it. */
export function shownBy(plan: VisitPlan, heard: HeardOfOrder): SettledVisit | undefined {
  const asked = askedOf(plan, heard)
  return typeof asked !== 'string' && isOver(plan, asked)
    ? { order: asked.order, settlement: asked.settlement }
    : undefined
}

type HeardOfOrder = Pick<Heard, 'first' | 'answers'>

/** All that is known of the order of a visit by now. */
interface AskedSoFar extends Pick<SettledVisit, 'order'> {
  readonly settlement: SettledVisit['settlement'] | undefined
  readonly questions: number
  /** The order with the gateway's id, as far as status has said it. */
  readonly named: KnownOrder
  /** All pauses before the next question, and the last of them, in milliseconds. */
  readonly pauses: number
  readonly pause: number
  /** The question about another order of the payment, where this one was approved. */
  readonly other: Question | undefined
}

function askedOf(
  { about, interval, profile }: VisitPlan,
  { first, answers }: HeardOfOrder,
): AskedSoFar | 'no-order' | 'not-awaited' {
  const known = first === undefined || first.over !== undefined ? undefined : findOrder(first, about)
  if (first === undefined || known === undefined) return 'no-order'
  const awaited = awaitedOf(known)
  if (awaited === undefined) return 'not-awaited'
  const { order, expected } = awaited
  const own = answers.filter(({ question }) => question.clientOrderId === about.clientOrderId)
  const settlement = own.reduce<SettledVisit['settlement'] | undefined>(
    (last, each) => settleAnswer({ order: last?.order ?? order, expected, profile }, saidBy(each)),
    undefined,
  )
  const { orderId } = settlement?.order ?? order
  const pauses = own.map((_each, at) => pauseAfterQuestion(at + 1, interval))
  const isApproved = own.some(each => each.kind === 'reply' && finalOutcome(each.reply.status, profile) === 'approved')
  return {
    order,
    settlement,
    questions: own.length,
    named: orderId === undefined ? known : { ...known, orderId },
    pauses: pauses.reduce((sum, each) => sum + each, 0),
    pause: pauses.at(-1) ?? 0,
    other: isApproved ? questionAboutOther(known, first, answers) : undefined,
  }
}

const saidBy = ({ askedAt, ...answer }: Answer) =>
  answer.kind === 'reply' ? { askedAt, reply: answer.reply } : { askedAt, cause: answer.cause }

const isOver = (
  { until, attempts }: VisitPlan,
  asked: AskedSoFar,
): asked is AskedSoFar & Pick<SettledVisit, 'settlement'> =>
  asked.settlement !== undefined &&
  (isSettledNow(asked.settlement) || until?.(asked.settlement) === true || asked.questions >= attempts)
