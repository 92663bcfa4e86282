import { sameAmount } from '@tillkit/signing'
import { type MoneyMoved, mayRepeat, moneyMoved } from '../../operations/stages.js'
import type { Order, Stage } from '../../order/types.js'
import type { FinalOutcome } from '../../profile/types.js'
import { quote, quoteMoney } from '../../redaction/mask-card-number.js'
import type { KnownAttempt, KnownOrder, KnownStage, PaymentDocument } from '../document.js'
import { attemptBehind, creationOf } from '../expected.js'
import type { UntoldOutcome } from './telling.js'

/**
 * What an outcome is to the merchant.
 *
 * `paid`: a sale or a capture. `held`: a preauth. `verified`: a verification or a payout check. `sent`: a payout or a
 * transfer. `returned`: a return, a reversal or a chargeback took money back. `released`: a hold ended without money.
 * `declined`: the payment or payout itself ended without success. `change-declined`: a capture, return or void did; what was
 * before it stands.
 */
export type OutcomeKind =
  | 'paid'
  | 'held'
  | 'verified'
  | 'sent'
  | 'returned'
  | 'released'
  | 'declined'
  | 'change-declined'

/** What an approved stage is to the merchant, by what it did to money. */
export const approvedKinds = {
  captured: 'paid',
  held: 'held',
  none: 'verified',
  sent: 'sent',
  returned: 'returned',
  released: 'released',
} as const satisfies { readonly [Moved in MoneyMoved]: OutcomeKind }

interface AboutOrder {
  /** Merchant login. */
  readonly login: string
  /** The merchant's name of the payment: the order id of its first order. */
  readonly reference: string
  /** The order, as the store has it. */
  readonly order: Order
  readonly stage: Stage
  readonly evidence: 'status-reply'
}

/** An outcome to act on. Its amount and currency are those that were asked for. */
export interface CertainOutcome extends AboutOrder {
  readonly kind: OutcomeKind
  /** How it ended, as a status word says. */
  readonly outcome: FinalOutcome
  /** What it did to money; `none` unless approved. */
  readonly moneyMoved: MoneyMoved
  /**
   * Whether a request in the store asked for it. A chargeback is the bank's, and a person can return or void at the gateway: no
   * amount was compared then.
   */
  readonly isExpected: boolean
}

/** A person must look: deliver and repeat nothing. */
export interface DisputedOutcome extends AboutOrder {
  readonly kind: 'disputed'
  /**
   * `amount-differs`: approved, and not what was asked for. `corrected`: the gateway took back a final word. `not-asked-for`: money
   * came or was held, and the store has no request for it. `unrecognized`: what it does to money is not known here.
   */
  readonly reason: 'amount-differs' | 'corrected' | 'not-asked-for' | 'unrecognized'
  /** One sentence for that person. */
  readonly explanation: string
}

/** One outcome of one stage of an order. Narrow with `kind`. */
export type ReceivedOutcome = CertainOutcome | DisputedOutcome

/** What an outcome is to the merchant, by all that the document says. It is certain, or a person must look: never a guess. */
export function outcomeToTell({ reference }: PaymentDocument, { order, stage }: UntoldOutcome): ReceivedOutcome {
  const { clientOrderId = reference, orderId, stages, login } = order
  const known = { clientOrderId, ...(orderId === undefined ? {} : { orderId }), stages }
  const about = { login, reference, order: known, stage, evidence: 'status-reply' } as const
  const asked = moneyAskedFor(order, stage)
  const dispute = disputeOf(stage, asked)
  if (dispute !== undefined) return { ...about, kind: 'disputed', ...dispute }
  const { outcome = 'error' } = stage
  const isExpected = asked !== undefined
  const moved = outcome === 'approved' ? moneyMoved(stage.stage) : 'none'
  if (outcome === 'approved' && moved !== 'unknown')
    return { ...about, kind: approvedKinds[moved], outcome, moneyMoved: moved, isExpected }
  const kind = mayRepeat(stage.stage) ? 'change-declined' : 'declined'
  return { ...about, kind, outcome, moneyMoved: 'none', isExpected }
}

type AskedMoney = Pick<KnownAttempt, 'amount' | 'currency'>

/**
 * The money that the request behind a stage asked for. A capture or a payout of the whole names none: it is for what the order was made
 * over, unless a part went before. What is absent is not known, and not compared.
 *
 * @returns undefined where no request is behind the stage.
 */
function moneyAskedFor(order: KnownOrder, stage: KnownStage): AskedMoney | undefined {
  const attempt = attemptBehind(order, stage)
  if (attempt === undefined || attempt.amount !== undefined) return attempt
  const moved = moneyMoved(stage.stage)
  const others = order.stages.filter(each => each !== stage && each.stage === stage.stage)
  const isWhole = (moved === 'captured' || moved === 'sent') && others.every(({ outcome }) => outcome !== 'approved')
  return (isWhole ? creationOf(order)?.attempt : undefined) ?? attempt
}

/** Why a person must look at a stage that is over, if one must. */
function disputeOf(
  stage: KnownStage,
  asked: AskedMoney | undefined,
): Pick<DisputedOutcome, 'reason' | 'explanation'> | undefined {
  const { status, corrections, restated, outcome, word } = stage
  if (corrections.length > 0) {
    const words = [status, ...corrections.map(({ to }) => to)].map(quote).join(', then ')
    const explanation = `The gateway contradicted itself about the ${stage.stage}: ${words}. Deliver and repeat nothing; a person must look.`
    return { reason: 'corrected', explanation }
  }
  if (stage.stage === 'unrecognized') {
    const explanation = `The gateway reports a ${quote(word)} that is ${quote(status)}, and what that does to money is not known here. Look it up at the gateway.`
    return { reason: 'unrecognized', explanation }
  }
  if (outcome !== 'approved') return undefined
  if (restated !== undefined) {
    const explanation = `The ${stage.stage} was approved over ${quoteMoney(stage)}, and a later reply said ${quoteMoney(restated)}. Deliver nothing; a person must look.`
    return { reason: 'amount-differs', explanation }
  }
  if (asked === undefined) {
    const moved = moneyMoved(stage.stage)
    if (moved === 'returned' || moved === 'released') return undefined
    const explanation = `Status says that a ${stage.stage} over ${quoteMoney(stage)} is approved, and the store has no request for one. Deliver nothing; a person must look.`
    return { reason: 'not-asked-for', explanation }
  }
  if (isMoneyOf(asked, stage)) return undefined
  const explanation = `The ${stage.stage} was approved over ${quoteMoney(stage)}, asked for was ${quoteMoney(asked)}. Deliver nothing; a person must look.`
  return { reason: 'amount-differs', explanation }
}

function isMoneyOf({ amount, currency }: AskedMoney, stage: KnownStage): boolean {
  if (currency !== undefined && stage.currency !== currency.trim()) return false
  return amount === undefined || (stage.amount !== undefined && sameAmount(stage.amount, amount))
}
