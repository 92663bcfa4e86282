/**
 * Tells the merchant's handler of an outcome, once, however many deliveries and processes race.
 *
 * @module
 */
import type { Inbox, InboxClaim } from '@tillkit/protocol'
import { timeLimit } from '../config/time.js'
import type { Wait } from './order-queue.js'
import type { ReceivedOutcome } from './received-outcome.js'

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
    if (claiming.claimed) return tell(outcome, claiming.claim, options)
    if (claiming.reason === 'completed') return 'told'
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
