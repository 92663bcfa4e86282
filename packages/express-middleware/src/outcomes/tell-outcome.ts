/**
 * Telling the merchant of an outcome that they waited for themselves, by the door that callbacks and customers go through.
 *
 * @module
 */
import type { AskedSettlement, AwaitedOutcome } from '@tillkit/protocol'
import { systemWait } from '../config/time.js'
import { type Delivery, deliverOutcome } from './deliver-outcome.js'
import { type Conclusive, isConclusive, receivedOutcome } from './received-outcome.js'
import { checkOptionalOutcomes, type VisitOutcomes } from './visit-outcomes.js'

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
  if ('settled' in ended) return isConclusive(ended) ? ended : undefined
  switch (ended.outcome) {
    case 'needs-customer':
    case 'still-unknown':
      return undefined
    case 'needs-person': {
      const { stage, reason, explanation, order, observation } = ended
      if (stage === undefined || reason === 'unusable-step') return undefined
      return { settled: false, reason, explanation, stage, order, observation }
    }
    default:
      return { ...ended, settled: true }
  }
}
