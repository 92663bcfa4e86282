import { sameAmount } from '@tillkit/signing'
import type { OptionalAmountFields } from '../operations/records/common.js'
import type { StatusResponse } from '../operations/records/replies.js'
import {
  type AwaitedStage,
  awaitedStages,
  isAwaitedStage,
  type MoneyMoved,
  mayRepeat,
  moneyMoved,
  type StageName,
} from '../operations/stages.js'
import { defaultProfile } from '../profile/profile.js'
import type { FinalOutcome, WireProfile } from '../profile/types.js'
import { quote, quoteMoney } from '../redaction/mask-card-number.js'
import { isNoId } from '../reply/read-reply.js'
import { attribute, finalOutcome, observedStage, withCreator } from './attribution.js'
import { askedAfter, echoesIds, readOrder, reduceOrder } from './order.js'
import type { Order, Stage, StatusObservation } from './types.js'

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
interface Unsettled {
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
  /**
   * The stage that is waited for. Amount and currency are compared with what was approved, the amount as a decimal; leave both out for a
   * stage that has none.
   */
  readonly expected: OptionalAmountFields & {
    /**
     * Stages that would answer: a return is answered by `cancel` or by `reversal`. The type takes other text as well, so that
     * an object in a variable needs no `as const`; any other text is an error once it is used.
     */
    readonly stages: readonly (AwaitedStage | (string & Record<never, never>))[]
    /** `serial-number` of the request that is waited for; needed where one of the same kind may have been sent before. */
    readonly serialNumber?: string | undefined
  }
  readonly observation: StatusObservation
  readonly profile?: WireProfile
}

type Expected = SettleInput['expected']

/**
 * Decides what one status reply settles.
 *
 * A lagging reply that still shows the preauth's `approved` never settles a capture, a reply about another order settles
 * nothing, and an approved reply over another amount or currency settles nothing and says so. Once the gateway has
 * contradicted a final word of its own, no reply settles that stage any more.
 *
 * @throws {TypeError} when `expected` names no stage, or writes money as a number; or what was stored is not an order.
 * @returns The reduced order in every case. Where several processes or handlers settle the same order, store what
 * `reduceOrder` makes of *your current* order and the `observation`: that cannot overwrite what another one has learned.
 */
export function settle(input: SettleInput): Settlement {
  const { expected, profile = defaultProfile } = input
  checkExpected(expected)
  const order = readOrder('order', input.order)
  const observation = withCreator(input.observation, { stages: expected.stages, profile })
  const { reply } = observation
  if (!echoesIds(reply, order)) {
    const explanation =
      `Asked for clientOrderId ${quote(order.clientOrderId)} and orderId ${quote(order.orderId)}, the status reply is ` +
      `about ${quote(reply.clientOrderId)} and ${quote(reply.orderId)}. Nothing was concluded from it.`
    return { kind: 'other-order', explanation, order, observation }
  }
  const next = reduceOrder(order, observation, profile)
  const name = observedStage(observation, { stages: next.stages, profile })
  const stage = name === undefined ? undefined : attribute(next.stages, { name, observation, profile })
  if (stage === undefined || stage === 'ambiguous' || !answers(stage, expected)) {
    const isNamed = stage === 'ambiguous' || (name !== undefined && expected.stages.some(each => each === name))
    const explanation = isNamed
      ? whyUntold(name, observation)
      : `The status reply is about ${name ?? 'no stage'}, not about the ${expected.stages.join(' or ')} that is waited for.`
    return { kind: 'other-stage', explanation, order: next, observation }
  }
  const found = { stage, order: next, observation }
  if (stage.outcome === undefined) {
    const explanation = `The ${stage.stage} is ${quote(stage.status)}, which is not final.`
    return { kind: 'not-final', explanation, ...found }
  }
  if (stage.corrections.length > 0) {
    const words = [stage.status, ...stage.corrections.map(({ to }) => to)].map(quote).join(', then ')
    const explanation =
      `The gateway contradicted itself about the ${stage.stage}: ${words}. ` +
      'Deliver and repeat nothing; a person must look.'
    return { kind: 'corrected', explanation, ...found }
  }
  if (stage.outcome !== 'approved') {
    return { kind: stage.outcome, ...found, moneyMoved: 'none', evidence: 'status-reply' }
  }
  // An approval that was known and one that says so now must both be over what was ordered.
  const approvals = finalOutcome(reply.status, profile) === 'approved' ? [stage, statedMoney(reply, stage)] : [stage]
  const other = approvals.find(approval => !isExpectedMoney(approval, expected))
  if (other !== undefined) {
    const explanation =
      `The ${stage.stage} was approved over ${quoteMoney(other)}, expected was ${quoteMoney(expected)}. ` +
      'Deliver nothing; a person must look.'
    return { kind: 'amount-differs', explanation, ...found }
  }
  return { kind: 'approved', ...found, moneyMoved: moneyMoved(stage.stage), evidence: 'status-reply' }
}

