import { finalOutcome, type WireProfile } from '@tillkit/protocol'
import { type Answer, type Question, questionAbout } from '../rules/answer.js'
import { questionsAbout, questionsRaisedBy } from '../rules/orders/expected.js'
import { hasBegun } from '../rules/status-word.js'
import { isUnresolved } from '../state/attempt-rules.js'
import { findOrder, type PaymentDocument } from '../state/document.js'
import type { KnownOrder } from '../state/known.js'
import type { Next, Scene } from './next.js'

/** An order that status is asked about, as it was known before. */
export interface AskPlan {
  readonly order: KnownOrder
  readonly profile: WireProfile
}

/**
 * The end of asking. `brings-money`: status says approved, which was not known before. `begun`: the customer has begun to pay. `not-known`:
 * the gateway refused the question, as it does for an order that it never saw; that proves nothing. `no-answer`: nothing may be concluded;
 * so it is too where an order that had ended has not, by what status says.
 */
export type AskedOrder = 'no-answer' | 'not-known' | 'answered' | 'begun' | 'brings-money'

/** Asks status about everything that is open of an order, each question once. What it says is written down. */
export const ask =
  (plan: AskPlan): Next<AskedOrder> =>
  ({ heard: { answers } }) => {
    const question = questionAfter(plan, answers)
    return question === undefined ? { kind: 'end', result: cameTo(plan, answers) } : { kind: 'ask', question }
  }

/** Asks one question of the caller's own, once. */
export const askOnce =
  ({ question }: { readonly question: Question }): Next<undefined> =>
  ({ heard }) =>
    heard.answers.length === 0 ? { kind: 'ask', question } : { kind: 'end', result: undefined }

/** Gives the question about an order that follows those answers. @returns Undefined where all were asked, or one was not answered. */
export function questionAfter({ order, profile }: AskPlan, answers: readonly Answer[]): Question | undefined {
  const { clientOrderId } = order
  // A serial number that status does not know says nothing about the order.
  const isOver = answers.some(({ kind, question: { bySerialNumber } }) =>
    kind === 'no-answer' ? true : kind !== 'reply' && bySerialNumber === undefined,
  )
  if (clientOrderId === undefined || isOver) return undefined
  const raised = answers.flatMap(each =>
    each.kind === 'reply' && each.question.bySerialNumber === undefined
      ? questionsRaisedBy(each.reply, { order, profile })
      : [],
  )
  const asked = answers.map(({ question }) => question.bySerialNumber)
  const next = [...unanswered(order), ...questionsAbout(order), ...raised].find(each => !asked.includes(each))
  const isOpen = next !== undefined || !asked.includes(undefined)
  if (!isOpen) return undefined
  return questionAbout(order, next)
}

/** Gives the answers of status about an order, in their order. */
export const answersAbout = (
  answers: readonly Answer[],
  { clientOrderId, login }: Pick<KnownOrder, 'clientOrderId' | 'login'>,
): readonly Answer[] =>
  answers.filter(({ question }) => question.clientOrderId === clientOrderId && question.login === login)

/** Gives the last answer about the latest request of an order. */
export const lastAnswerAbout = (answers: readonly Answer[], about: KnownOrder): Answer | undefined =>
  answersAbout(answers, about).findLast(({ question }) => question.bySerialNumber === undefined)

/**
 * Asks about everything that is open of an order, for an intent that asks about several.
 * Its questions go by the order as it was before the answers of this run.
 *
 * @returns The next question, or what the answers came to.
 */
export function askingAbout(
  order: KnownOrder,
  profile: WireProfile,
  { kept, heard: { answers } }: Pick<Scene, 'kept' | 'heard'>,
): { readonly question: Question } | { readonly came: AskedOrder; readonly order: KnownOrder } {
  const known = (kept && findOrder(kept, order)) ?? order
  const about = answersAbout(answers, order)
  const question = questionAfter({ order: known, profile }, about)
  return question === undefined ? { came: cameTo({ order: known, profile }, about), order: known } : { question }
}

/**
 * Gives the question about another order of a payment of which one was approved: one that was declined, or left open,
 * may have brought money as well. What is not answered says nothing: its own callback comes.
 *
 * @param approved As it was in the payment before.
 * @returns Undefined where all were asked about that the gateway may have.
 */
export function questionAboutOther(
  approved: KnownOrder,
  payment: PaymentDocument,
  answers: readonly Answer[],
): Question | undefined {
  const asked = answers.map(({ question }) => question.clientOrderId)
  const other = payment.orders.find(
    each =>
      each !== approved &&
      each.login === approved.login &&
      each.clientOrderId !== undefined &&
      (each.orderId !== undefined || each.stages.length > 0) &&
      !asked.includes(each.clientOrderId),
  )
  return other === undefined ? undefined : questionAbout(other)
}

/** The serial numbers of changes of which nobody knows how they ended, though status may have shown what they did. */
export const unanswered = ({ attempts }: KnownOrder): readonly string[] =>
  attempts.flatMap(each => (each.effect === 'changes' && isUnresolved(each) ? (each.end?.serialNumber ?? []) : []))

/** Says what the answers about an order came to, once there is no further question about it. */
export function cameTo({ order, profile }: AskPlan, answers: readonly Answer[]): AskedOrder {
  const replies = answers.flatMap(each => (each.kind === 'reply' ? [each.reply] : []))
  const outcomes = replies.map(({ status }) => finalOutcome(status, profile))
  if (outcomes.includes('approved') && !order.stages.some(({ outcome }) => outcome === 'approved'))
    return 'brings-money'
  // Status lags, or the customer tries another card: that it has failed is no longer known.
  if (hasEnded(order) && outcomes.includes(undefined)) return 'no-answer'
  if (answers.length === 0 || answers.some(({ kind }) => kind === 'no-answer')) return 'no-answer'
  if (replies.length < answers.length) return 'not-known'
  return replies.some(each => hasBegun(each, profile)) ? 'begun' : 'answered'
}

/** Whether all that is known of an order is over. */
const hasEnded = ({ stages }: KnownOrder): boolean =>
  stages.length > 0 && stages.every(({ outcome }) => outcome !== undefined)
