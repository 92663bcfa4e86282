/**
 * Telling the merchant of what a customer's visit brought to light, by the same door that callbacks go through.
 *
 * @module
 */
import type { AskedSettlement, Inbox } from '@tillkit/protocol'
import { checkFunction, checkOptionalCount } from './check-options.js'
import { systemWait } from './defaults.js'
import { deliverOutcome, type OnOutcome } from './deliver-outcome.js'
import { isConclusive, receivedOutcome } from './received-outcome.js'

/** Whom to tell of outcomes, once each. Give `receiveCallbacks` the same inbox and handler. */
export interface VisitOutcomes {
  /** Merchant login. It is part of what identifies an outcome. */
  readonly login: string
  readonly inbox: Inbox
  readonly onOutcome: OnOutcome
  /** How long a handler may take before the outcome may be told elsewhere, in milliseconds. Default: 30000. */
  readonly lease?: number
}

/** How long a customer waits for the merchant's handler, in milliseconds. It goes on afterwards. */
const patience = 5_000

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

/**
 * Tells of a settlement that is an outcome, unless that was told before.
 *
 * @throws What the handler throws while the customer waits; the outcome can be told again then.
 */
export async function tellOutcome(
  settlement: AskedSettlement,
  { login, inbox, onOutcome, lease = 30_000 }: VisitOutcomes,
): Promise<void> {
  if (!isConclusive(settlement)) return
  const ended = new AbortController()
  const told = deliverOutcome(receivedOutcome(settlement, { login, isExpected: true }), {
    inbox,
    onOutcome,
    lease,
    wait: systemWait,
  })
  try {
    await Promise.race([told, systemWait(patience, ended.signal)])
  } finally {
    ended.abort()
    // What fails after the customer has gone on is told again with the next callback or visit.
    told.catch(() => undefined)
  }
}
