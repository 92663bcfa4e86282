import {
  echoesIds,
  finalOutcome,
  type StatusResponse,
  serialNumberOf,
  snapshotOf,
  stageOf,
  threeDSecureStep,
  type WireProfile,
} from '@tillkit/protocol'
import { isUnresolved } from '../state/attempt-rules.js'
import { findOrder, type PaymentDocument } from '../state/document.js'
import type { KnownAttempt } from '../state/known.js'
import { type Answer, isSameQuestion, type Question, questionAbout, questionTo } from './answer.js'
import { canBeShown, isThere } from './learn.js'
import { doubtAboutCreation } from './orders/shown.js'
import type { OpenQuestion } from './people/questions.js'
import type { StatusWord, WantedDecision } from './people/wanted.js'

/** A question that a person answers, and all that status has said to it. */
export interface WordPlan {
  readonly question: OpenQuestion
  readonly wanted: WantedDecision
  /** The profile of the order's account. */
  readonly profile: WireProfile
  /** The answers of status to this run. */
  readonly answers: readonly Answer[]
  /** The payment, with all that those answers say. */
  readonly payment: PaymentDocument
}

/** The next question to status, or its word; undefined: it can say nothing to this decision. */
export type Word = { readonly ask: Question } | StatusWord | undefined

type About<Kind extends OpenQuestion['kind']> = Extract<OpenQuestion, { readonly kind: Kind }>

/** Says what status has to say to a decision, or is to be asked about it. Its word counts more than a person's. */
export function wordOfStatus(plan: WordPlan): Word {
  const { question, wanted } = plan
  if (question.kind === 'disputed') return ofDispute(question, plan)
  if (question.kind === 'open-order') return ofOpenOrder(question, plan)
  if (question.kind !== 'unknown') return undefined
  return wanted.kind === 'arrived' ? ofNamedId(question, wanted, plan) : ofRequest(question, plan)
}

/** Whether status shows a request that was not answered. */
function ofRequest(question: About<'unknown'>, plan: WordPlan): Word {
  const { attempt } = question
  const { effect, operation, end } = attempt
  if (!canBeShown(attempt, plan.profile))
    return notShown(`Status does not show what a ${operation} request did. Look it up at the gateway.`)
  const numbers = effect === 'changes' && end?.serialNumber !== undefined ? [end.serialNumber, undefined] : [undefined]
  for (const serialNumber of numbers) {
    const ask = questionTo(attempt, {
      ...idsOf(attempt),
      orderId: attempt.orderId ?? end?.orderId,
      bySerialNumber: serialNumber,
    })
    const answer = answerTo(ask, plan)
    if (answer === undefined) return { ask }
    // A serial number that status does not know says nothing about the order.
    if (serialNumber !== undefined && isRefusal(answer)) continue
    return wordOn(answer, question, plan)
  }
  return noAnswer('Status did not answer.')
}

function wordOn(answer: Answer, { attempt, order }: About<'unknown'>, { payment, profile }: WordPlan): StatusWord {
  const now = findOrder(payment, attempt)?.attempts.find(each => each.reservation === attempt.reservation)
  // It is known by now, without the person.
  if (now !== undefined && !isUnresolved(now))
    return { kind: 'shown', explanation: 'Status says what became of the request.' }
  const isCreation = attempt.effect === 'creates'
  // Another process may have heard it meanwhile.
  if (isCreation && answer.kind !== 'reply' && order.stages.length > 0)
    return { kind: 'shown', explanation: 'Status has shown the order.' }
  // A gateway that gave the order an id has seen it: that it knows no such order does not count.
  const isSeen = isThere(order) || attempt.orderId !== undefined || attempt.end?.orderId !== undefined
  switch (answer.kind) {
    case 'reply': {
      const { reply, question, askedAt } = answer
      if (!echoesIds(reply, question)) return otherOrder
      const said = snapshotOf(reply, { askedAt, profile })
      if (!isCreation)
        return notShown(`Status says ${JSON.stringify(said.status)} of a ${said.stage ?? 'request without a stage'}.`)
      const because = doubtAboutCreation(attempt, said) ?? 'that is not known to be its own'
      return {
        kind: 'shown',
        explanation: `Status knows an order ${JSON.stringify(attempt.clientOrderId)}, and ${because}.`,
      }
    }
    case 'never-seen':
      return isCreation && !isSeen ? notShown('Status says that it has never seen the order.') : unanswered(answer)
    case 'refused': {
      const why = 'it is not known which error code means that it has never seen an order'
      const mayBeAbsent = isCreation && !isSeen && answer.mayBeAbsence === true
      return mayBeAbsent ? notShown(`Status refused the question, and ${why}.`) : unanswered(answer)
    }
    case 'no-answer':
      return unanswered(answer)
  }
}

