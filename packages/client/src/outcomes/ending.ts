import {
  type AskedSettlement,
  isSettled,
  moneyMoved,
  needsPerson,
  quote,
  quoteMoney,
  threeDSecureStep,
} from '@tillkit/protocol'
import type { Settings } from '../config/settings.js'
import { describeStep, stepName } from './customer-step.js'
import type { ReadQuestion } from './question.js'
import type { AwaitedOutcome, Progress, StillUnknown } from './types.js'

/** How far a wait has got after a settlement. */
export function progressAfter(before: Progress, { kind, order }: AskedSettlement): Progress {
  const isAnswer = kind !== 'no-answer' && kind !== 'other-order'
  return { ...before, order, asked: before.asked + 1, answered: before.answered + (isAnswer ? 1 : 0) }
}

/**
 * Says how a settlement ends a wait. One without an answer, or about something else, ends nothing.
 *
 * A 3DS step ends the wait the first time it is seen, so that no customer is sent to the same place twice: replies repeat it.
 *
 * @param progress That after the settlement.
 * @returns Undefined where the wait goes on.
 */
export function endedBy(
  settlement: AskedSettlement,
  progress: Progress,
  { profile, baseUrl: { isPlainHttp } }: Pick<Settings, 'profile' | 'baseUrl'>,
): Exclude<AwaitedOutcome, StillUnknown> | undefined {
  if (isSettled(settlement)) {
    const { stage, order } = settlement
    const explanation = `The ${stage.stage} of order ${quote(order.clientOrderId)} is ${quote(stage.status)} over ${quoteMoney(stage)}.`
    return { ...settlement, ...progress, explanation }
  }
  if (needsPerson(settlement)) {
    const { kind: reason, explanation, observation, stage } = settlement
    const moved = reason === 'amount-differs' && stage !== undefined ? moneyMoved(stage.stage) : 'unknown'
    const found = { ...progress, ...onStatus, observation, explanation, moneyMoved: moved, ...(stage && { stage }) }
    return { kind: 'needs-person', reason, ...found }
  }
  if (settlement.kind !== 'not-final') return undefined
  const { observation } = settlement
  const step = threeDSecureStep(observation.reply, profile, { plainHttp: isPlainHttp })
  if (step === undefined || progress.shownSteps.includes(stepName(step))) return undefined
  const shown = { ...progress, shownSteps: [...progress.shownSteps, stepName(step)] }
  const found = { ...shown, ...onStatus, observation, explanation: describeStep(step), moneyMoved: 'unknown' } as const
  return step.kind === 'unusable'
    ? { ...found, kind: 'needs-person', reason: 'unusable-step' }
    : { ...found, kind: 'needs-customer', step }
}

const onStatus = { evidence: 'status-reply' } as const

/** The outcome of a wait that status never ended. @param last The last settlement, for the explanation. */
export function stillUnknown(
  reason: StillUnknown['reason'],
  progress: Progress,
  { stages, last }: Pick<ReadQuestion['expected'], 'stages'> & { readonly last: AskedSettlement | undefined },
): StillUnknown {
  const { order, asked, answered } = progress
  const said = last === undefined || isSettled(last) ? '' : ` The last one: ${last.explanation}${moreOf(last)}`
  const explanation =
    `How the ${stages.join(' or ')} of order ${quote(order.clientOrderId)} ended is not known: ` +
    `${reason === 'aborted' ? 'the wait was aborted' : 'the time is up'} ` +
    `after ${asked} question${asked === 1 ? '' : 's'}, ${answered} of them answered. ` +
    `Do not send it again; ask again later, or when a callback comes.${said}`
  const evidence = answered > 0 ? 'status-reply' : 'none'
  return { kind: 'still-unknown', reason, evidence, moneyMoved: 'unknown', ...progress, explanation }
}

/** The cause of a question that failed; or the cure where replies name no stage, which leaves every wait without an outcome. */
function moreOf(last: AskedSettlement): string {
  if (last.kind === 'no-answer') return last.cause instanceof Error ? ` ${last.cause.message}` : ''
  if (last.kind !== 'other-stage') return ''
  const { transactionType, orderStage } = last.observation.reply
  if (transactionType !== undefined || orderStage !== undefined) return ''
  return (
    ' It has neither "transactionType" nor "orderStage". Where your gateway sends them under other names, correct ' +
    '"replyFields" with defineProfile; where it never sends either, see "statusNamesStage".'
  )
}