/** A settlement, or the lack of an answer, which changes nothing. */
export type AskedSettlement =
  | Settlement
  | { readonly kind: 'no-answer'; readonly explanation: string; readonly order: Order; readonly cause: unknown }

/**
 * Settles the answer to one question to status, which was asked by the serial number of `expected`. A failed question is `no-answer`: it
 * says nothing about the order.
 *
 * @param answer `askedAt` is in milliseconds since the epoch; `cause` says why there is no reply.
 */
export function settleAnswer(
  { order, expected, profile = defaultProfile }: Omit<SettleInput, 'observation'>,
  answer: { readonly askedAt: number } & ({ readonly reply: StatusResponse } | { readonly cause: unknown }),
): AskedSettlement {
  if ('cause' in answer) {
    const explanation = `Status of order ${order.clientOrderId} could not be read; nothing is concluded from that.`
    return { kind: 'no-answer', explanation, order, cause: answer.cause }
  }
  const { reply } = answer
  const { serialNumber } = expected
  const askedAt = askedAfter(order, answer.askedAt)
  const observation = { reply, askedAt, ...(serialNumber === undefined ? {} : { bySerialNumber: serialNumber }) }
  return settle({ order, expected, observation, profile })
}

/** Whether a person must look: the gateway approved something else than was ordered, or took back a final word. */
export function needsPerson(
  settlement: AskedSettlement,
): settlement is Unsettled & { readonly kind: 'amount-differs' | 'corrected' } {
  return settlement.kind === 'amount-differs' || settlement.kind === 'corrected'
}

function answers(stage: Stage, expected: Expected): stage is Stage & { readonly stage: AwaitedStage } {
  if (!expected.stages.some(name => name === stage.stage)) return false
  if (!mayRepeat(stage.stage) || expected.serialNumber === undefined) return true
  return stage.serialNumber === expected.serialNumber
}

/** Why a reply about a stage of the right name is not known to be about the right one. */
function whyUntold(name: StageName | undefined, { reply, bySerialNumber: asked }: StatusObservation): string {
  const said = reply.byRequestSn
  if (asked === undefined) {
    return `Which ${name} the status reply is about cannot be told. Ask with the serial number of the request.`
  }
  if (said !== undefined) {
    return `The status reply is about the ${name} of request ${quote(said)}, which is another one.`
  }
  return (
    `The status reply is about a ${name} and echoes no serial number ("by-request-sn"), so that it may be an earlier one. ` +
    'If this gateway never echoes it, say so with defineProfile({ statusEchoesSerialNumber: false }).'
  )
}

type Money = Pick<Stage, 'amount' | 'currency'>

/** What a reply says of money; what it leaves out is as it was known. */
function statedMoney({ amount, currency }: Money, known: Money): Money {
  return { ...known, ...(amount === undefined ? {} : { amount }), ...(currency === undefined ? {} : { currency }) }
}

function isExpectedMoney(approved: Money, { amount, currency }: Expected): boolean {
  if (currency !== undefined && approved.currency !== currency) return false
  return amount === undefined || (approved.amount !== undefined && sameAmount(approved.amount, amount))
}

const fields: readonly string[] = ['stages', 'serialNumber', 'amount', 'currency'] satisfies (keyof Expected)[]

/** @throws {TypeError} naming what is wrong with what is waited for, and how to write it. */
export function checkExpected(expected: SettleInput['expected']): void {
  const problem = problemOf(expected ?? {})
  if (problem !== undefined) throw new TypeError(problem)
}

function problemOf(given: { readonly [Field in keyof Expected]?: unknown }): string | undefined {
  const { stages, serialNumber } = given
  const list: readonly unknown[] = Array.isArray(stages) ? stages : []
  const wrong = list.find(name => !isAwaitedStage(name))
  if (list.length === 0 || wrong !== undefined) {
    return `"stages" must list one or more of ${awaitedStages.join(', ')}, e.g. ['sale']. Found: ${JSON.stringify(wrong ?? stages)}.`
  }
  const unknown = Object.keys(given).find(field => !fields.includes(field))
  if (unknown !== undefined) {
    return `What is waited for has no field ${JSON.stringify(unknown)}. It has: ${fields.join(', ')}.`
  }
  const isId = typeof serialNumber === 'string' && !isNoId(serialNumber) && serialNumber === serialNumber.trim()
  if (serialNumber !== undefined && !isId) {
    return (
      '"serialNumber" is empty, has white space around it, is a word for nothing, or is not text. ' +
      'Take it from the reply to the request; if that had none, leave it out.'
    )
  }
  const money = ['amount', 'currency'] as const
  if (!money.some(field => Object.hasOwn(given, field))) return undefined
  const unwritten = money.find(field => typeof given[field] !== 'string')
  if (unwritten === undefined) return undefined
  const found = given[unwritten] === null ? 'null' : `of type ${typeof given[unwritten]}`
  return (
    `"${unwritten}" is ${found}. An amount and its currency go together, as text: ` +
    "amount: '10.00', currency: 'EUR'. Leave both out only for a stage that has none: then nothing is compared."
  )
}