/** Whether status knows a request under the very id that a person names. */
function ofNamedId(
  { attempt, order }: About<'unknown'>,
  { orderId: named, serialNumber }: Extract<WantedDecision, { readonly kind: 'arrived' }>,
  plan: WordPlan,
): Word {
  const isCreation = attempt.effect === 'creates'
  if (isCreation !== (named !== undefined))
    return notShown(
      isCreation ? 'Name the "orderId" that the gateway gave it.' : 'Name the "serialNumber" that the gateway gave it.',
    )
  const orderId = named ?? order.orderId
  if (orderId === undefined) return notShown("The gateway's id of the order is not known.")
  if (order.orderId !== undefined && order.orderId !== orderId)
    return notShown('The store has the order under another id.')
  if (order.attempts.some(each => serialNumber !== undefined && each.end?.serialNumber === serialNumber))
    return notShown('Another request of the order has that serial number.')
  const ask = questionTo(attempt, { ...idsOf(attempt), orderId, bySerialNumber: serialNumber })
  const answer = answerTo(ask, plan)
  if (answer === undefined) return { ask }
  if (answer.kind !== 'reply') return { ...unanswered(answer), kind: kindOf(answer) }
  const { reply } = answer
  if (!echoesIds(reply, ask)) return notShown('The reply was about another order.')
  if (serialNumber !== undefined) {
    if (serialNumberOf({ reply, askedAt: 0, bySerialNumber: serialNumber }, plan.profile) !== serialNumber)
      return notShown('The reply does not say that it is about that serial number.')
    const stage = stageOf(reply, plan.profile)
    if (!attempt.stages.some(each => each === stage))
      return notShown(`Under that serial number it knows a ${stage ?? 'request without a stage'}.`)
  }
  return { kind: 'confirmed', explanation: `Status says ${JSON.stringify(reply.status)}.` }
}

/** Finds out what status says now of a stage about which the gateway contradicted itself. */
function ofDispute({ order, stage }: About<'disputed'>, plan: WordPlan): Word {
  const ask = questionAbout(order, stage.serialNumber)
  const answer = answerTo(ask, plan)
  if (answer === undefined) return { ask }
  if (answer.kind !== 'reply') return unanswered(answer)
  const { reply } = answer
  const outcome = finalOutcome(reply.status, plan.profile)
  const explanation = `Status says ${JSON.stringify(reply.status)}.`
  if (!echoesIds(reply, ask)) return otherOrder
  const isAbout = stageOf(reply, plan.profile) === stage.stage
  if (isAbout && outcome === undefined) return noAnswer(explanation)
  return { kind: 'shown', explanation, ...(isAbout ? { outcome, amount: reply.amount } : {}) }
}

/** Whether the customer of an open order has begun to pay it, or it has ended. */
function ofOpenOrder({ order }: About<'open-order'>, plan: WordPlan): Word {
  const ask = questionAbout(order)
  const answer = answerTo(ask, plan)
  if (answer === undefined) return { ask }
  if (answer.kind !== 'reply') return unanswered(answer)
  const { reply } = answer
  if (!echoesIds(reply, ask)) return otherOrder
  const outcome = finalOutcome(reply.status, plan.profile)
  const explanation = `Status says ${JSON.stringify(reply.status)}.`
  if (outcome === undefined && !hasBegun(reply, plan.profile)) return notShown(explanation)
  return { kind: 'shown', explanation, outcome }
}

/** Whether status shows that a customer has given a card. */
export const hasBegun = (reply: StatusResponse, profile: WireProfile): boolean =>
  reply.lastFourDigits !== undefined || reply.bin !== undefined || threeDSecureStep(reply, profile) !== undefined

const idsOf = ({ login, clientOrderId = '' }: KnownAttempt) => ({ login, clientOrderId })

const answerTo = (ask: Question, { answers }: WordPlan): Answer | undefined =>
  answers.findLast(({ question }) => isSameQuestion(question, ask))

const isRefusal = ({ kind }: Answer): boolean => kind === 'refused' || kind === 'never-seen'
const kindOf = (answer: Answer): StatusWord['kind'] => (isRefusal(answer) ? 'not-shown' : 'no-answer')

const notShown = (explanation: string): StatusWord => ({ kind: 'not-shown', explanation })
const noAnswer = (explanation: string): StatusWord => ({ kind: 'no-answer', explanation })
const otherOrder = noAnswer('The status reply was about another order.')

function unanswered({ kind, ...answer }: Exclude<Answer, { readonly kind: 'reply' }>): StatusWord {
  const { cause }: { readonly cause?: unknown } = answer
  return noAnswer(cause instanceof Error ? cause.message : `Status gave no answer (${kind}).`)
}
