import { type MoneyMoved, moneyMoved } from '../operations/stages.js'
import { isSettled, type Outcome } from '../order/settle.js'
import type { Order, Stage, StatusObservation } from '../order/types.js'
import type { WireProfile } from '../profile/types.js'
import type { SafeAddressOptions } from '../redaction/addresses.js'
import { quote, quoteMoney } from '../redaction/mask-card-number.js'
import { type CustomerStep, describeStep, threeDSecureStep } from '../three-d-secure/step.js'
import { type AskedSettlement, needsPerson } from './ask-and-settle.js'
import type { WaitState } from './wait-state.js'

/** What every outcome of a wait carries. */
interface Waited {
  /** What is known of the order now. */
  readonly order: Order
  /** To go on from, here or in another process. */
  readonly wait: WaitState
  /** What happened and what to do, in words. Safe to log. */
  readonly explanation: string
}

/** `approved`, `declined`, `filtered` or `error`: status said so, of this very stage, echoing both ids. */
export type SettledOutcome = Outcome & Waited & { readonly observation: StatusObservation }

/** The customer has to do something first. Send the customer through `step` once, then go on waiting with `wait`. */
export type NeedsCustomer = Waited & {
  readonly kind: 'needs-customer'
  readonly step: Exclude<CustomerStep, { readonly kind: 'unusable' }>
  readonly evidence: 'status-reply'
  /** Nothing is known until there is a final word. */
  readonly moneyMoved: 'unknown'
  readonly observation: StatusObservation
}

/**
 * A person must look, and nothing is to be delivered or sent again. `amount-differs`: approved over another amount or
 * currency than was ordered. `corrected`: the gateway took back a final word. `unusable-step`: the customer cannot be sent
 * to 3DS as the reply says.
 */
export type NeedsPerson = Waited & {
  readonly kind: 'needs-person'
  readonly reason: 'amount-differs' | 'corrected' | 'unusable-step'
  readonly stage?: Stage
  readonly evidence: 'status-reply'
  /** Known where it was approved over another amount: that amount moved. */
  readonly moneyMoved: MoneyMoved | 'unknown'
  readonly observation: StatusObservation
}

/** Status has not said how it ended. Nothing follows from that: above all, not that it did not happen. */
export type StillUnknown = Waited & {
  readonly kind: 'still-unknown'
  /** `time-is-up`: the schedule or the deadline. `aborted`: by the signal, or because the client was closed. */
  readonly reason: 'time-is-up' | 'aborted'
  /** `none`: no question was answered. */
  readonly evidence: 'status-reply' | 'none'
  readonly moneyMoved: 'unknown'
}

/** How a wait ended. Narrow by `kind`. */
export type AwaitedOutcome = SettledOutcome | NeedsCustomer | NeedsPerson | StillUnknown

/** What {@link advanceWait} looks at. */
export interface AdvanceInput extends SafeAddressOptions {
  readonly settlement: AskedSettlement
  readonly profile: WireProfile
}

/** The next state of a wait, and its outcome if this settlement ends it. */
export interface Advanced {
  readonly wait: WaitState
  readonly outcome?: Exclude<AwaitedOutcome, StillUnknown>
}

/**
 * Takes one settlement into the state of a wait. One without an answer, or about something else, ends nothing.
 *
 * A 3DS step ends the wait the first time it is seen, so that no customer is sent to the same place twice: replies repeat it.
 */
export function advanceWait(before: WaitState, { settlement, profile, ...addresses }: AdvanceInput): Advanced {
  const { order } = settlement
  const isAnswer = settlement.kind !== 'no-answer' && settlement.kind !== 'other-order'
  const wait = { ...before, order, asked: before.asked + 1, answered: before.answered + (isAnswer ? 1 : 0) }
  if (isSettled(settlement)) {
    const { stage } = settlement
    const explanation = `The ${stage.stage} of order ${quote(order.clientOrderId)} is ${quote(stage.status)} over ${quoteMoney(stage)}.`
    return { wait, outcome: { ...settlement, wait, explanation } }
  }
  if (needsPerson(settlement)) {
    const { kind: reason, explanation, observation, stage } = settlement
    const moved = reason === 'amount-differs' && stage !== undefined ? moneyMoved(stage.stage) : 'unknown'
    const found = { ...onStatus(wait, observation), explanation, moneyMoved: moved, ...(stage && { stage }) }
    return { wait, outcome: { kind: 'needs-person', reason, ...found } }
  }
  if (settlement.kind !== 'not-final') return { wait }
  const { observation } = settlement
  return takeStep(wait, observation, threeDSecureStep(observation.reply, profile, addresses))
}

function takeStep(before: WaitState, observation: StatusObservation, step: CustomerStep | undefined): Advanced {
  const key = step === undefined ? '' : keyOf(step)
  if (step === undefined || before.shown.includes(key)) return { wait: before }
  // The customer takes a while: when the wait goes on, its schedule begins anew.
  const { pace: _, ...rest } = before
  const wait = { ...rest, shown: [...before.shown, key] }
  const outcome = { ...onStatus(wait, observation), explanation: describeStep(step), moneyMoved: 'unknown' } as const
  return step.kind === 'unusable'
    ? { wait, outcome: { ...outcome, kind: 'needs-person', reason: 'unusable-step' } }
    : { wait, outcome: { ...outcome, kind: 'needs-customer', step } }
}

const onStatus = (wait: WaitState, observation: StatusObservation) =>
  ({ order: wait.order, wait, observation, evidence: 'status-reply' }) as const

/** A cascade may ask for the merchant's steps again, under another id; the gateway's own is followed once per order. */
function keyOf(step: CustomerStep): string {
  switch (step.kind) {
    case 'method':
      return `method ${step.threeDSServerTransId ?? ''}`
    case 'challenge':
      return `challenge ${step.threeDSServerTransId ?? digestOf(step.creq)}`
    case 'pares':
      return `pares ${step.md ?? digestOf(step.paReq)}`
    case 'gateway-run':
    case 'unusable':
      return step.kind
  }
}

/** Tells apart steps that came without an id. */
const digestOf = (message: string): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(message).digest('base64url').slice(0, 22)

/** The outcome of a wait that status never ended. @param last The last settlement, for the explanation. */
export function stillUnknown(
  wait: WaitState,
  { reason, last }: { readonly reason: StillUnknown['reason']; readonly last: AskedSettlement | undefined },
): StillUnknown {
  const { order, asked, answered, expected } = wait
  const said = last === undefined || isSettled(last) ? '' : ` The last one: ${last.explanation}${moreOf(last)}`
  const explanation =
    `How the ${expected.stages.join(' or ')} of order ${quote(order.clientOrderId)} ended is not known: ` +
    `${reason === 'aborted' ? 'the wait was aborted' : 'the time is up'} after ${asked} question${asked === 1 ? '' : 's'}, ${answered} of them ` +
    `answered. Do not send it again; ask later with this wait state, or when a callback comes.${said}`
  const evidence = answered > 0 ? 'status-reply' : 'none'
  return { kind: 'still-unknown', reason, evidence, moneyMoved: 'unknown', order, wait, explanation }
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
