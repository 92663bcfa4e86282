/**
 * Settling: the one decision that callbacks, the customer's return, 3DS, polling and reconciliation all come to.
 *
 * Pure. It looks at one status reply and says what is now known of one stage of one order, and on what evidence.
 *
 * @module
 */
import { echoesIds, type Order, reduceOrder, type Stage, type StatusObservation } from './order.js'
import { defaultProfile, type FinalOutcome, type WireProfile } from './profile.js'
import { sameMoney } from './read-amount.js'
import { type MoneyMoved, moneyMoved, type StageName } from './stage.js'
import { stageOf } from './status.js'

/** What the merchant waits for. */
export interface Expectation {
  /** Stages that would answer: a return is answered by `cancel` or by `reversal`. */
  readonly stages: readonly StageName[]
  /** `serial-number` of the request that is waited for; needed where one of the same kind may have been sent before. */
  readonly serialNumber?: string
  /** Major units. Leave out, with `currency`, for a stage that has no amount. */
  readonly amount?: string
  /** ISO 4217 code. */
  readonly currency?: string
}

/** An outcome, and what it rests on. */
export interface Outcome {
  /** How it ended. */
  readonly outcome: FinalOutcome
  readonly stage: Stage
  /** What it did to money; `none` unless approved. */
  readonly moneyMoved: MoneyMoved
  /** Only a status reply is enough to deliver goods on. */
  readonly evidence: 'status-reply'
}

/** What a status reply settles. */
export type Settlement =
  | ({ readonly settled: true; readonly order: Order; readonly observation: StatusObservation } & Outcome)
  | {
      readonly settled: false
      /**
       * `not-final`: ask again. `other-stage`: the reply speaks of something else, ask again. `other-order`: it does not
       * echo both ids. `amount-differs`: it is final and not what was ordered: a person must look.
       */
      readonly reason: 'not-final' | 'other-stage' | 'other-order' | 'amount-differs'
      /** One sentence for the log. */
      readonly explanation: string
      readonly order: Order
      readonly observation: StatusObservation
    }

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
 * nothing, and an approved reply over another amount or currency settles nothing and says so.
 *
 * @returns The reduced order in every case. Where several processes or handlers settle the same order, store what
 * `reduceOrder` makes of *your current* order and the `observation`: that cannot overwrite what another one has learned.
 */
export function settle({ order, expected, observation, profile = defaultProfile }: SettleInput): Settlement {
  const { reply } = observation
  const unsettled = (reason: Extract<Settlement, { settled: false }>['reason'], explanation: string, next = order) =>
    ({ settled: false, reason, explanation, order: next, observation }) as const

  if (!echoesIds(reply, order)) {
    return unsettled(
      'other-order',
      `Asked for order ${order.clientOrderId}/${order.orderId ?? '?'}, the status reply speaks of ` +
        `${reply.clientOrderId ?? 'no merchant order'}/${reply.orderId ?? 'no order'}. Nothing was concluded from it.`,
    )
  }
  const next = reduceOrder(order, observation, profile)
  const name = stageOf(reply, profile)
  const stage = next.stages.find(each => each.stage === name && answers(each, expected, observation))
  if (stage === undefined) {
    return unsettled(
      'other-stage',
      `The status reply speaks of ${name ?? 'no stage'}, not of ${expected.stages.join(' or ')}.`,
      next,
    )
  }
  if (stage.outcome === undefined) {
    return unsettled('not-final', `The ${stage.stage} is ${JSON.stringify(stage.status)}, which is not final.`, next)
  }
  if (stage.outcome === 'approved' && !isExpectedMoney(stage, expected)) {
    return unsettled(
      'amount-differs',
      `The ${stage.stage} was approved over ${stage.amount ?? 'no amount'} ${stage.currency ?? 'without a currency'}, ` +
        `expected was ${expected.amount} ${expected.currency}. Deliver nothing; a person must look.`,
      next,
    )
  }
  return {
    settled: true,
    order: next,
    observation,
    outcome: stage.outcome,
    stage,
    moneyMoved: stage.outcome === 'approved' ? moneyMoved(stage.stage) : 'none',
    evidence: 'status-reply',
  }
}

function answers(stage: Stage, expected: Expectation, observation: StatusObservation): boolean {
  if (!expected.stages.includes(stage.stage)) return false
  const asked = observation.bySerialNumber
  if (asked !== undefined && stage.serialNumber !== asked) return false
  return expected.serialNumber === undefined || stage.serialNumber === expected.serialNumber
}

function isExpectedMoney(stage: Stage, { amount, currency }: Expectation): boolean {
  if (amount === undefined || currency === undefined) return true
  return stage.currency === currency && stage.amount !== undefined && sameMoney(stage.amount, amount, currency)
}

/** What identifies an outcome: a merchant's handler runs once for each. */
export interface OutcomeKeyParts {
  readonly login: string
  readonly order: Pick<Order, 'clientOrderId' | 'orderId'>
  readonly stage: Stage
}

/** Key of an outcome, built of (login, order, stage, status word); corrections are outcomes of their own. */
export function outcomeKey({ login, order, stage }: OutcomeKeyParts): string {
  const word = stage.corrections.at(-1)?.to ?? stage.status
  const parts = [login, order.clientOrderId, order.orderId ?? '', stage.stage, stage.serialNumber ?? '', word]
  return [...parts, String(stage.corrections.length)].map(encodeURIComponent).join('/')
}
