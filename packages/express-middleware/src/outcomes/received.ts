import {
  type AskedSettlement,
  type DisputedSettlement,
  type FinalOutcome,
  isSettled,
  type MoneyMoved,
  mayRepeat,
  needsPerson,
  type Order,
  outcomeKey,
  type Settled,
  type Stage,
  type StatusObservation,
} from '@tillkit/protocol'

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

interface AboutOrder {
  /** Merchant login. */
  readonly login: string
  /** The order with what this status reply says. */
  readonly order: Order
  readonly stage: Stage
  /** Store what `reduceOrder` makes of *your current* order and this, so that nothing learned meanwhile is lost. */
  readonly observation: StatusObservation
  readonly evidence: 'status-reply'
}

/** An outcome to act on. Amount and currency are the expected ones. */
export interface CertainOutcome extends AboutOrder {
  readonly kind: OutcomeKind
  /** How it ended, as a status word says. */
  readonly outcome: FinalOutcome
  /** What it did to money; `none` unless approved. */
  readonly moneyMoved: MoneyMoved
  /**
   * Whether it was waited for. A chargeback need not be, nor a return or void that was made at the gateway: no amount was
   * compared then.
   */
  readonly isExpected: boolean
}

/** A person must look: deliver and repeat nothing. */
export interface DisputedOutcome extends AboutOrder {
  readonly kind: 'disputed'
  /** `amount-differs`: approved, and not what was expected. `corrected`: the gateway took back a final word. */
  readonly reason: DisputedSettlement['kind']
  /** One sentence for that person. */
  readonly explanation: string
}

/** What the merchant's handler is told: one outcome of one stage of an order. Narrow with `kind`. */
export type ReceivedOutcome = CertainOutcome | DisputedOutcome

/** A settlement that the handler is told of. */
export type Conclusive = Settled | (DisputedSettlement & { readonly stage: Stage })

/** Whether the handler is told of it. */
export const isConclusive = (settlement: AskedSettlement): settlement is Conclusive =>
  isSettled(settlement) || (needsPerson(settlement) && settlement.stage !== undefined)

/** The outcome of a settlement, and the key under which it is told once. */
export function receivedOutcome(
  settlement: Conclusive,
  { login, isExpected }: { readonly login: string; readonly isExpected: boolean },
): { readonly key: string; readonly outcome: ReceivedOutcome } {
  const { order, stage, observation } = settlement
  const own = outcomeKey({ login, order, stage })
  const key = isExpected ? own : `${own}/${amountOf(stage)}`
  const about = { login, order, stage, observation, evidence: 'status-reply' } as const
  if (isSettled(settlement)) {
    const { kind: outcome, moneyMoved } = settlement
    return { key, outcome: { ...about, kind: kindOf(settlement), outcome, moneyMoved, isExpected } }
  }
  const { kind: reason, explanation } = settlement
  return {
    // Once the merchant has corrected the expectation, the outcome itself is still to be told.
    key: reason === 'amount-differs' ? `${key}/amount-differs` : key,
    outcome: { ...about, kind: 'disputed', reason, explanation },
  }
}

/** Two changes that were not waited for have no serial numbers to tell them apart. `4.00` and `4.0` are the same amount. */
function amountOf({ amount = '' }: Stage): string {
  const text = amount.slice(0, 64)
  if (!text.includes('.')) return encodeURIComponent(text)
  let end = text.length
  while (text[end - 1] === '0') end -= 1
  return encodeURIComponent(text.slice(0, text[end - 1] === '.' ? end - 1 : end))
}

function kindOf({ kind, stage, moneyMoved }: Settled): OutcomeKind {
  if (kind === 'approved') return approvedKinds[moneyMoved]
  return mayRepeat(stage.stage) ? 'change-declined' : 'declined'
}

const approvedKinds = {
  captured: 'paid',
  held: 'held',
  none: 'verified',
  sent: 'sent',
  returned: 'returned',
  released: 'released',
} as const satisfies { readonly [Moved in MoneyMoved]: OutcomeKind }

/** What the page for the customer shows. `checking` whenever status has not settled it: never a guess. */
export type OutcomeView = 'paid' | 'held' | 'verified' | 'sent' | 'declined' | 'checking'

/** The view of a settlement; `checking` without one. */
export function outcomeView(settlement: AskedSettlement | undefined): OutcomeView {
  if (settlement === undefined || !isSettled(settlement)) return 'checking'
  if (settlement.kind !== 'approved') return 'declined'
  const kind = approvedKinds[settlement.moneyMoved]
  // A return or a release is no answer to what a customer pays; a person looks.
  return kind === 'returned' || kind === 'released' ? 'checking' : kind
}
