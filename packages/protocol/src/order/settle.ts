/**
 * Settling: the one decision that callbacks, the customer's return, 3DS, polling and reconciliation all come to.
 *
 * Pure. It looks at one status reply and says what is now known of one stage of one order, and on what evidence.
 *
 * @module
 */
import { sameAmount } from '@tillkit/signing'
import type { OptionalAmountFields } from '../operations/records/common.js'
import { defaultProfile, type FinalOutcome, type WireProfile } from '../profile/profile.js'
import { quote, quoteMoney } from '../redaction/quote.js'
import { attribute } from './attribution.js'
import { checkExpectation } from './check-expectation.js'
import { echoesIds, type Order, reduceOrder, type Stage, type StatusObservation } from './order.js'
import { readOrder } from './read-order.js'
import { type AwaitedStage, type MoneyMoved, mayRepeat, moneyMoved, type StageName } from './stage.js'
import { finalOutcome } from './status.js'
import { observedStage, withCreator } from './unnamed-stage.js'

/**
 * What the merchant waits for. Amount and currency are compared with what was approved, the amount as a decimal; leave both
 * out for a stage that has none.
 */
export type Expectation = ExpectedStages & OptionalAmountFields

interface ExpectedStages {
  /**
   * Stages that would answer: a return is answered by `cancel` or by `reversal`. The type takes other text as well, so that
   * an object in a variable needs no `as const`; what is no stage is an error once it is used.
   */
  readonly stages: readonly (AwaitedStage | OtherText)[]
  /** `serial-number` of the request that is waited for; needed where one of the same kind may have been sent before. */
  readonly serialNumber?: string | undefined
}

/** Text that an editor suggests nothing for. */
type OtherText = string & Record<never, never>

/** An outcome, and what it rests on. */
export interface Outcome {
  /** How it ended, as a status word says. */
  readonly kind: FinalOutcome
  /** What ended, as status says it: its amount, its currency, its serial number where it has one. */
  readonly stage: Stage
  /** What it did to money; `none` unless approved. */
  readonly moneyMoved: MoneyMoved
  /** Only a status reply is enough to deliver goods on. */
  readonly evidence: 'status-reply'
}

/** A status reply that settles the stage: its outcome is known. */
export type Settled = Outcome & { readonly order: Order; readonly observation: StatusObservation }

/** A status reply that settles nothing. */
export interface Unsettled {
  /**
   * `not-final`: ask again. `other-stage`: the reply is about something else, ask again. `other-order`: it does not echo
   * both ids. `amount-differs`: it is approved and not what was ordered: a person must look. `corrected`: the gateway took
   * back a final word: do nothing automatically, a person must look.
   */
  readonly kind: 'not-final' | 'other-stage' | 'other-order' | 'amount-differs' | 'corrected'
  /** One sentence for the log. */
  readonly explanation: string
  /** The stage that is waited for, where the reply is about it. */
  readonly stage?: Stage
  readonly order: Order
  readonly observation: StatusObservation
}

/** What a status reply settles: an outcome, or why there is none yet. Narrow by `kind`, or with {@link isSettled}. */
export type Settlement = Settled | Unsettled

const finalOutcomes: readonly string[] = ['approved', 'declined', 'filtered', 'error'] satisfies FinalOutcome[]

/** Whether a settlement, or the end of a wait, is an outcome: `approved`, `declined`, `filtered` or `error`. */
export const isSettled = <Result extends { readonly kind: string }>(
  result: Result,
): result is Extract<Result, { readonly kind: FinalOutcome }> => finalOutcomes.includes(result.kind)

/** What {@link settle} looks at. */
export interface SettleInput {
  /** What is known of the order so far. */
  readonly order: Order
  readonly expected: Expectation
  readonly observation: StatusObservation
  readonly profile?: WireProfile
}

/**
 * Decides what one status reply settles.
 *
 * A lagging reply that still shows the preauth's `approved` never settles a capture, a reply about another order settles
 * nothing, and an approved reply over another amount or currency settles nothing and says so. Once the gateway has
 * contradicted a final word of its own, no reply settles that stage any more.
 *
 * @throws {TypeError} when `expected` names no stage, or writes money as a number; or what was kept is no order.
 * @returns The reduced order in every case. Where several processes or handlers settle the same order, store what
 * `reduceOrder` makes of *your current* order and the `observation`: that cannot overwrite what another one has learned.
 */
