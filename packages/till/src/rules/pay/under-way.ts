import { mayRepeat, moneyMoved, type StageName, stageNames, type WireProfile } from '@tillkit/protocol'
import { overMoney, requestInWords, saidInWords } from '../../history/names.js'
import { isUnresolved, mayHaveArrived, movesMoneyOfOrder } from '../../state/attempt-rules.js'
import {
  type CallbackSaid,
  isDisputed,
  isUntold,
  type KnownOrder,
  type KnownStage,
  quietFrom,
} from '../../state/known.js'
import { countedStages, latestOutcome } from '../../state/late-approval.js'
import { attemptBehind, hasEnded, hasShownEnd, shownAttempts } from '../orders/expected.js'
import { isUncounted } from '../orders/totals.js'

/** A change of an order whose end status has not shown. */
export interface ChangeUnderWay {
  /** Such as `capture`. */
  readonly operation: string
  readonly clientOrderId: string
  /** Major units; undefined: the whole. */
  readonly amount: string | undefined
  readonly currency: string | undefined
  /** `sending`: it may still be answered. `sent`: the gateway took it. `unknown`: it was not answered, and it may have happened. */
  readonly state: 'sending' | 'sent' | 'unknown'
}

/** The changes of orders that have not ended, oldest first. @param at What the store's clock says, in milliseconds. */
export function changesUnderWay(orders: readonly KnownOrder[], at: number): readonly ChangeUnderWay[] {
  return orders.flatMap(order =>
    shownAttempts(order).flatMap(each => {
      const { attempt } = each
      const { operation, amount, currency, effect, end } = attempt
      if (effect !== 'changes' || !mayHaveArrived(attempt)) return []
      // A change that was not answered stays under way: the ended stage that status shows may be another request's.
      if (hasShownEnd(each) && !isUnresolved(attempt)) return []
      const isSending = end === undefined && at < quietFrom(attempt)
      const state = isSending ? 'sending' : isUnresolved(attempt) ? 'unknown' : 'sent'
      return [{ operation, clientOrderId: order.clientOrderId ?? '', amount, currency, state }]
    }),
  )
}

/** A stage that has ended, as status said of it, while the handler was not told of that yet. */
export interface UntoldStage {
  readonly clientOrderId: string
  readonly stage: StageName
  /** The gateway's latest word. */
  readonly status: string
  /** Major units, where status said them. */
  readonly amount: string | undefined
  readonly currency: string | undefined
}

/** Whether the money of a payout that was checked may be on its way: that the recipient was verified says no more how it stands. */
export const isBeingSent = (order: KnownOrder): boolean =>
  shownAttempts(order).some(
    ({ attempt, stage }) =>
      attempt.effect === 'changes' &&
      attempt.stages.some(each => moneyMoved(each) === 'sent') &&
      mayHaveArrived(attempt) &&
      !hasEnded(stage),
  )

/** Lists everything that the handler was not told yet, in the order of the stages. */
export const untoldStages = (orders: readonly KnownOrder[]): readonly UntoldStage[] =>
  orders.flatMap(({ clientOrderId = '', stages }) =>
    stages.filter(isUntold).map(({ stage, status, corrections, amount, currency }) => ({
      clientOrderId,
      stage,
      status: corrections.at(-1)?.to ?? status,
      amount,
      currency,
    })),
  )

/**
 * Why a person is needed for a capture, return or void that was requested before a moment: it was not answered, and status cannot show that
 * it was never sent; or the gateway took it, and status shows no end of it, so that nothing else is allowed.
 *
 * @param before Milliseconds of the store's clock.
 */
export function changeTooLong(orders: readonly KnownOrder[], before: number): string | undefined {
  for (const order of orders) {
    const found = shownAttempts(order).find(
      each =>
        movesMoneyOfOrder(each.attempt) &&
        mayHaveArrived(each.attempt) &&
        !hasShownEnd(each) &&
        each.attempt.reservedAt <= before,
    )
    if (found === undefined) continue
    const { attempt } = found
    const what = `the ${attempt.operation} of order ${order.clientOrderId}`
    return isUnresolved(attempt)
      ? `It is not known what became of ${what}. Ask the gateway whether it has it.`
      : `T${what.slice(1)} has not ended. Ask the gateway how it stands.`
  }
  return undefined
}

/**
 * Why the sums of an order would be a guess, for people. It says what is seen, and works no sum out.
 *
 * @returns undefined where nothing of its money was approved.
 */
export function whyUncertain(known: KnownOrder, profile: WireProfile): string | undefined {
  const order = { ...known, stages: countedStages(known.stages, profile) }
  const approved = order.stages.filter(({ stage, outcome }) => outcome === 'approved' && moneyMoved(stage) !== 'none')
  if (approved.length === 0) return undefined
  const uncounted = approved.filter(each => isUncounted(each, order, profile))
  const named = (stages: typeof approved) =>
    stages.map(each => `the ${stageNames[each.stage]}${overMoney(each)}`).join(' and ')
  const foreign = uncounted.filter(each => attemptBehind(order, each) === undefined)
  if (foreign.length > 0)
    return (
      `Status shows ${named(foreign)}, and no request in this store is behind that: ` +
      'it was made at the gateway’s screens, by another program, or by the bank. ' +
      'Status does not say whether it happened once or more often.'
    )
  if (uncounted.length > 0)
    return `The answer to a request was lost, and status does not say which request ${named(uncounted)} came from.`
  const bare = approved.filter(({ amount, currency }) => amount === undefined || currency === undefined)
  if (bare.length > 0) return `Status does not say how much ${named(bare)} was over.`
  return order.stages.some(isDisputed)
    ? 'The gateway contradicted itself about it.'
    : 'Status does not show beyond doubt what was done to it.'
}

/** The same where status shows a change that failed, and that nobody here has asked for. @returns undefined where it shows none. */
export function whyTried(order: KnownOrder, profile: WireProfile): string | undefined {
  // A person who settled one of them since has looked at the gateway.
  const hasLooked = ({ stage, askedAt }: KnownStage) =>
    order.stages.some(each => each.stage === stage && each.wordsBefore !== undefined && each.askedAt >= askedAt)
  const tried = order.stages.find(
    each =>
      mayRepeat(each.stage) &&
      each.outcome !== undefined &&
      each.serialNumber === undefined &&
      latestOutcome(each, profile) !== 'approved' &&
      !hasLooked(each) &&
      attemptBehind(order, each) === undefined,
  )
  return (
    tried &&
    `Status shows the ${stageNames[tried.stage]}${overMoney(tried)}, which failed, and no request in this store is behind that. ` +
      'Status shows only what came last: another change may have come before it. Look the order up at the gateway, and give till.adopt ' +
      'the serial numbers of its requests.'
  )
}

/** The same where a callback is open. */
export const whyCalled =
  'A callback came that status has not answered yet: money may have moved at the gateway meanwhile.'

/** The same where status never showed what a callback said. */
export const whyUnshown = (said: CallbackSaid, profile: WireProfile): string =>
  `A callback said that ${saidInWords(said, '', profile)}, and status never showed that: money may have moved at the gateway.`

/** The same where a change was not answered. */
export const whyUnanswered = (change: ChangeUnderWay): string =>
  `${requestInWords(change).replace(/^(?:an?|the) /, 'The ')} was not answered, so that it is not known whether it happened.`
