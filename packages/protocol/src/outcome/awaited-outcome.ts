/**
 * Endings of a wait for an outcome, and the one decision whether it has ended.
 *
 * Pure: a position and a settlement go in, the next position and perhaps an ending come out.
 *
 * @module
 */

import type { Order, Stage, StatusObservation } from '../order/order.js'
import type { Outcome } from '../order/settle.js'
import { type MoneyMoved, moneyMoved } from '../order/stage.js'
import type { WireProfile } from '../profile/profile.js'
import { quote, quoteMoney } from '../redaction/quote.js'
import type { SafeAddressOptions } from '../redaction/safe-address.js'
import { type CustomerStep, describeStep, threeDSecureStep } from '../three-d-secure/three-d-secure-step.js'
import { type AskedSettlement, needsPerson } from './ask-and-settle.js'
import type { OutcomePosition } from './outcome-position.js'

/** What every ending carries. */
interface Ending {
  /** What is known of the order now. */
  readonly order: Order
  /** To go on from, here or in another process. */
  readonly position: OutcomePosition
  /** What happened and what to do, in words. Safe to log. */
  readonly explanation: string
}

/** `approved`, `declined`, `filtered` or `error`: status said so, of this very stage, echoing both ids. */
export type SettledOutcome = Outcome & Ending & { readonly observation: StatusObservation }