export function settle(input: SettleInput): Settlement {
  const { expected, profile = defaultProfile } = input
  checkExpectation(expected)
  const order = readOrder('order', input.order)
  const observation = withCreator(input.observation, { expected, profile })
  const { reply } = observation
  const unsettled = (
    kind: Unsettled['kind'],
    explanation: string,
    found: { readonly order?: Order; readonly stage?: Stage } = {},
  ) => ({ kind, explanation, order, ...found, observation }) as const

  if (!echoesIds(reply, order)) {
    return unsettled(
      'other-order',
      `Asked for clientOrderId ${quote(order.clientOrderId)} and orderId ${quote(order.orderId)}, the status reply speaks ` +
        `of ${quote(reply.clientOrderId)} and ${quote(reply.orderId)}. Nothing was concluded from it.`,
    )
  }
  const next = reduceOrder(order, observation, profile)
  const name = observedStage(observation, { order: next, profile })
  const stage = name === undefined ? undefined : attribute(next.stages, { name, observation, profile })
  if (stage === 'ambiguous') {
    return unsettled('other-stage', whyUntold(name, observation), { order: next })
  }
  if (stage === undefined || !answers(stage, expected)) {
    return unsettled('other-stage', whyOther(name, { expected, observation }), { order: next })
  }
  if (stage.outcome === undefined) {
    return unsettled('not-final', `The ${stage.stage} is ${quote(stage.status)}, which is not final.`, {
      order: next,
      stage,
    })
  }
  if (stage.corrections.length > 0) {
    const words = [stage.status, ...stage.corrections.map(({ to }) => to)].map(quote).join(', then ')
    return unsettled(
      'corrected',
      `The gateway contradicted itself about the ${stage.stage}: ${words}. Deliver and repeat nothing; a person must look.`,
      { order: next, stage },
    )
  }
  // An approval that was known and one that says so now must both be over what was ordered.
  const approvals = [stage, ...(finalOutcome(reply.status, profile) === 'approved' ? [statedMoney(reply, stage)] : [])]
  const other = approvals.find(approval => !isExpectedMoney(approval, expected))
  if (stage.outcome === 'approved' && other !== undefined) {
    return unsettled(
      'amount-differs',
      `The ${stage.stage} was approved over ${quoteMoney(other)}, expected was ${quoteMoney(expected)}. Deliver nothing; a person ` +
        'must look.',
      { order: next, stage },
    )
  }
  return {
    kind: stage.outcome,
    order: next,
    observation,
    stage,
    moneyMoved: stage.outcome === 'approved' ? moneyMoved(stage.stage) : 'none',
    evidence: 'status-reply',
  }
}

function answers(stage: Stage, expected: Expectation): stage is Stage & { readonly stage: AwaitedStage } {
  if (!expected.stages.some(name => name === stage.stage)) return false
  if (!mayRepeat(stage.stage) || expected.serialNumber === undefined) return true
  return stage.serialNumber === expected.serialNumber
}

function whyOther(
  name: StageName | undefined,
  { expected, observation }: Pick<SettleInput, 'expected' | 'observation'>,
): string {
  if (name !== undefined && expected.stages.some(each => each === name)) return whyUntold(name, observation)
  return `The status reply speaks of ${name ?? 'no stage'}, not of the ${expected.stages.join(' or ')} that is waited for.`
}

/** Why a reply about a stage of the right name is not known to be about the right one. */
function whyUntold(name: StageName | undefined, { reply, bySerialNumber: asked }: StatusObservation): string {
  const said = reply.byRequestSn
  if (asked === undefined) {
    return `Which ${name} the status reply speaks of cannot be told. Ask with the serial number of the request.`
  }
  if (said !== undefined)
    return `The status reply speaks of the ${name} of request ${quote(said)}, which is another one.`
  return (
    `The status reply speaks of a ${name} and echoes no serial number ("by-request-sn"), so that it may be an earlier one. ` +
    'If this gateway never echoes it, say so with defineProfile({ statusEchoesSerialNumber: false }).'
  )
}

type Money = Pick<Stage, 'amount' | 'currency'>

/** What a reply says of money; what it leaves out is as it was known. */
function statedMoney({ amount, currency }: Money, known: Money): Money {
  return { ...known, ...(amount === undefined ? {} : { amount }), ...(currency === undefined ? {} : { currency }) }
}

function isExpectedMoney(approved: Money, { amount, currency }: Expectation): boolean {
  if (currency !== undefined && approved.currency !== currency) return false
  return amount === undefined || (approved.amount !== undefined && sameAmount(approved.amount, amount))
}

/** What identifies an outcome: a merchant's handler runs once for each. */
export interface OutcomeKeyParts {
  readonly login: string
  readonly order: Pick<Order, 'clientOrderId' | 'orderId'>
  readonly stage: Stage
}

/**
 * Key of an outcome, built of (login, order, stage, status word); corrections are outcomes of their own.
 *
 * The serial number is part of it only where an order can have several stages of that name, so the outcome of a sale has
 * the same key however it was asked for. Ask for captures, returns and voids by serial number if you go by their keys.
 * Two chargebacks have the same key, for they have no serial number: add what tells them apart.
 */
export function outcomeKey({ login, order, stage }: OutcomeKeyParts): string {
  const word = stage.corrections.at(-1)?.to ?? stage.status
  const serial = mayRepeat(stage.stage) ? (stage.serialNumber ?? '') : ''
  const parts = [login, order.clientOrderId, order.orderId ?? '', stage.stage, serial, word]
  return [...parts, String(stage.corrections.length)].map(encodeURIComponent).join('/')
}
