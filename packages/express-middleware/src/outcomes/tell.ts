import {
  type AskedSettlement,
  type AwaitedOutcome,
  aCount,
  aFunction,
  anObjectWith,
  aText,
  type DisputedSettlement,
  type FinalOutcome,
  type Inbox,
  type InboxClaim,
  isSettled,
  type MoneyMoved,
  mayRepeat,
  needsPerson,
  nested,
  type OptionCheck,
  type Order,
  outcomeKey,
  required,
  type Settled,
  type Stage,
  type StatusObservation,
} from '@tillkit/protocol'
import { systemWait, type Wait, withDeadline } from '../config/time.js'

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

/** One outcome of one stage of an order. Narrow with `kind`. */
export type ReceivedOutcome = CertainOutcome | DisputedOutcome

export type Conclusive = Settled | (DisputedSettlement & { readonly stage: Stage })

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
  return encodeURIComponent(text.includes('.') ? text.replace(/\.?0*$/, '') : text)
}

function kindOf({ kind, stage, moneyMoved }: Settled): OutcomeKind {
  if (kind === 'approved') return approvedKinds[moneyMoved]
  return mayRepeat(stage.stage) ? 'change-declined' : 'declined'
}

export const approvedKinds = {
  captured: 'paid',
  held: 'held',
  none: 'verified',
  sent: 'sent',
  returned: 'returned',
  released: 'released',
} as const satisfies { readonly [Moved in MoneyMoved]: OutcomeKind }

/** What a handler gets besides the outcome. */
export interface OutcomeContext {
  /** The same for every time this outcome is told: login, order, stage, status word. Hand it on to what you call. */
  readonly idempotencyKey: string
  /** Aborts when the lease is over: the outcome may be told again from then on. */
  readonly signal: AbortSignal
  /** Higher every time the outcome is told. Let your store refuse what comes with a lower one than it has seen. */
  readonly fencingToken: number
  /** For an inbox in your database: complete it in the transaction that stores what you do, and it is done exactly once. */
  readonly claim: InboxClaim
}

/** The merchant's handler. */
export type OnOutcome = (outcome: ReceivedOutcome, context: OutcomeContext) => void | Promise<void>

/** The handler to tell of outcomes, once each. Give `receiveCallbacks` the same inbox and handler. */
export interface VisitOutcomes {
  /** Merchant login. It is part of what identifies an outcome. */
  readonly login: string
  readonly inbox: Inbox
  readonly onOutcome: OnOutcome
  /** How long a handler may take before the outcome may be told elsewhere, in milliseconds. Default: 30000. */
  readonly lease?: number
}

export const visitOutcomesOption: OptionCheck = nested<VisitOutcomes>({
  login: required(aText),
  inbox: required(anObjectWith(['claim', 'complete', 'release'], 'memoryInbox(), or an inbox in your database')),
  onOutcome: required(aFunction),
  lease: aCount({ unit: 'milliseconds' }),
})

/** `told`: now or before, by any process. `busy`: another delivery is about to, or the handler has outstayed its lease. */
type Delivery = 'told' | 'busy'

/**
 * Tells of what `awaitOutcome` or `watchOutcome` of a client ended in, or of what `askAndSettle` settled: once, no matter what
 * learns of it first. Give it the inbox and the handler of `receiveCallbacks`.
 *
 * @example
 * ```ts
 * const outcomes = { login, inbox, onOutcome }
 * await tellOutcome(await client.awaitOutcome(question), outcomes)
 * ```
 *
 * @returns `told`: by now, here or elsewhere. `busy`: another delivery is about to, or the handler takes longer than its lease.
 * `nothing`: there is no outcome to tell of. `needs-customer`, `still-unknown`, or `needs-person` over a step of 3DS that
 * cannot be followed: that is for your log.
 * @throws What the handler throws: the outcome can be told again then.
 * @throws {TypeError} when `outcomes` is wrong.
 */
export async function tellOutcome(
  ended: AwaitedOutcome | AskedSettlement,
  outcomes: VisitOutcomes,
): Promise<Delivery | 'nothing'> {
  const problem = required(visitOutcomesOption)(outcomes, 'outcomes')
  if (problem !== undefined) throw new TypeError(problem)
  const settlement = settlementOf(ended)
  if (settlement === undefined) return 'nothing'
  const { login, inbox, onOutcome, lease = 30_000 } = outcomes
  const received = receivedOutcome(settlement, { login, isExpected: true })
  return deliverOutcome(received, { inbox, onOutcome, lease, wait: systemWait })
}

function settlementOf(ended: AwaitedOutcome | AskedSettlement): Conclusive | undefined {
  if (ended.kind === 'needs-customer' || ended.kind === 'still-unknown') return undefined
  if (ended.kind !== 'needs-person') return isConclusive(ended) ? ended : undefined
  const { stage, reason: kind, explanation, order, observation } = ended
  if (stage === undefined || kind === 'unusable-step') return undefined
  return { kind, explanation, stage, order, observation }
}

export type DeliverOptions = Required<Omit<VisitOutcomes, 'login'>> & { readonly wait: Wait }

/** Pause before another look at a key that another delivery holds, in milliseconds. */
const lookAgain = 250

/** Tells of an outcome unless it was told before. @throws What the handler throws; the outcome can be told again then. */
export async function deliverOutcome(
  { key, outcome }: { readonly key: string; readonly outcome: ReceivedOutcome },
  options: DeliverOptions,
): Promise<Delivery> {
  const { inbox, lease, wait } = options
  for (let waited = 0; waited <= lease; waited += lookAgain) {
    const claiming = await inbox.claim(key, { lease })
    if (claiming.kind === 'claimed') return callHandler(outcome, claiming.claim, options)
    if (claiming.kind === 'completed') return 'told'
    await wait(lookAgain)
  }
  return 'busy'
}

async function callHandler(
  outcome: ReceivedOutcome,
  claim: InboxClaim,
  { inbox, onOutcome, lease, wait }: DeliverOptions,
): Promise<Delivery> {
  const overstayed = new AbortController()
  const context = { idempotencyKey: claim.key, fencingToken: claim.token, claim, signal: overstayed.signal }
  // A handler that outstays its lease and then succeeds has succeeded, unless the outcome was told again meanwhile.
  const telling = async (): Promise<Delivery> => {
    try {
      await onOutcome(outcome, context)
    } catch (error) {
      // Where that fails too, the lease ends it.
      await inbox.release(claim).catch(() => undefined)
      throw error
    }
    return (await inbox.complete(claim)) ? 'told' : 'busy'
  }
  const late = (): Delivery => {
    overstayed.abort(new Error(`The lease of ${lease} ms on this outcome is over; it may be told again.`))
    return 'busy'
  }
  return withDeadline(telling(), { milliseconds: lease, wait, late })
}