/** The customer has to do something first. Hand `step` over once, then go on waiting with `position`. */
export type NeedsCustomer = Ending & {
  readonly outcome: 'needs-customer'
  readonly step: Exclude<CustomerStep, { readonly step: 'unusable' }>
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
export type NeedsPerson = Ending & {
  readonly outcome: 'needs-person'
  readonly reason: 'amount-differs' | 'corrected' | 'unusable-step'
  readonly stage?: Stage
  readonly evidence: 'status-reply'
  /** Known where it was approved over another amount: that amount moved. */
  readonly moneyMoved: MoneyMoved | 'unknown'
  readonly observation: StatusObservation
}

/** Status has not said how it ended. Nothing follows from that: above all, not that it did not happen. */
export type StillUnknown = Ending & {
  readonly outcome: 'still-unknown'
  /** `time-is-up`: the schedule or the deadline. `aborted`: by the signal, or because the client was closed. */
  readonly reason: 'time-is-up' | 'aborted'
  /** `none`: no question was answered. */
  readonly evidence: 'status-reply' | 'none'
  readonly moneyMoved: 'unknown'
}

/** How a wait ended. Narrow by `outcome`. */
export type AwaitedOutcome = SettledOutcome | NeedsCustomer | NeedsPerson | StillUnknown

/** What {@link advancePosition} looks at. */
export interface AdvanceInput extends SafeAddressOptions {
  readonly settlement: AskedSettlement
  readonly profile: WireProfile
}

/** The next position, and the ending if this settlement is one. */
export interface Advanced {
  readonly position: OutcomePosition
  readonly ending?: Exclude<AwaitedOutcome, StillUnknown>
}

/**
 * Takes one settlement into a position. What is no answer, or speaks of something else, leads to no ending.
 *
 * A 3DS step ends the wait the first time it is seen, so that no customer is sent to the same place twice: replies repeat it.
 */
export function advancePosition(
  before: OutcomePosition,
  { settlement, profile, ...addresses }: AdvanceInput,
): Advanced {
  const { order } = settlement
  const isAnswer = settlement.settled || (settlement.reason !== 'no-answer' && settlement.reason !== 'other-order')
  const position = { ...before, order, asked: before.asked + 1, answered: before.answered + (isAnswer ? 1 : 0) }
  if (settlement.settled) {
    const { settled: _, ...outcome } = settlement
    const { stage } = outcome
    const explanation = `The ${stage.stage} of order ${quote(order.clientOrderId)} is ${quote(stage.status)} over ${quoteMoney(stage)}.`
    return { position, ending: { ...outcome, position, explanation } }
  }
  if (needsPerson(settlement)) {
    const { reason, explanation, observation, stage } = settlement
    const moved = reason === 'amount-differs' && stage !== undefined ? moneyMoved(stage.stage) : 'unknown'
    const found = stage === undefined ? {} : { stage }
    return {
      position,
      ending: {
        ...onStatus(position, observation),
        outcome: 'needs-person',
        reason,
        explanation,
        ...found,
        moneyMoved: moved,
      },
    }
  }
  if (settlement.reason !== 'not-final') return { position }
  return takeStep(position, { observation: settlement.observation, profile, addresses })
}

function takeStep(
  before: OutcomePosition,
  {
    observation,
    profile,
    addresses,
  }: {
    readonly observation: StatusObservation
    readonly profile: WireProfile
    readonly addresses: SafeAddressOptions
  },
): Advanced {
  const step = threeDSecureStep(observation.reply, profile, addresses)
  const key = step === undefined ? '' : keyOf(step)
  if (step === undefined || before.shown.includes(key)) return { position: before }
  // The customer takes a while: when the wait goes on, its schedule begins anew.
  const { pace: _, ...rest } = before
  const position = { ...rest, shown: [...before.shown, key] }
  const ending = { ...onStatus(position, observation), explanation: describeStep(step), moneyMoved: 'unknown' } as const
  return step.step === 'unusable'
    ? { position, ending: { ...ending, outcome: 'needs-person', reason: 'unusable-step' } }
    : { position, ending: { ...ending, outcome: 'needs-customer', step } }
}

const onStatus = (position: OutcomePosition, observation: StatusObservation) =>
  ({ order: position.order, position, observation, evidence: 'status-reply' }) as const

/** A cascade may ask for the merchant's steps again, under another id; the gateway's own is followed once per order. */
function keyOf(step: CustomerStep): string {
  switch (step.step) {
    case 'method':
      return `method ${step.threeDSServerTransId ?? ''}`
    case 'challenge':
      return `challenge ${step.threeDSServerTransId ?? digestOf(step.creq)}`
    case 'pares':
      return `pares ${step.md ?? digestOf(step.paReq)}`
    case 'gateway-run':
    case 'unusable':
      return step.step
  }
}

/** Tells apart what came without an id of its own. */
const digestOf = (message: string): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(message).digest('base64url').slice(0, 22)

/** The ending of a wait that status never ended. @param last The last settlement, for the explanation. */
export function stillUnknown(
  position: OutcomePosition,
  { reason, last }: { readonly reason: StillUnknown['reason']; readonly last: AskedSettlement | undefined },
): StillUnknown {
  const { order, asked, answered, expected } = position
  const said =
    last === undefined || last.settled ? '' : ` The last one: ${last.explanation}${causeOf(last)}${cureOf(last)}`
  const explanation =
    `How the ${expected.stages.join(' or ')} of order ${quote(order.clientOrderId)} ended is not known: ` +
    `${reason === 'aborted' ? 'the wait was aborted' : 'the time is up'} after ${asked} question${asked === 1 ? '' : 's'}, ${answered} of them ` +
    `answered. Do not send it again; ask later with this position, or when a callback comes.${said}`
  const evidence = answered > 0 ? 'status-reply' : 'none'
  return { outcome: 'still-unknown', reason, evidence, moneyMoved: 'unknown', order, position, explanation }
}

function causeOf(last: Extract<AskedSettlement, { settled: false }>): string {
  return last.reason === 'no-answer' && last.cause instanceof Error ? ` ${last.cause.message}` : ''
}

/** A gateway whose replies name no stage leaves every wait without an outcome until somebody tells the profile. */
function cureOf(last: Extract<AskedSettlement, { settled: false }>): string {
  if (last.reason !== 'other-stage') return ''
  const { transactionType, orderStage } = last.observation.reply
  if (transactionType !== undefined || orderStage !== undefined) return ''
  return (
    ' It has neither "transactionType" nor "orderStage". Where your gateway sends them under other names, correct ' +
    '"replyFields" with defineProfile; where it never sends either, see "statusNamesStage".'
  )
}
