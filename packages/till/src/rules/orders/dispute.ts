import { mayRepeat, moneyMoved, quote, quoteMoney, type WireProfile } from '@tillkit/protocol'
import { sameAmount } from '@tillkit/signing'
import type { KnownAttempt, KnownOrder, KnownStage } from '../../state/known.js'
import { isApprovedLate, latestOutcome } from '../../state/late-approval.js'
import { attemptBehind, creationOf, shownAttempts } from './expected.js'

/** Why a person must look at a stage: deliver and repeat nothing. */
export interface Dispute {
  /**
   * `amount-differs`: approved, and not what was asked for. `corrected`: the gateway took back a final word; where it approves at last what
   * it had not approved before, that is no dispute. `not-asked-for`: money came or was held, and the store has no request for it.
   * `unrecognized`: what it does to money is not known here.
   */
  readonly reason: 'amount-differs' | 'corrected' | 'not-asked-for' | 'unrecognized'
  /** One sentence for that person. */
  readonly explanation: string
}

/**
 * Whether a person must look at a stage of an order, as the merchant is told or will be.
 *
 * @param shown Its requests, where they are known.
 */
export const isDisputedStage = (
  order: KnownOrder,
  stage: KnownStage,
  profile: WireProfile,
  shown = shownAttempts(order),
): boolean => stage.outcome !== undefined && disputeOf(stage, moneyAskedFor(order, stage, shown), profile) !== undefined

type AskedMoney = Pick<KnownAttempt, 'amount' | 'currency'>

/**
 * The money that the request behind a stage asked for. A capture or a payout of the whole names none: it is for what the order was made
 * over, unless a part went before. What is absent is not known, and not compared.
 *
 * @returns undefined where no request is behind the stage.
 */
export function moneyAskedFor(
  order: KnownOrder,
  stage: KnownStage,
  shown = shownAttempts(order),
): AskedMoney | undefined {
  const attempt = attemptBehind(order, stage, shown)
  if (attempt === undefined || attempt.amount !== undefined) return attempt
  const moved = moneyMoved(stage.stage)
  const others = order.stages.filter(each => each !== stage && each.stage === stage.stage)
  const isWhole = (moved === 'captured' || moved === 'sent') && others.every(({ outcome }) => outcome !== 'approved')
  return (isWhole ? creationOf(order, shown)?.attempt : undefined) ?? attempt
}

/** Why a person must look at a stage that is over, if one must. */
export function disputeOf(stage: KnownStage, asked: AskedMoney | undefined, profile: WireProfile): Dispute | undefined {
  const { status, corrections, restated, word, wordsBefore } = stage
  // A person settled it, and the gateway has said nothing else since.
  if (wordsBefore !== undefined && corrections.length === 0 && restated === undefined) return undefined
  const outcome = latestOutcome(stage, profile)
  if (corrections.length > 0 && !isApprovedLate(stage, profile) && restated === undefined) {
    const words = [status, ...corrections.map(({ to }) => to)].map(quote).join(', then ')
    const explanation =
      `The gateway contradicted itself about the ${stage.stage}: ${words}. ` +
      (mayBeAnothers(stage) ? 'The last word may be about another one that was tried there since. ' : '') +
      'Deliver and repeat nothing; a person must look.'
    return { reason: 'corrected', explanation }
  }
  if (stage.stage === 'unrecognized') {
    const explanation =
      `The gateway reports a ${quote(word)} that is ${quote(status)}, and what that does to money is not known here. ` +
      'Look it up at the gateway.'
    return { reason: 'unrecognized', explanation }
  }
  if (outcome !== 'approved') return undefined
  if (restated !== undefined) {
    const explanation =
      `The ${stage.stage} was approved over ${quoteMoney(stage)}, and a later reply said ${quoteMoney(restated)}. ` +
      'Deliver nothing; a person must look.'
    return { reason: 'amount-differs', explanation }
  }
  if (asked === undefined) {
    const moved = moneyMoved(stage.stage)
    if (moved === 'returned' || moved === 'released') return undefined
    const explanation =
      `Status says that a ${stage.stage} over ${quoteMoney(stage)} is approved, and the store has no request for one. ` +
      'Deliver nothing; a person must look.'
    return { reason: 'not-asked-for', explanation }
  }
  if (isMoneyOf(asked, stage)) return undefined
  const explanation =
    `The ${stage.stage} was approved over ${quoteMoney(stage)}, asked for was ${quoteMoney(asked)}. ` +
    'Deliver nothing; a person must look.'
  return { reason: 'amount-differs', explanation }
}

/** Whether a word that contradicts an earlier one of a stage may be about another stage: no number tells them apart. */
export const mayBeAnothers = ({ stage, serialNumber, corrections, restated }: KnownStage): boolean =>
  corrections.length > 0 &&
  restated === undefined &&
  mayRepeat(stage) &&
  stage !== 'chargeback' &&
  serialNumber === undefined

function isMoneyOf({ amount, currency }: AskedMoney, stage: KnownStage): boolean {
  if (currency !== undefined && stage.currency !== currency.trim()) return false
  return amount === undefined || (stage.amount !== undefined && sameAmount(stage.amount, amount))
}
