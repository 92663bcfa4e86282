/**
 * Tells the merchant's handler of an outcome, once, however many deliveries and processes race: callbacks, customers who come
 * back, and what the merchant waited for all go through here.
 *
 * @module
 */
import {
  type AskedSettlement,
  type AwaitedOutcome,
  aCount,
  aFunction,
  anObjectWith,
  aText,
  type Inbox,
  type InboxClaim,
  nested,
  type OptionCheck,
  required,
} from '@tillkit/protocol'
import { systemWait, type Wait, withDeadline } from '../config/time.js'
import { type Conclusive, isConclusive, type ReceivedOutcome, receivedOutcome } from './received.js'

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
export type Delivery = 'told' | 'busy'

/**
 * Tells of what `awaitOutcome` or `watchOutcome` of a client ended in, or of what `askAndSettle` settled. It is told once, no
 * matter what learns of it first: your job, a page of yours, a callback or the customer who comes back. Give it the inbox and
 * the handler of `receiveCallbacks`.
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

/** How long a customer waits for the merchant's handler, in milliseconds. It goes on afterwards. */
const patience = 5_000

/**
 * Tells of what a customer's visit settled. What fails after the customer has gone on is told again with the next callback or
 * visit.
 *
 * @throws What the handler throws while the customer waits; the outcome can be told again then.
 */
export async function tellWhileCustomerWaits(settlement: AskedSettlement, outcomes: VisitOutcomes): Promise<void> {
  const told = tellOutcome(settlement, outcomes)
  await withDeadline(told, { milliseconds: patience, wait: systemWait, late: () => 'busy' as const })
}

/** What telling works with. */
export interface DeliverOptions {
  readonly inbox: Inbox
  readonly onOutcome: OnOutcome
  /** Milliseconds. */
  readonly lease: number
  readonly wait: Wait
}

/** Pause before another look at a key that another delivery holds, in milliseconds. */
const lookAgain = 250

/**
 * Tells of an outcome unless it was told before.
 *
 * @returns Once the handler has succeeded, here or elsewhere, or once the lease is over.
 * @throws What the handler throws; the outcome can be told again then.
 */
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
