/**
 * Telling the merchant of an outcome that they waited for themselves, by the door that callbacks and customers go through.
 *
 * @module
 */
import type { AskedSettlement, AwaitedOutcome, Inbox, InboxClaim } from '@tillkit/protocol'
import { checkFunction, checkOptionalCount } from '../config/options.js'
import { systemWait, timeLimit } from '../config/time.js'
import type { Wait } from './order-queue.js'
import { type Conclusive, isConclusive, type ReceivedOutcome, receivedOutcome } from './received.js'

/**
 * Tells of what `awaitOutcome` or `watchOutcome` of a client ended in, or of what `askAndSettle` settled, once, whoever learns
 * of it first: your job, a page of yours, a callback or the customer who comes back. Give it the inbox and the handler of
 * `receiveCallbacks`.
 *
 * @example
 * ```ts
 * const outcomes = { login, inbox, onOutcome }
 * await tellOutcome(await client.awaitOutcome(question), outcomes)
 * ```
 *
 * @returns `told`: by now, here or elsewhere. `busy`: somebody is about to, or the handler takes longer than its lease.
 * `nothing`: there is no outcome to tell of. `needs-customer`, `still-unknown`, or `needs-person` over a step of 3DS that
 * cannot be followed: that is for your log.
 * @throws What the handler throws: the outcome can be told again then.
 * @throws {TypeError} when `outcomes` is wrong.
 */
export async function tellOutcome(
  ended: AwaitedOutcome | AskedSettlement,
  outcomes: VisitOutcomes,
): Promise<Delivery | 'nothing'> {
  checkOptionalOutcomes(outcomes ?? {})
  const settlement = settlementOf(ended)
  if (settlement === undefined) return 'nothing'
  const { login, inbox, onOutcome, lease = 30_000 } = outcomes
  const received = receivedOutcome(settlement, { login, isExpected: true })
  return deliverOutcome(received, { inbox, onOutcome, lease, wait: systemWait })
}

/** How long a customer waits for the merchant's handler, in milliseconds. It goes on afterwards. */
const patience = 5_000

/**
 * Tells of what a customer's visit settled.
 *
 * @throws What the handler throws while the customer waits; the outcome can be told again then.
 */
export async function tellWhileCustomerWaits(settlement: AskedSettlement, outcomes: VisitOutcomes): Promise<void> {
  const ended = new AbortController()
  const told = tellOutcome(settlement, outcomes)
  try {
    await Promise.race([told, systemWait(patience, ended.signal)])
  } finally {
    ended.abort()
    // What fails after the customer has gone on is told again with the next callback or visit.
    told.catch(() => undefined)
  }
}

function settlementOf(ended: AwaitedOutcome | AskedSettlement): Conclusive | undefined {
  if (!('wait' in ended)) return isConclusive(ended) ? ended : undefined
  switch (ended.kind) {
    case 'needs-customer':
    case 'still-unknown':
      return undefined
    case 'needs-person': {
      const { stage, reason, explanation, order, observation } = ended
      if (stage === undefined || reason === 'unusable-step') return undefined
      return { kind: reason, explanation, stage, order, observation }
    }
    default:
      return ended
  }
}

/** What a handler gets besides the outcome. */
export interface OutcomeContext {
  /** The same for every time this outcome is told: login, order, stage, status word. Hand it on to what you call. */
  readonly idempotencyKey: string
  /** Aborts when the lease is over: somebody else may be told of the outcome from then on. */
  readonly signal: AbortSignal
  /** Higher every time the outcome is told. Let your store refuse what comes with a lower one than it has seen. */
  readonly fencingToken: number
  /** For an inbox in your database: complete it in the transaction that stores what you do, and it is done exactly once. */
  readonly claim: InboxClaim
}

/** The merchant's handler. */
export type OnOutcome = (outcome: ReceivedOutcome, context: OutcomeContext) => void | Promise<void>

/** What telling works with. */
export interface DeliverOptions {
  readonly inbox: Inbox
  readonly onOutcome: OnOutcome
  /** Milliseconds. */
  readonly lease: number
  readonly wait: Wait
}

/** `told`: now or before, by whomever. `busy`: somebody is about to, or the handler has outstayed its lease. */
export type Delivery = 'told' | 'busy'

/** Pause before another look at a key that somebody else holds, in milliseconds. */
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
    if (claiming.kind === 'claimed') return tell(outcome, claiming.claim, options)
    if (claiming.kind === 'completed') return 'told'
    await wait(lookAgain)
  }
  return 'busy'
}

async function tell(
  outcome: ReceivedOutcome,
  claim: InboxClaim,
  { inbox, onOutcome, lease, wait }: DeliverOptions,
): Promise<Delivery> {
  const limit = timeLimit(lease, wait)
  let isOver = false
  let overstayed: AbortController | undefined
  const abort = () =>
    overstayed?.abort(new Error(`The lease of ${lease} ms on this outcome is over; it may be told again.`))
  const context = {
    idempotencyKey: claim.key,
    fencingToken: claim.token,
    claim,
    // Made when it is asked for: most handlers never look at it.
    get signal() {
      if (overstayed !== undefined) return overstayed.signal
      overstayed = new AbortController()
      if (isOver) abort()
      return overstayed.signal
    },
  }
  // A handler that outstays its lease and then succeeds has succeeded, unless somebody else was told meanwhile.
  const telling = Promise.resolve()
    .then(() => onOutcome(outcome, context))
    .then(
      async (): Promise<Delivery> => ((await inbox.complete(claim)) ? 'told' : 'busy'),
      async error => {
        // Where that fails too, the lease ends it.
        await inbox.release(claim).catch(() => undefined)
        throw error
      },
    )
    .finally(limit.end)
  return limit.race(telling, () => {
    isOver = true
    abort()
    return 'busy'
  })
}

/** Whom to tell of outcomes, once each. Give `receiveCallbacks` the same inbox and handler. */
export interface VisitOutcomes {
  /** Merchant login. It is part of what identifies an outcome. */
  readonly login: string
  readonly inbox: Inbox
  readonly onOutcome: OnOutcome
  /** How long a handler may take before the outcome may be told elsewhere, in milliseconds. Default: 30000. */
  readonly lease?: number
}

/** @throws {TypeError} when an option is wrong. */
export function checkOptionalOutcomes(outcomes: VisitOutcomes | undefined): void {
  if (outcomes === undefined) return
  const { login, inbox, onOutcome, lease } = outcomes
  if (typeof login !== 'string' || login === '')
    throw new TypeError('Option "outcomes.login" must be the merchant login.')
  for (const method of ['claim', 'complete', 'release'] as const)
    checkFunction(`outcomes.inbox.${method}`, inbox?.[method])
  checkFunction('outcomes.onOutcome', onOutcome)
  checkOptionalCount('outcomes.lease', lease)
}
